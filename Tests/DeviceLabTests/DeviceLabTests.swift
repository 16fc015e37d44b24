import Foundation
import TestSupport
import Testing

@testable import DeviceLab

/// Camera and sound on a guest with virtual ones (`Tests/DeviceLab/guest`): one boot for all cases. Runs with `DEVICE_LAB=1`
/// only, as the last step of `make test`.
@Suite(.enabled(if: GuestRun.isWanted), .ownThread) struct DeviceLabTests {
  @Test(arguments: LabCase.allCases)
  func device(_ labCase: LabCase) async throws {
    let report = await GuestRun.shared.report()
    guard let result = report.results["\(labCase)"] else {
      Issue.record("\(labCase.rawValue): no result. The guest said:\n\(report.output.suffix(3_000))")
      return
    }
    #expect(result.hasPassed, "\(labCase.rawValue): \(result.detail)")
  }
}
