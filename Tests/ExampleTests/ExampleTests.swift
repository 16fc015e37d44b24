import Foundation
import Testing

/// Runs the example programs as a reader would.
@Suite(.serialized) struct ExampleTests {
  @Test(arguments: ["show-to-call", "showroom", "call-screen", "meeting"])
  func `every example plays its story to the end`(name: String) throws {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    // `swift test` runs the tests in a helper of the toolchain; the bundle is named on its command line.
    let places = [tests] + CommandLine.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    let program = try #require(
      places.map { $0.appendingPathComponent("examples") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) })
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = [name]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.hasSuffix("\(name): done\n"), "\(text)")
  }
}
