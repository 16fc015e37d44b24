import CallAPI
import EngineCore
import MediaBase
import MediaSimulation

/// What a failure tells about the world, for whoever looks for the cause.
extension Story {
  var circumstances: String {
    everybody.map { user in
      let connections = user.presentConnections.map { connection in
        let sending = (connection.isSendingVideo ? " video" : "") + (connection.isSendingAudio ? " audio" : "")
        let senders = everybody.map(\.uid).filter { $0 != user.uid }
        let recent = senders.map { uid in
          "\(uid): \(count(user, connection, uid, isVideo: true)) pictures,"
            + " \(count(user, connection, uid, isVideo: false)) sounds"
        }
        return "    \(connection.channel): \(connection.states), sees \(connection.visibleUsers.sorted()),"
          + " sends\(sending), got in the last second of \(recent.joined(separator: "; ")),"
          + " video states \(connection.videoStates.suffix(6))"
      }
      return "  \(user.uid) up \(user.network.up), down \(user.network.down), calls \(user.callStates)\n"
        + connections.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func count(_ user: SimulatedUser, _ connection: SimulatedConnection, _ uid: UInt, isVideo: Bool) -> Int {
    user.received.count(
      channel: connection.channel, uid: uid, isVideo: isVideo, arrivedAfter: world.now - .milliseconds(1_000))
  }
}
