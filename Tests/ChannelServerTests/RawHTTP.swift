import Glibc
import TestSupport

/// One HTTP exchange over a TCP connection of its own, written out so that requests can be as wrong as a test wants.
struct RawHTTP {
  struct Response {
    /// 0 if the server ended the connection without an answer; what the system says of a connection that did not come
    /// about, fell silent (`EAGAIN`) or was reset, as a negative `errno`.
    var status = 0
    /// By name in lower case.
    var headers: [String: String] = [:]
    var body = ""

    init(_ text: String) {
      // Swift takes CR LF for one character.
      guard let end = text.range(of: "\r\n\r\n") else { return }
      let lines = text[..<end.lowerBound].split(separator: "\r\n")
      status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
      }
      body = String(text[end.upperBound...])
    }

    init(failure error: Int32) { status = -Int(error) }
  }

  let port: UInt16

  /// Sends bytes as they are and reads all that comes until the server closes. Without `reads` it goes away at once.
  @discardableResult
  func send(_ text: String, reads: Bool = true) -> Response {
    let socket = LoopbackTCP.connect(port: port)
    guard socket >= 0 else { return Response(failure: errno) }
    defer { close(socket) }
    LoopbackTCP.send(Array(text.utf8), on: socket)
    guard reads else { return Response("") }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      // The system does not go on by itself after a signal where a limit of time is set.
      if count < 0, errno == EINTR { continue }
      if count < 0, received.isEmpty { return Response(failure: errno) }
      guard count > 0 else { break }
      received += buffer[..<count]
    }
    return Response(String(decoding: received, as: UTF8.self))
  }

  /// A well-formed request.
  @discardableResult
  func request(_ method: String, _ target: String, _ headers: [String] = [], body: String? = nil) -> Response {
    var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers
    if let body { lines.append("Content-Length: \(body.utf8.count)") }
    return send(lines.map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? ""))
  }

  /// A WHIP or WHEP request with an offer.
  func offer(_ target: String, _ body: String) -> Response {
    request("POST", target, ["Content-Type: application/sdp"], body: body)
  }

  /// A PATCH with a fragment.
  func patch(_ target: String, _ fragment: String, match: String?) -> Response {
    let headers = ["Content-Type: application/trickle-ice-sdpfrag"] + (match.map { ["If-Match: \($0)"] } ?? [])
    return request("PATCH", target, headers, body: fragment)
  }
}

extension String {
  /// Where `text` is found first.
  fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }

  /// A session description with one section of sound and one of pictures.
  static func offer(_ direction: String = "sendonly") -> String {
    let sections = [("audio", "opus/48000/2", 111), ("video", "VP8/90000", 96)].enumerated().map { index, section in
      """
      m=\(section.0) 9 UDP/TLS/RTP/SAVPF \(section.2)
      c=IN IP4 0.0.0.0
      a=mid:\(index)
      a=\(direction)
      a=rtpmap:\(section.2) \(section.1)
      a=rtcp-mux
      a=ice-ufrag:abcd
      a=ice-pwd:0123456789abcdefghijkl
      a=setup:actpass
      a=fingerprint:sha-256 \(Array(repeating: "AB", count: 32).joined(separator: ":"))

      """
    }
    let head = "v=0\no=- 1 1 IN IP4 127.0.0.1\ns=-\nt=0 0\na=group:BUNDLE 0 1\n"
    return (head + sections.joined()).split(separator: "\n").map { $0 + "\r\n" }.joined()
  }
}
