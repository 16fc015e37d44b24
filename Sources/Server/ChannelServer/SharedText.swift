import ControlWire
import WebSocketIO

/// Messages as texts: one that many are sent, one after another, is written once.
struct SharedText {
  private var last: (response: ChannelResponse, text: String)?
  /// How often something has been written.
  private(set) var encodingCount = 0

  /// The text of a message; `nil` if it has none.
  mutating func text(of response: ChannelResponse) -> String? {
    if let last, last.response == response { return last.text }
    guard let text = try? ControlMessageCoding.encode(response) else { return nil }
    encodingCount += 1
    last = (response, text)
    return text
  }
}
