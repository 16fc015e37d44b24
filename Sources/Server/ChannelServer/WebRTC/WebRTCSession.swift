import ControlWire
import WebRTCNegotiation
import WebSocketIO

/// One WHIP publisher or WHEP player.
struct WebRTCSession {
  /// The number it has in the directory of channels.
  let client: UInt64
  let path: WebRTCPath
  /// Names the session in its address; nobody can guess it.
  let resource: String
  let worker: Int
  let offer: WebRTCOffer
  let receiveSSRCs: TrackSSRCs?
  let sessionID: UInt64
  /// The request that waits for the answer.
  var exchange: HTTPExchange?
  /// Names the ICE session (RFC 9725 section 4.3.1), once there is one.
  var entityTag = ""

  /// The session's own address.
  var location: String { "/\(path.kind.rawValue)/\(path.channel)/\(resource)" }
}
