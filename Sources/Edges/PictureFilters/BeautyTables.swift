import Glibc
import MediaBase

/// What options mean for each value that a sample can have.
struct BeautyTables {
  /// Steps from "no skin" to "skin".
  static let shareCount = 8

  /// Added to Cr, and a third of it taken from Cb, by share of skin.
  let chroma: [Int16]

  /// `shareCount` curves over the difference to the blurred picture, -256 to 255.
  private let curves: [Int16]
  /// The brightness to show, by blurred value plus curve, -256 to 511.
  private let tone: [UInt8]
  private let shareOfU: [UInt8]
  private let shareOfV: [UInt8]

  init(_ options: BeautyOptions) {
    let smoothness = Self.level(options.smoothnessLevel)
    let sharpness = Self.level(options.sharpnessLevel)
    let redness = Self.level(options.rednessLevel)
    curves = (0..<Self.shareCount).flatMap { share in
      let skin = Double(share) / Double(Self.shareCount - 1)
      return (-256..<256).map { Self.curve(Double($0), smoothness: smoothness * skin, sharpness: sharpness) }
    }
    tone = Self.makeTone(lightening: Self.level(options.lighteningLevel), options.lighteningContrastLevel)
    chroma = (0..<Self.shareCount).map { Int16((redness * 18 * Double($0) / Double(Self.shareCount - 1)).rounded()) }
    // Where skin of every shade lies in BT.601, with soft borders.
    shareOfU = Self.window(from: 80, to: 125, border: 8)
    shareOfV = Self.window(from: 135, to: 172, border: 6)
  }

  /// 0 to 7.
  @inline(__always) func skinShare(u: UInt8, v: UInt8) -> Int { Int(min(shareOfU[Int(u)], shareOfV[Int(v)])) }

  /// The curves, 512 values for each share of skin, and the tones.
  func withCurves(_ body: (UnsafePointer<Int16>, UnsafePointer<UInt8>) -> Void) {
    curves.withUnsafeBufferPointer { curves in
      tone.withUnsafeBufferPointer { tone in
        guard let curves = curves.baseAddress, let tone = tone.baseAddress else { return }
        body(curves, tone)
      }
    }
  }

  private static func level(_ value: Double) -> Double { value.isFinite ? min(1, max(0, value)) : 0 }

  /// Differences up to 10 are structure, from 28 on edges.
  private static func curve(_ difference: Double, smoothness: Double, sharpness: Double) -> Int16 {
    let size = abs(difference)
    let structure = min(1, max(0, (28 - size) / 18))
    // The largest differences are sharp enough; more would only cut them off.
    let edge = size < 64 ? 1 : max(0, (160 - size) / 96)
    let factor = 1 - smoothness * structure + sharpness * 0.8 * edge * (1 - smoothness * structure)
    return Int16((difference * factor).rounded())
  }

  /// Black and white stay; what is between is lifted, and its slope is changed around the middle.
  private static func makeTone(lightening: Double, _ contrast: BeautyOptions.LighteningContrastLevel) -> [UInt8] {
    let slope = lightening * (Double(contrast.rawValue) - 1) * 0.35
    return (-256..<512).map { value in
      let x = min(1, max(0, (Double(value) - 16) / 219))
      guard lightening > 0 else { return UInt8(clamping: value) }
      let lifted = pow(x, 1 / (1 + 0.5 * lightening))
      // A cubic that leaves both ends and the middle where they are.
      let shaped = lifted + slope * (lifted - 0.5) * lifted * (1 - lifted) * 4
      return UInt8(clamping: Int((16 + 219 * min(1, max(0, shaped))).rounded()))
    }
  }

  private static func window(from low: Int, to high: Int, border: Int) -> [UInt8] {
    (0..<256).map { value in
      let outside = max(low - value, value - high, 0)
      return UInt8(max(0, (shareCount - 1) * (border - outside) / border))
    }
  }
}
