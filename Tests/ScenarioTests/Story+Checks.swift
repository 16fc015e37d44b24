import EngineCore
import MediaBase
import MediaSimulation
import Testing

/// What must be true of the whole story.
extension Story {
  /// Nobody has left or rejoined the show, and all have been told what happened there.
  func checkShowConnections() {
    for user in everybody {
      guard let connection = user.connection(Self.show) else {
        check(false, "\(user.uid) is not in the show any more")
        continue
      }
      checkEqual(connection.states, ["connecting/connecting", "connected/joinSuccess"], "states of \(user.uid)")
      checkEqual(connection.errors, [], "errors of \(user.uid)")
      checkEqual(connection.visibleUsers, user === host ? [] : [host.uid], "users whom \(user.uid) can see")
      guard user !== host else { continue }
      let begin = ["starting/internal", "decoding/remoteUnmuted"]
      checkEqual(
        connection.calmVideoStates(of: host.uid),
        begin + absences.flatMap { _ in ["stopped/remoteMuted"] + begin }, "the show's video states at \(user.uid)")
    }
  }

  /// Nobody has got what is not meant for them, or anything broken.
  func checkMedia() {
    for user in everybody {
      checkEqual(user.received.damagedCount, 0, "frames that came damaged to \(user.uid)")
      checkEqual(user.received.undecodableCount, 0, "pictures that \(user.uid) could not decode")
    }
    for user in watchers {
      let secret = user.received.frames.filter { frame in
        frame.channel == Self.show && absences.contains { $0.contains(frame.captureTime) }
      }
      checkEqual(secret.count, 0, "what \(user.uid) got in the show of the host's calls")
    }
    for user in viewers {
      checkEqual(Set(user.received.frames.map(\.uid)), [host.uid], "the senders of what \(user.uid) got")
      checkEqual(Set(user.received.frames.map(\.channel)), [Self.show], "the channels of what \(user.uid) got")
    }
    // Whoever calls is not shown the other side before it has accepted.
    let early = caller.received.frames.filter { frame in
      frame.channel != Self.show && !agreements.contains { $0.contains(frame.captureTime) }
    }
    checkEqual(early.count, 0, "what the caller got of the host without its consent")
  }
}
