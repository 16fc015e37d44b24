import CAllocationCounter
import ForwardingCore
import MediaBase
import RTPWire
import SecureChannel
import Testing

@Suite struct AllocationTests {
  @Test(arguments: SRTPProtectionProfile.allCases)
  func forwardingAPacketAllocatesNothing(profile: SRTPProtectionProfile) {
    let room = TestRoom()
    let publisher = room.join(1, publishes: bothForwarded, profile: profile)
    for number in 2...21 as ClosedRange<UInt64> {
      // Half of them have every extension.
      let format = number % 2 == 0 ? ForwardedFormat() : ForwardedExtensions.all.format
      room.join(number, profile: profile, format: format)
      room.route(from: 1, to: number)
    }
    room.run(milliseconds: 20)
    publisher.sendPicture(isKey: true)
    publisher.sendAudio()
    room.turn()
    // Prepared beforehand: making datagrams is not what is measured.
    var datagrams: [[UInt8]] = []
    for _ in 0..<100 {
      datagrams += publisher.picture(isKey: false, packetCount: 8, byteCount: 1_000)
      publisher.sendAudio()
      datagrams += publisher.outgoing
      publisher.outgoing = []
    }
    let slab = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
    defer { slab.deallocate() }
    func turn(_ range: Range<Int>) {
      for position in range {
        datagrams[position].withUnsafeMutableBytes {
          room.core.receive(datagram: $0, from: publisher.address, now: room.now)
        }
      }
      while room.core.drain(into: slab, now: room.now) != nil {}
    }
    // The first turns fill lists whose memory stays.
    for start in 0..<10 { turn(start * 9..<start * 9 + 9) }
    let forwarded = room.core.statistics.forwardedPackets
    let before = allocation_counter_value()
    for start in 10..<100 { turn(start * 9..<start * 9 + 9) }
    let allocations = allocation_counter_value() - before
    #expect(room.core.statistics.forwardedPackets - forwarded == 90 * 9 * 20)
    #if !DEBUG
      // Unoptimised code takes memory for temporaries.
      #expect(allocations == 0)
    #endif
  }

  @Test func leavingOutTemporalLayersAllocatesNothing() {
    let bench = SimulcastRoom(layers: 3, temporalLayers: 3)
    for id in UInt64(2)..<12 { _ = bench.watch(id, LayerTarget(spatial: UInt8(id % 3), temporal: UInt8(id % 2))) }
    bench.run(milliseconds: 3_000)
    var datagrams: [[UInt8]] = []
    for _ in 0..<100 {
      bench.room.now = bench.room.now + .milliseconds(1)
      for position in 0..<3 {
        datagrams += bench.encoders[position].encode(at: bench.room.now, random: &bench.random).map {
          bench.publisher.sealed($0.0, elements: [], twoByte: false, payload: $0.1)
        }
      }
    }
    let slab = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 64)
    defer { slab.deallocate() }
    let before = bench.room.core.statistics.forwardedPackets
    let allocations = allocation_counter_value()
    for position in datagrams.indices {
      datagrams[position].withUnsafeMutableBytes {
        bench.room.core.receive(datagram: $0, from: bench.publisher.address, now: bench.room.now)
      }
      while bench.room.core.drain(into: slab, now: bench.room.now) != nil {}
    }
    let allocated = allocation_counter_value() - allocations
    #expect((500...1_200).contains(bench.room.core.statistics.forwardedPackets - before))
    #if !DEBUG
      #expect(allocated == 0)
    #else
      _ = allocated
    #endif
  }

  @Test(arguments: [1, 3])
  func whatGoesOnBesideMediaAllocatesNothing(layers: Int) throws {
    let bench = DownlinkRoom(layers: layers, seed: 2) { $0.format.wantsTransportFeedback = true }
    bench.simulcast.numbersPackets = true
    bench.simulcast.sendsReports = true
    // Worse than later: lists take their memory, and keep it. Paths are probed meanwhile.
    bench.simulcast.uplinkLoss = 0.06
    bench.simulcast.uplinkReordering = 0.06
    var format = ForwardedFormat()
    format.wantsDownlinkReport = true
    for id in 2..<12 as Range<UInt64> { bench.watch(id, bitsPerSecond: 50_000_000, format: format) }
    try goOn(bench, rounds: 30)
    bench.simulcast.uplinkLoss = 0.02
    bench.simulcast.uplinkReordering = 0.02
    let before = bench.room.allocations
    let statistics = bench.room.core.statistics
    try goOn(bench, rounds: 20)
    let after = bench.room.core.statistics
    // It has gone on.
    #expect(after.forwardedPackets - statistics.forwardedPackets > 5_000)
    #expect(after.retransmittedPackets - statistics.retransmittedPackets > 300)
    #expect(after.recoveredPackets > statistics.recoveredPackets)
    #expect(after.keyFrameRequests > statistics.keyFrameRequests)
    #expect(bench.simulcast.layer() == layers - 1)
    let allocated = bench.room.allocations - before
    #if !DEBUG
      #expect(allocated == 0)
    #else
      _ = allocated
    #endif
  }

  /// Half a second of media a round, after which the viewers miss packets, report, and want a key frame.
  private func goOn(_ bench: DownlinkRoom, rounds: Int) throws {
    for _ in 0..<rounds {
      bench.run(seconds: 0.5)
      for (id, viewer) in bench.simulcast.viewers {
        let newest = try #require(viewer.seen.last { $0.header.ssrc == video }?.header.sequenceNumber)
        viewer.sendNACK(video, [newest &- 3, newest])
        let block = RTCPReportBlock(
          ssrc: video, fractionLost: 0, cumulativeLost: 0, extendedHighestSequenceNumber: UInt32(newest), jitter: 1,
          lastSenderReport: 0, delaySinceLastSenderReport: 0)
        viewer.sendRTCP { _ = RTCPReport(ssrc: viewer.id32, blocks: [block]).write(into: &$0) }
        if id == 5 { viewer.sendPLI(video) }
      }
    }
  }

  @Test func theCounterCounts() {
    let before = allocation_counter_value()
    guard before >= 0 else { return }
    let array = [UInt8](repeating: 1, count: Int.random(in: 1_000...2_000))
    #expect(array.count > 0 && allocation_counter_value() > before)
  }
}
