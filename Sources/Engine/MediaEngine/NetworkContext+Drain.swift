import ControlWire
import EngineCore
import LinuxIO
import MediaBase
import WebSocketIO

extension NetworkContext {
  /// Does everything that a connection's core wants done after it was given something: datagrams first, since they are what
  /// somebody waits for.
  func drain(_ connection: ConnectionRuntime) {
    transmit(connection)
    while let event = connection.core.pollEvent() { handle(event, connection) }
    while let command = connection.core.pollControl() { perform(command, connection) }
    if connection.takeSendingChange() || connection.takeBitrateChange() { refreshTargets() }
    schedule(connection)
  }

  private func transmit(_ connection: ConnectionRuntime) {
    while true {
      var address: TransportAddress?
      let count = slab.write { output in
        address = connection.core.pollTransmit(into: &output)
      }
      guard let address else { return }
      openSocket(connection, family: address.family)
      if connection.destination != address {
        connection.destination = address
        connection.source = UDPSocket.sourceAddress(toward: address)
      }
      connection.socket?.send(slab.bytes(count), to: address)
    }
  }

  private func handle(_ event: ConnectionEvent, _ connection: ConnectionRuntime) {
    guard let runtime, let parts = runtime.parts.get() else { return }
    let handle = connection.handle
    switch event {
    case .videoFrame(let uid, let frame):
      let id = StreamID(connectionID: handle.id, uid: uid)
      if !parts.videoReceive.push(frame, stream: id, receiveTime: MonotonicClock.now()) {
        loop.post { [self] in requestKeyFrame(id) }
      }
      return
    case .audioPacket(let uid, let packet):
      parts.audioReceive.push(
        packet, stream: StreamID(connectionID: handle.id, uid: uid), receiveTime: MonotonicClock.now())
      return
    case .keyFrameNeeded where connection.video.isEncoded:
      guard connection.takeIntraRequest(now: MonotonicClock.now()) else { return }
      return runtime.tell(handle, .intraRequestReceived(handle.connection, trackID: connection.video.id))
    case .keyFrameNeeded:
      // The request goes first: a connection that begins is encoded for as soon as it is a target.
      parts.videoSend.requestKeyFrame(for: handle.id)
      if connection.takeSendingChange() { refreshTargets() }
      return
    case .lowKeyFrameNeeded: return parts.videoSend.requestKeyFrame(for: handle.id, isLow: true)
    case .statisticsDue: return reportStatistics(of: connection)
    case .userJoined(let uid, _): openStream(uid, connection, parts)
    case .userOffline(let uid, _): closeStream(uid, connection, parts, unbinds: true)
    case .remoteAudioState(let uid, let state, _, _):
      audioStateChanged(uid, state, connection, parts)
    case .stateChanged(.failed, _):
      closeStreams(connection)
      closeSocket(connection)
    default: break
    }
    runtime.report(event, of: handle) { statistics(of: connection) }
  }

  /// Notes when the core wants to be called, and sets the loop's one timer to the earliest of these times.
  func schedule(_ connection: ConnectionRuntime) {
    let timeout: MediaInstant? =
      connections[connection.handle.id] == nil
      ? nil : .earliest(connection.core.nextTimeout, connection.heldAudio.nextTime)
    guard timeout != connection.nextTimeout else { return }
    connection.nextTimeout = timeout
    setTimer()
  }

  func setTimer() {
    var earliest = volumeTime
    for connection in connections.values { earliest = .earliest(earliest, connection.nextTimeout) }
    guard earliest != timerTime else { return }
    timerTime = earliest
    loop.setTimer(at: earliest) { [weak self] in self?.timerFired() }
  }

  private func timerFired() {
    timerTime = nil
    let now = MonotonicClock.now()
    for connection in connections.values {
      guard let timeout = connection.nextTimeout, timeout <= now else { continue }
      connection.nextTimeout = nil
      sendHeldAudio(connection, now: now)
      connection.core.handleTimeout(now: now)
      drain(connection)
    }
    reportVolumesIfDue(now: now)
    setTimer()
  }
}
