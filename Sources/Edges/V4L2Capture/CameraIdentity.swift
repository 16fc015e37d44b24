import CV4L2

/// What a camera is known by when it comes back under another number: where it is plugged in, and its name.
struct CameraIdentity: Equatable {
  var bus: String
  var card: String

  init(bus: String, card: String) {
    self.bus = bus
    self.card = card
  }

  init(_ capability: v4l2_capability) { self.init(bus: capability.busName, card: capability.cardName) }
}
