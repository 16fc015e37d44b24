import MediaBase
import WebSocketWire

extension FuzzedParser {
  /// Reads the bytes as frames of a client and of a server, whole and in pieces, which must come to the same.
  static func readFrames(_ input: [UInt8]) {
    for sender in [WebSocketReceiver.Sender.client, .server] {
      let whole = events(input, sender, step: max(1, input.count))
      precondition(events(input, sender, step: 1) == whole, "pieces make a difference")
      precondition(events(input, sender, step: 7) == whole, "pieces make a difference")
      for case .text(let text) in whole.events {
        var frame: [UInt8] = []
        WebSocketFrame.appendText(text, maskingKey: 0x0102_0304, to: &frame)
        precondition(events(frame, .client, step: 3).events == [.text(text)], "a text changes on the way")
      }
    }
  }

  private struct Outcome: Equatable {
    var events: [WebSocketReceiver.Event] = []
    var violation: WebSocketViolation?
  }

  private static func events(_ input: [UInt8], _ sender: WebSocketReceiver.Sender, step: Int) -> Outcome {
    var receiver = WebSocketReceiver(from: sender, maximumMessageByteCount: 500)
    var outcome = Outcome()
    for offset in stride(from: 0, to: input.count, by: step) {
      var piece = Array(input[offset..<min(offset + step, input.count)])
      outcome.violation = piece.withUnsafeMutableBytes { piece -> WebSocketViolation? in
        do throws(WebSocketViolation) {
          try receiver.receive(piece, now: .zero) { outcome.events.append($0) }
          return nil
        } catch { return error }
      }
      if outcome.violation != nil { break }
    }
    return outcome
  }

  /// Reads the head of a request; where it ends must not depend on how much there was before.
  static func readRequestHead(_ input: [UInt8]) {
    let end = HTTPRequestHead.end(in: input)
    for known in stride(from: 0, to: min(input.count, end.map { $0 - 1 } ?? input.count), by: 5) {
      precondition(HTTPRequestHead.end(in: input, from: known) == end, "the end moves")
    }
    guard let head = HTTPRequestHead(parsing: input[..<(end ?? input.count)]) else { return }
    _ = (head.path, try? WebSocketUpgrade(head))
    precondition(head.fields.count <= HTTPRequestHead.maximumFieldCount + 1)
    if head.contentProblem == nil, head.onlyValue("content-length") != nil {
      precondition(head.contentLength ?? -1 >= 0, "a length that is none")
    }
  }
}
