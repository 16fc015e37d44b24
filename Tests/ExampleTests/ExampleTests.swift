import Foundation
import TestSupport
import Testing

/// Runs the example programs as a reader would.
@Suite(.serialized, .ownThread) struct ExampleTests {
  @Test(arguments: ["show-to-call", "showroom", "call-screen", "meeting"])
  func `every example plays its story to the end`(name: String) throws {
    let program = try #require(ProgramRun.built("examples"))
    let outcome = try ProgramRun.run(program, [name])
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.hasSuffix("\(name): done\n"), "\(outcome.text)")
  }
}
