import CallAPI
import ControlWire
import MediaBase
import MediaSimulation
import Testing

/// The calls of the story. The host leaves the show alone while a call rings that it does not accept.
extension Story {
  func callWithVideo() throws { try acceptedCall(.video, "VideoCall") }

  func callWithAudio() throws { try acceptedCall(.audio, "AudioCall") }

  /// The host is away from the show during the call, without leaving it, and comes back.
  private func acceptedCall(_ type: CallType, _ name: String) throws {
    try begin(type)
    let absence = world.now
    host.update(Self.show, publish: TrackFlags.none)
    host.accept(caller.uid)
    try wait(atMost: .seconds(10), for: "the call connects") {
      host.callState == .connected && caller.callState == .connected
    }
    try talk(video: type == .video, since: world.now)
    checkEqual(host.revealedPeer, caller.uid, "whom the host hears")
    checkEqual(caller.revealedPeer, host.uid, "whom the caller hears")

    caller.hangUp(host.uid)
    try end(
      host: [
        ["calling/remote\(name)"], ["connecting/localAccepted"],
        ["connected/localAccepted", "connected/recvRemoteFirstFrame"], ["prepared/remoteHangup"],
      ],
      caller: [
        ["calling/local\(name)"], ["connecting/remoteAccepted"],
        ["connected/remoteAccepted", "connected/recvRemoteFirstFrame"], ["prepared/localHangup"],
      ])
    agreements.append(absence...world.now)
    absences.append(absence...world.now)
    host.update(Self.show, publish: Self.both)
    try watchShow(since: world.now)
  }

  private func talk(video: Bool, since begin: MediaInstant) throws {
    try wait(atMost: .seconds(5), for: "both see or hear each other") {
      flows(to: host, in: room, from: caller, since: begin, video: video)
        && flows(to: caller, in: room, from: host, since: begin, video: video)
    }
  }

  func rejectedCall() throws {
    try begin(.video)
    host.reject(caller.uid)
    try end(
      host: [["calling/remoteVideoCall"], ["prepared/localRejected"]],
      caller: [["calling/localVideoCall"], ["prepared/remoteRejected"]])
    try watchShow(since: world.now)
  }

  func cancelledCall() throws {
    try begin(.audio)
    caller.cancelCall()
    try end(
      host: [["calling/remoteAudioCall"], ["prepared/remoteCancelled"]],
      caller: [["calling/localAudioCall"], ["prepared/localCancelled"]])
  }

  /// Nobody answers.
  func forgottenCall() throws {
    try begin(.video, timeoutMilliseconds: 3_000)
    try end(
      host: [["calling/remoteVideoCall"], ["prepared/remoteCallingTimeout"]],
      caller: [["calling/localVideoCall"], ["prepared/callingTimeout"]])
    try watchShow(since: world.now)
  }

  /// The caller calls, the host rings.
  private func begin(_ type: CallType, timeoutMilliseconds: Int = 15_000) throws {
    roomCount += 1
    room = "room \(roomCount) of 4"
    host.prepare(room: "room \(roomCount) of 1", timeoutMilliseconds: 60_000)
    caller.prepare(room: room, timeoutMilliseconds: timeoutMilliseconds)
    host.callStates.removeAll()
    caller.callStates.removeAll()
    caller.call(host.uid, type: type)
    try wait(atMost: .seconds(8), for: "a call rings") { !host.callStates.isEmpty }
  }

  /// Both are prepared again, have left the room, and came there by these states; each step in one of these ways.
  private func end(host hostStates: [Set<String>], caller callerStates: [Set<String>]) throws {
    try wait(atMost: .seconds(8), for: "the call ends") {
      [host, caller].allSatisfy { $0.callState == .prepared && $0.connection(room) == nil }
        && host.callStates.count >= hostStates.count && caller.callStates.count >= callerStates.count
    }
    for (user, states) in [(host, hostStates), (caller, callerStates)] {
      let agrees = user.callStates.count == states.count && zip(user.callStates, states).allSatisfy { $1.contains($0) }
      check(agrees, "the states of \(user.uid) are \(user.callStates), not \(states)")
      check(user.callErrors.isEmpty, "errors of \(user.uid): \(user.callErrors)")
    }
  }
}
