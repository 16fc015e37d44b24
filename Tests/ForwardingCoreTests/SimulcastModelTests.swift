import ForwardingCore
import MediaBase
import RTPWire
import Testing

@Suite struct SimulcastModelTests {
  /// Every viewer's video can be decoded without a hole, whatever is chosen when.
  @Test(arguments: 1...UInt64(16)) func viewersGetOneContinuousDecodableStream(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let bench = SimulcastRoom(
      layers: seed % 4 == 0 ? 1 : 3, temporalLayers: Int(seed % 3) + 1, seed: seed &* 7_919)
    if seed % 2 == 0 { bench.uplinkLoss = 0.04 }
    if seed % 5 < 2 { bench.uplinkReordering = 0.1 }
    bench.sendsReports = seed % 3 != 0
    for position in bench.encoders.indices {
      bench.encoders[position].packetCount = Int.random(in: 1...4, using: &random)
    }
    let viewers = [bench.watch(2), bench.watch(3, .smallest)]
    for _ in 0..<60 {
      for id: UInt64 in [2, 3] where Bool.random(using: &random) {
        bench.setTarget(
          LayerTarget(
            spatial: UInt8.random(in: 0...3, using: &random), temporal: UInt8.random(in: 0...3, using: &random)), of: id
        )
      }
      if Int.random(in: 0..<5, using: &random) == 0, bench.encoders.count > 1 {
        let position = Int.random(in: 0..<3, using: &random)
        if bench.stopped.isEmpty { bench.stopped = [position] } else { bench.stopped = [] }
      }
      bench.run(milliseconds: Int.random(in: 1...80, using: &random) * 5)
    }
    bench.uplinkLoss = 0
    bench.uplinkReordering = 0
    bench.setTarget(.best, of: 2)
    bench.setTarget(.smallest, of: 3)
    bench.stopped = []
    bench.run(milliseconds: 4_000)
    for (viewer, layer) in zip(viewers, [UInt8(bench.encoders.count - 1), 0]) {
      let pictures = VideoCheck(viewer).pictures(toleratesHolesBeforeKeyFrames: seed % 2 == 0 || seed % 5 < 2)
      #expect(pictures.count > 100)
      #expect(pictures.suffix(20).allSatisfy { $0.layer == layer })
      // All temporal layers again.
      #expect(Set(pictures.suffix(20).map(\.temporalID)).count == bench.encoders[0].temporalLayers)
      #expect(viewer.rejectedCount == 0)
      #expect(viewer.seen.allSatisfy { $0.header.ssrc == video || $0.header.ssrc == videoRTX })
    }
  }

  /// mediasoup issue 1009: a late packet above the limit is left out and leaves no hole.
  @Test func latePacketsOfALayerThatIsLeftOutLeaveNoHole() {
    let bench = SimulcastRoom(layers: 1, temporalLayers: 3)
    let viewer = bench.watch(2, LayerTarget(spatial: 0, temporal: 0))
    bench.run(milliseconds: 300)
    bench.uplinkReordering = 0.5
    bench.run(milliseconds: 5_000)
    bench.uplinkReordering = 0
    bench.run(milliseconds: 500)
    let pictures = VideoCheck(viewer).pictures()
    #expect(pictures.allSatisfy { $0.temporalID == 0 })
    #expect((35...60).contains(pictures.count))
    #expect(viewer.seen(videoRTX).isEmpty || VideoCheck(viewer).missing.isEmpty)
  }
}
