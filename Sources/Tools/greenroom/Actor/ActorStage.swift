import CallAPI
import MediaBase
import MediaEngine
import PictureFiles

/// A participant who does what instructions say and reports what happens.
final class ActorStage: Sendable {
  let participant: CallParticipant
  private let output: ActorOutput
  private let log: ReceptionLog
  private let relay: ActorRelay

  init(uid: UInt, configuration: RTCEngineConfiguration, output: ActorOutput) {
    self.output = output
    relay = ActorRelay(output)
    participant = CallParticipant(uid: uid, engine: configuration, delegate: relay) { output.send($0) }
    log = ReceptionLog { kind, channel, uid in output.send(ActorReport(kind, channel: channel, uid: uid)) }
    log.attach(to: participant.engine)
  }

  /// Does it and returns when it is done; what was written, for snapshots.
  func perform(_ instruction: ActorInstruction) throws(CommandError) -> [ActorReport.Snapshot]? {
    switch instruction.action {
    case .logIn: try participant.logIn()
    case .prepare:
      try participant.prepare(
        room: need(instruction.channel), timeoutMilliseconds: instruction.timeoutMilliseconds ?? 15_000)
    case .joinLive: try joinLive(need(instruction.channel), asHost: instruction.isHost == true)
    case .leaveLive: try check(participant.engine.leaveChannel(), "leaving")
    case .publish: try publish(true)
    case .unpublish: try publish(false)
    case .call, .accept, .reject, .cancel, .hangUp: try call(instruction)
    case .snapshot: return try writeSnapshots(need(instruction.path))
    case .writeLog: try JSONFile.write(log.records, to: need(instruction.path))
    case .quit: break
    }
    return nil
  }

  private func joinLive(_ channel: String, asHost publishes: Bool) throws(CommandError) {
    let options = ChannelMediaOptions(
      publishCameraTrack: publishes, publishMicrophoneTrack: publishes,
      clientRoleType: publishes ? .broadcaster : .audience)
    try check(
      participant.engine.joinChannel(token: nil, channelID: channel, uid: participant.uid, options: options), "joining")
  }

  private func publish(_ isOn: Bool) throws(CommandError) {
    let options = ChannelMediaOptions(publishCameraTrack: isOn, publishMicrophoneTrack: isOn)
    try check(participant.engine.updateChannelMediaOptions(options), "changing what is published")
  }

  private func call(_ instruction: ActorInstruction) throws(CommandError) {
    let calls = participant.calls
    let peer = try need(instruction.peer)
    try participant.check("\(instruction.action) failed") { completion in
      switch instruction.action {
      case .call:
        let type: CallType = instruction.isAudioOnly == true ? .audio : .video
        calls.call(remoteUserID: peer, callType: type, completion: completion)
      case .accept: calls.accept(remoteUserID: peer, completion: completion)
      case .reject: calls.reject(remoteUserID: peer, completion: completion)
      case .cancel: calls.cancelCall(completion: completion)
      default: calls.hangup(remoteUserID: peer, completion: completion)
      }
    }
  }

  private func writeSnapshots(_ path: String) throws(CommandError) -> [ActorReport.Snapshot] {
    var snapshots: [ActorReport.Snapshot] = []
    for (index, picture) in log.picturesNow(localUID: participant.uid).enumerated() {
      let file = "\(path)-\(index).png"
      do throws(MediaDeviceError) { try PNGFile.write(picture.frame, to: file) } catch {
        throw .failure(error.description)
      }
      snapshots.append(ActorReport.Snapshot(path: file, channel: picture.channel, uid: picture.uid))
    }
    return snapshots
  }

  private func check(_ code: Int, _ what: String) throws(CommandError) {
    if code != 0 { throw .failure("\(what) failed with \(code)") }
  }

  private func need<Value>(_ value: Value?) throws(CommandError) -> Value {
    guard let value else { throw .failure("The instruction lacks something.") }
    return value
  }
}
