import MediaEngine

/// What applications on one of the usual engines do, written for this one. Each example brings its own server and users,
/// plays its story and says what has come about; the tests run them all.
@main
struct Examples {
  static func main() async throws {
    let all: [(name: String, run: @Sendable () async throws -> Void)] = [
      ("show-to-call", ShowToCall.run), ("showroom", Showroom.run), ("call-screen", CallScreen.run),
      ("meeting", Meeting.run),
    ]
    let wanted = CommandLine.arguments.dropFirst()
    guard let example = all.first(where: { wanted == [$0.name] }) else {
      print("usage: examples \(all.map(\.name).joined(separator: "|"))")
      return
    }
    try await example.run()
    print("\(example.name): done")
  }
}
