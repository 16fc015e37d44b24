import CAllocationCounter
import ForwardingCore
import MediaBase
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

  @Test func theCounterCounts() {
    let before = allocation_counter_value()
    guard before >= 0 else { return }
    let array = [UInt8](repeating: 1, count: Int.random(in: 1_000...2_000))
    #expect(array.count > 0 && allocation_counter_value() > before)
  }
}
