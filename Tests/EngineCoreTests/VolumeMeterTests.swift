import EngineCore
import Foundation
import MediaBase
import Testing

@Suite struct VolumeMeterTests {
  private let start = MediaInstant(nanoseconds: 0)

  @Test func `a report names the three loudest, loudest first`() {
    var meter = VolumeMeter()
    for (uid, volume) in [(UInt(1), 40), (2, 200), (3, 90), (4, 150), (5, 10)] {
      meter.add(volume, of: uid, now: start)
    }
    let report = meter.report(smooth: 0, now: start)
    #expect(report.speakers.map(\.uid) == [2, 4, 3])
    #expect(report.speakers.map(\.volume) == [200, 150, 90])
    #expect(report.total == 255)
    #expect(report.newActiveSpeaker == 2)
  }

  @Test func `the active speaker is told when it changes, and silence is nobody's turn`() {
    var meter = VolumeMeter()
    var changes: [UInt] = []
    for (uid, volume) in [(UInt(1), 100), (1, 120), (2, 90), (2, 5), (1, 5), (2, 80)] {
      meter.add(volume, of: uid, now: start)
      if let changed = meter.report(smooth: 0, now: start).newActiveSpeaker { changes.append(changed) }
    }
    #expect(changes == [1, 2])
  }

  @Test func `who has been silent for twenty seconds is left out, and comes back with sound`() {
    var meter = VolumeMeter()
    meter.add(100, of: 1, now: start)
    for second in 1..<20 {
      meter.add(0, of: 1, now: start + .seconds(Int64(second)))
      #expect(meter.report(smooth: 0, now: start + .seconds(Int64(second))).speakers.map(\.uid) == [1])
    }
    #expect(meter.report(smooth: 0, now: start + .seconds(20)).speakers.isEmpty)
    meter.add(50, of: 1, now: start + .seconds(21))
    #expect(meter.report(smooth: 0, now: start + .seconds(21)).speakers.map(\.volume) == [50])
  }

  @Test func `smoothing follows slower the larger it is`() {
    var volumes: [Int] = []
    for smooth in [0, 3, 10] {
      var meter = VolumeMeter()
      for _ in 0..<3 { meter.add(200, of: 1, now: start) }
      volumes.append(meter.report(smooth: smooth, now: start).speakers.first?.volume ?? 0)
    }
    #expect(volumes == [200, 50, 18])
  }

  @Test(arguments: [80.0, 120, 200, 310, 450]) func `a voice's pitch is found within three percent`(hertz: Double) {
    let samples = (0..<1_920).map { index -> Int16 in
      let phase = 2 * Double.pi * hertz * Double(index) / 48_000
      return Int16(6_000 * sin(phase) + 3_000 * sin(2 * phase) + 1_500 * sin(3 * phase))
    }
    let pitch = PitchEstimator.pitch(of: samples)
    #expect(abs(pitch - hertz) < hertz * 0.03, "\(pitch)")
  }

  @Test func `noise, silence and too little have no pitch`() {
    var random = SeededRandom(seed: 3)
    let noise = (0..<1_920).map { _ in Int16(truncatingIfNeeded: random.next() & 0x1FFF) - 0x1000 }
    #expect(PitchEstimator.pitch(of: noise) == 0)
    #expect(PitchEstimator.pitch(of: [Int16](repeating: 0, count: 1_920)) == 0)
    #expect(PitchEstimator.pitch(of: [Int16](repeating: 9_000, count: 100)) == 0)
    #expect(PitchEstimator.pitch(of: []) == 0)
  }
}
