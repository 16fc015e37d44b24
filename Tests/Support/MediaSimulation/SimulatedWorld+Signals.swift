import ChannelCore
import ControlWire
import MediaBase

extension SimulatedWorld {
  /// A signalling request has come to the server.
  func deliver(_ request: SignalRequest, of user: SimulatedUser, client: UInt64) {
    trace.add(client)
    server.signalUsers[client] = user
    server.signals.receive(request, from: client, now: now)
    while let delivery = server.signals.pollDelivery() {
      guard let receiver = server.signalUsers[delivery.client] else { continue }
      if let response = delivery.response {
        let time = receiver.signalDownlink.arrival(now: now, deadUntil: receiver.deadUntil)
        timeline.schedule(.signalToClient(receiver, client: delivery.client, response), at: time)
      }
      guard delivery.closesAfter else { continue }
      server.signalUsers[delivery.client] = nil
      server.signals.clientClosed(delivery.client, now: now)
    }
  }
}
