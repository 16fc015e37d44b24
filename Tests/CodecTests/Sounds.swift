import Foundation
import MediaBase
import SyntheticMedia

/// Likeness of two sounds, -1 ... 1.
func correlation(_ a: ArraySlice<Int16>, _ b: ArraySlice<Int16>) -> Double {
  var (ab, aa, bb) = (0.0, 0.0, 0.0)
  for (x, y) in zip(a, b) {
    ab += Double(x) * Double(y)
    aa += Double(x) * Double(x)
    bb += Double(y) * Double(y)
  }
  return aa > 0 && bb > 0 ? ab / (aa * bb).squareRoot() : 0
}

/// Root mean square in sample units.
func loudness(_ samples: some Collection<Int16>) -> Double {
  (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))).squareRoot()
}

/// A signal in pieces of 20 ms.
func pieces(of signal: ToneSignal, count: Int, channelCount: Int = 1) -> [[Int16]] {
  var generator = ToneGenerator(signal: signal)
  return (0..<count).map { _ in generator.next(frameCount: 960, channelCount: channelCount) }
}
