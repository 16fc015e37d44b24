import ControlWire
import WebRTCNegotiation
import WebSocketIO

/// A publisher by WebRTC mutes its microphone or camera: the others are told, as of native users.
extension WebRTCGateway {
  private struct Mutes: Codable, Hashable, Sendable {
    var muteAudio: Bool?
    var muteVideo: Bool?
  }

  /// Takes what is muted from now on; what a request leaves out stays as it is.
  func mute(_ exchange: HTTPExchange, _ resource: String, _ path: WebRTCPath) {
    guard let session = session(exchange, resource, path), mayChange(session, exchange, "application/json") else {
      return
    }
    guard let wanted = try? ControlMessageCoding.decode(Mutes.self, from: exchange.request.body),
      wanted.muteAudio != nil || wanted.muteVideo != nil
    else {
      return exchange.respond(
        WebRTCResponse.refusal(400, "Send an object with muteAudio, muteVideo or both, true or false."))
    }
    var muted = session.muted
    muted.audio = wanted.muteAudio ?? muted.audio
    muted.video = wanted.muteVideo ?? muted.video
    session.muted = muted
    let offered = session.offer.publishes
    let publish = TrackFlags(audio: offered.audio && !muted.audio, video: offered.video && !muted.video)
    workers[session.worker].receive(
      .update(UpdateRequest(requestID: 0, publish: publish, mediaState: .assumed(of: publish))), from: session.client)
    exchange.respond(WebRTCResponse.done(200))
  }
}
