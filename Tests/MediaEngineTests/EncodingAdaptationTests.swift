import MediaBase
import Testing

@testable import MediaEngine

@Suite struct EncodingAdaptationTests {
  private static let configuration = VideoEncoderConfiguration(width: 640, height: 360, frameRate: 30)
  private static var full: Int { configuration.effectiveBitrate }

  /// Plans a rate again and again for some seconds; the last plan.
  private func settle(
    _ adaptation: inout EncodingAdaptation, _ available: Int?, seconds: Int64, from now: inout MediaInstant
  ) -> EncodingAdaptation.Plan {
    let end = now + .seconds(seconds)
    var plan = adaptation.plan(available: available, now: now)
    while now < end {
      now = now + .milliseconds(100)
      plan = adaptation.plan(available: available, now: now)
    }
    return plan
  }

  @Test(
    "what is given up first where less is carried is what the preference says",
    arguments: [
      (DegradationPreference.quality, false, true), (.resolution, false, true), (.frameRate, true, false),
      (.balanced, true, true), (.automatic, true, true),
    ])
  func preference(_ preference: DegradationPreference, makesSmaller: Bool, makesFewer: Bool) {
    var configuration = Self.configuration
    configuration.degradationPreference = preference
    var adaptation = EncodingAdaptation(configuration: configuration)
    var now = MediaInstant.zero
    var last = settle(&adaptation, nil, seconds: 1, from: &now)
    #expect(last == EncodingAdaptation.Plan(scale: 1, frameRate: 30, bitrate: Self.full))
    // The worse the network, the less of it, step by step, down to the least.
    for available in stride(from: Self.full, through: 0, by: -10) {
      let plan = adaptation.plan(available: available, now: now)
      #expect(plan.scale <= last.scale && plan.frameRate <= last.frameRate && plan.bitrate <= max(available, 30))
      last = plan
    }
    #expect((last.scale < 1) == makesSmaller && (last.frameRate < 30) == makesFewer)
    #expect(last.scale >= 0.375 && last.frameRate >= 9)
    // Not at once better again, but in time all of it.
    #expect(adaptation.plan(available: Self.full, now: now).scale == last.scale)
    last = settle(&adaptation, Self.full, seconds: 20, from: &now)
    #expect(last == EncodingAdaptation.Plan(scale: 1, frameRate: 30, bitrate: Self.full))
  }

  @Test("a rate that swings around a step does not change the size back and forth")
  func swinging() {
    var adaptation = EncodingAdaptation(configuration: Self.configuration)
    var now = MediaInstant.zero
    var scales: [Double] = []
    for turn in 0..<600 {
      now = now + .milliseconds(100)
      scales.append(adaptation.plan(available: turn % 20 < 10 ? Self.full / 4 : Self.full / 2, now: now).scale)
    }
    #expect(zip(scales, scales.dropFirst()).count { $0 != $1 } <= 4)
  }
}
