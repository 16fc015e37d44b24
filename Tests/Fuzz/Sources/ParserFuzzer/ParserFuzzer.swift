import Glibc

/// The parser that this process fuzzes: the environment variable FUZZ_PARSER names it.
private let parser: FuzzedParser = {
  let name = getenv("FUZZ_PARSER").map { String(cString: $0) } ?? ""
  guard let parser = FuzzedParser(rawValue: name) else {
    let names = FuzzedParser.allCases.map(\.rawValue).joined(separator: ", ")
    print("FUZZ_PARSER is '\(name)', but must be one of \(names).")
    exit(64)
  }
  return parser
}()

/// Called by libFuzzer with each input. A parser that traps ends the process, and the input is kept.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  parser.run(Array(UnsafeBufferPointer(start: data, count: size)))
  return 0
}
