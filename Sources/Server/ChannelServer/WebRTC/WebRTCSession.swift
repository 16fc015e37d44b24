import ControlWire
import WebRTCNegotiation
import WebSocketIO

/// One WHIP publisher or WHEP player. Touched on the HTTP server's thread only; an object, since much is told to many of them.
final class WebRTCSession {
  /// The number it has in the directory of channels.
  let client: UInt64
  let path: WebRTCPath
  /// Names the session in its address; nobody can guess it.
  let resource: String
  let worker: Int
  let offer: WebRTCOffer
  let receiveSSRCs: TrackSSRCs?
  let sessionID: UInt64
  /// The user's number; 0 until the server has chosen one.
  var uid: UInt
  /// What it has shown to enter.
  let token: String
  /// Where the client is, for limits.
  let network: ClientNetwork
  /// Whether its media connection has been there.
  var hasConnected = false
  /// The request that waits for the answer.
  var exchange: HTTPExchange?
  /// The client's present ICE credentials.
  var ice: ICEParameters
  /// What the answer said of the server, with its present ICE credentials; `nil` before the answer.
  var server: WebRTCAnswerParameters?

  /// What a publisher has muted.
  var muted = TrackFlags.none

  /// What a player is told.
  var events = WebRTCSessionEvents()

  init(
    client: UInt64, path: WebRTCPath, resource: String, worker: Int, offer: WebRTCOffer, receiveSSRCs: TrackSSRCs?,
    sessionID: UInt64, uid: UInt, token: String, network: ClientNetwork, exchange: HTTPExchange
  ) {
    self.client = client
    self.path = path
    self.resource = resource
    self.worker = worker
    self.offer = offer
    self.receiveSSRCs = receiveSSRCs
    self.sessionID = sessionID
    self.uid = uid
    self.token = token
    self.network = network
    self.exchange = exchange
    ice = offer.ice
  }

  /// Where a player is told what happens.
  var eventLocation: String { location + "/sse" }

  /// The session's own address.
  var location: String { "/\(path.kind.rawValue)/\(Self.encoded(path.channel))/\(resource)" }

  /// Whether the value of an If-Match field means the present ICE session; tags must be strong (RFC 9110 section 13.1.1).
  func matches(_ value: String) -> Bool {
    guard let entityTag = server?.entityTag else { return false }
    return value == "*" || value.split(separator: ",").contains { $0.filter { $0 != " " } == entityTag }
  }

  /// Percent-encodes everything but what RFC 3986 leaves unreserved.
  private static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let character = Character(Unicode.Scalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
        result.append(character)
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}

extension WebRTCAnswerParameters {
  /// Names the ICE session (RFC 9725 section 4.3.1).
  var entityTag: String { "\"\(serverICE.usernameFragment)\"" }
}
