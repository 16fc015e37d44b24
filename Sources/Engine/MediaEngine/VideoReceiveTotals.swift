/// Totals of one decoder.
struct VideoReceiveTotals: Sendable {
  var decodedFrames = 0
  var decodeSeconds: Double = 0
  var width = 0
  var height = 0
}
