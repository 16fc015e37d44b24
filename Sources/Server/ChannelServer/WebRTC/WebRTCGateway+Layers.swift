import ForwardingCore
import WebSocketIO

/// What a player receives of a video that comes in several encodings (the layer extension of draft-ietf-wish-whep).
extension WebRTCGateway {
  private struct Choice: Codable, Hashable, Sendable {
    var maxSpatialLayerId: Int?
    var maxTemporalLayerId: Int?
  }

  /// Takes the most that a player wants from now on; what its request leaves out is not limited.
  func choose(_ exchange: HTTPExchange, _ resource: String, _ path: WebRTCPath) {
    guard let session = session(exchange, resource, path), mayChange(session, exchange, "application/json") else {
      return
    }
    let choice: Choice
    do throws(ControlMessageError) {
      choice = try ControlMessageCoding.decode(Choice.self, from: exchange.request.body)
    } catch {
      return refuse(exchange)
    }
    guard choice.maxSpatialLayerId ?? 0 >= 0, choice.maxTemporalLayerId ?? 0 >= 0 else { return refuse(exchange) }
    func limit(_ number: Int?) -> UInt8 { number.map { UInt8(clamping: $0) } ?? .max }
    workers[session.worker].setTarget(
      LayerTarget(spatial: limit(choice.maxSpatialLayerId), temporal: limit(choice.maxTemporalLayerId)),
      of: session.client)
    exchange.respond(WebRTCResponse.done(200))
  }

  private func refuse(_ exchange: HTTPExchange) {
    exchange.respond(
      WebRTCResponse.refusal(400, "Send an object with maxSpatialLayerId, maxTemporalLayerId or both, from 0 on."))
  }
}
