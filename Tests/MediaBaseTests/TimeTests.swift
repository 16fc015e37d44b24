import MediaBase
import Testing

@Suite("Instants and durations") struct TimeTests {
  private let never = MediaDuration(nanoseconds: .max)
  private let longAgo = MediaInstant(nanoseconds: .min)

  @Test("what does not fit stays at the end of the range, so that the order of times is kept")
  func saturation() {
    #expect(MediaInstant(nanoseconds: 1) + never > MediaInstant(nanoseconds: 1))
    #expect(MediaInstant(nanoseconds: -2) - never < MediaInstant(nanoseconds: -2))
    #expect(MediaInstant.zero - longAgo == never)
    #expect(longAgo - MediaInstant(nanoseconds: 1) == MediaDuration(nanoseconds: .min))
    #expect(never + .seconds(1) == never && .zero - never - .seconds(1) == MediaDuration(nanoseconds: .min))
    #expect(never * 2 == never && never * -2 == MediaDuration(nanoseconds: .min))
    #expect(MediaDuration(nanoseconds: .min) * -1 == never)
    for n: Int64 in [.max, .max / 1_000] {
      for make in [MediaDuration.milliseconds, MediaDuration.seconds as (Int64) -> MediaDuration] {
        #expect(make(n) == never && make(-n) == MediaDuration(nanoseconds: .min))
      }
    }
    #expect(MediaDuration.microseconds(.min) == MediaDuration(nanoseconds: .min))
  }

  @Test("fractions of seconds are rounded; those that are no number or too large do not trap")
  func fractions() {
    #expect(MediaDuration.seconds(0.5).nanoseconds == 500_000_000)
    #expect(MediaDuration.seconds(-1e-9 * 0.6).nanoseconds == -1)
    #expect(MediaDuration.seconds(1e300) == never && MediaDuration.seconds(.infinity) == never)
    #expect(MediaDuration.seconds(-.infinity).nanoseconds == .min)
    #expect(MediaDuration.seconds(.nan) == never)
    #expect(MediaDuration.seconds(9.3e9) == never && MediaDuration.seconds(9.2e9) < never)
    #expect(MediaDuration(nanoseconds: -1_999_999).milliseconds == -1)
  }

  @Test("the earliest of deadlines, of which any may be missing")
  func earliest() {
    let (early, late) = (MediaInstant(nanoseconds: 1), MediaInstant(nanoseconds: 2))
    #expect(MediaInstant.earliest(early, late) == early && MediaInstant.earliest(late, early) == early)
    #expect(MediaInstant.earliest(nil, late) == late && MediaInstant.earliest(late, nil) == late)
    #expect(MediaInstant.earliest(nil, nil) == nil)
  }
}
