import ChannelCore
import EngineCore
import ForwardingCore
import MediaBase

extension SimulatedWorld {
  func deliverToServer(_ bytes: [UInt8], from source: TransportAddress) {
    trace.add(datagram: bytes)
    var bytes = bytes
    bytes.withUnsafeMutableBytes { server.shard.receive(datagram: $0, from: source, now: now) }
    finishServerTurn()
  }

  func deliverToClient(_ bytes: [UInt8], at address: TransportAddress) {
    guard let connection = connections[address] else { return }
    trace.add(datagram: bytes)
    var bytes = bytes
    bytes.withUnsafeMutableBytes {
      connection.core.receive(datagram: $0, from: SimulatedServer.address, now: now)
    }
    drain(connection)
  }

  /// Sends everything that the server wants sent.
  func finishServerTurn() {
    while let run = server.shard.drain(into: server.slab, now: now) {
      guard let connection = connections[run.destination] else { continue }
      for offset in stride(from: 0, to: run.byteCount, by: run.segmentSize) {
        let end = min(offset + run.segmentSize, run.byteCount)
        let datagram = [UInt8](UnsafeRawBufferPointer(rebasing: server.slab[offset..<end]))
        for time in connection.user.downlink.arrivals(byteCount: datagram.count, now: now) {
          timeline.schedule(.datagramToClient(datagram, at: connection.address), at: time)
        }
      }
    }
    while let delivery = server.shard.pollControl() { carryOut(delivery) }
    scheduleServerTimer()
  }

  /// Does everything that a connection's core wants done, in the order in which the engine does it.
  func drain(_ connection: SimulatedConnection) {
    transmit(connection)
    while let event = connection.core.pollEvent() { connection.user.handle(event, connection) }
    while let command = connection.core.pollControl() { perform(command, connection) }
    connection.user.refreshCapture(connection)
    scheduleTimer(connection)
  }

  private func transmit(_ connection: SimulatedConnection) {
    while true {
      var hasDatagram = false
      let datagram = [UInt8](unsafeUninitializedCapacity: 1_500) { buffer, count in
        let memory = UnsafeMutableRawBufferPointer(buffer)
        var output = OutputRawSpan(buffer: memory, initializedCount: 0)
        hasDatagram = connection.core.pollTransmit(into: &output) != nil
        count = output.finalize(for: memory)
      }
      guard hasDatagram else { return }
      for time in connection.user.uplink.arrivals(byteCount: datagram.count, now: now) {
        timeline.schedule(.datagramToServer(datagram, from: connection.address), at: time)
      }
    }
  }

  // A timer is planned when its owner wants it earlier than planned; one that fires too early is planned anew. So there
  // are few of them, however often deadlines move.

  private func scheduleServerTimer() {
    guard let next = server.shard.nextTimeout, server.timer.map({ next < $0 }) ?? true else { return }
    server.timer = next
    timeline.schedule(.serverTimer, at: next)
  }

  func serverTimerFired() {
    guard let timer = server.timer, timer <= now else { return }
    server.timer = nil
    if let next = server.shard.nextTimeout, next <= now { server.shard.handleTimeout(now: now) }
    finishServerTurn()
  }

  private func scheduleTimer(_ connection: SimulatedConnection) {
    guard let next = connection.core.nextTimeout, connection.timer.map({ next < $0 }) ?? true else { return }
    connection.timer = next
    timeline.schedule(.connectionTimer(connection), at: next)
  }

  func timerFired(_ connection: SimulatedConnection) {
    guard let timer = connection.timer, timer <= now else { return }
    connection.timer = nil
    if let next = connection.core.nextTimeout, next <= now { connection.core.handleTimeout(now: now) }
    drain(connection)
  }
}
