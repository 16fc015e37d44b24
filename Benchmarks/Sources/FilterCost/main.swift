// What the engine's own video filter costs.
import BenchmarkSupport
import LinuxIO
import MediaBase
import PictureFilters
import SyntheticMedia

var report = BenchmarkReport("FilterCost")
let pattern = TestPattern(width: 1_280, height: 720)
let frames = (0..<30).map { pattern.frame(atSeconds: Double($0) / 30, captureTime: .zero) }
let filter = BeautyFilter(BeautyOptions(smoothnessLevel: 1, rednessLevel: 1, sharpnessLevel: 1))
var times: [Double] = []
for round in 0..<10 {
  for frame in frames {
    let begin = ProcessStatistics.currentThreadCPUTime()
    let result = filter.filter(frame)
    if round > 0 { times.append((ProcessStatistics.currentThreadCPUTime() - begin).seconds * 1_000) }
    if result.width != frame.width { report.fail("the filter made a picture of another size") }
  }
}
report.add("beauty filter, 1280x720, CPU per picture", times, "ms", p50Limit: 4)
report.finish()
