import ControlWire
import MediaBase

extension ConnectionCore {
  /// Takes over what a user says of its sending, and reports what has changed.
  mutating func setMediaState(_ state: UserMediaState?, published: TrackFlags, of uid: UInt) {
    let new = state ?? .assumed(of: published)
    guard let old = users[uid]?.mediaState, old != new else { return }
    users[uid]?.mediaState = new
    events.append(.userMediaState(uid: uid, from: old, to: new))
  }
}
