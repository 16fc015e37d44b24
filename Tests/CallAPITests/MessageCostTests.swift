import ControlWire
import MediaBase
import Testing

@testable import CallAPI

/// What reading a stranger's text may cost, counted in looks at its bytes.
@Suite("What reading messages costs")
struct MessageCostTests {
  private static func nested(_ inner: String, _ depth: Int) -> String {
    String(repeating: "[", count: depth) + inner + String(repeating: "]", count: depth)
  }

  private static func repeated(_ value: String) -> String {
    [String](repeating: value, count: 31_000 / (value.utf8.count + 1)).joined(separator: ",")
  }

  /// Extensions as long as a text may be: flat, deep, of many values, of one; and such that are refused in the end.
  private static let extensions = [
    #"{"x":"\#(String(repeating: "x", count: 31_000))"}"#, #"{"x":[\#(repeated("{}"))]}"#,
    #"{"a":\#(nested(repeated("{}"), 28))}"#, #"{"a":\#(nested(repeated("[[1]]"), 20))}"#,
    #"{"a":\#(nested(repeated("1.5e3"), 28))}"#, #"{"x":[\#(repeated(#""\u00e9""#))]}"#,
    #"{"x":\#(nested("1", 15_500))}"#, #"{"x":[\#(repeated(nested("0", 29)))]}"#,
    #"{"x":"# + String(repeating: #"{"a":"#, count: 6_000), #"{"x":\#(String(repeating: "9", count: 31_000))}"#,
    #"{\#(repeated(#""k":null"#))}"#, #"{"x":[\#(repeated("{}"))"#,
  ]

  @Test("a byte costs the same whatever it is part of", arguments: extensions)
  func shapes(_ text: String) {
    let text = messageText(more: #","fromRoomId":"R","fromUserExtension":\#(text)"#)
    var reader = JSONReader(text)
    _ = try? CallMessage(reading: &reader)
    // Passed over, then read: each time looked at for what it begins and what it ends.
    #expect(reader.lookCount < 10 * text.utf8.count, "\(Double(reader.lookCount) / Double(text.utf8.count))")
    #expect(reader.lookCount >= text.utf8.count / 2)
  }

  @Test("what is no message costs no more than passing over what its sender adds")
  func refused() {
    let added = #"{"x":[\#(Self.repeated("{}"))]}"#
    func looks(_ action: String) -> Int {
      var reader = JSONReader(messageText(action: action, more: #","fromUserExtension":\#(added)"#))
      _ = try? CallMessage(reading: &reader)
      return reader.lookCount
    }
    #expect(looks("5") * 3 < looks("0") * 2)
  }

  @Test("numbers are whole if their value is; texts come with all their escapes; of members twice the last counts")
  func values() throws {
    func added(_ value: String) throws -> JSONValue? {
      try CallMessage(text: messageText(more: #","fromUserExtension":{"x":\#(value)}"#)).fromUserExtension?["x"]
    }
    #expect(try added("1.0") == 1 && added("-0") == 0 && added("1e3") == 1_000 && added("25e-1") == .number(2.5))
    #expect(try added("9223372036854775807") == .integer(.max) && added("9223372036854775808") == .number(0x1p63))
    #expect(try added(#""\"\\\/\b\f\n\r\t\u00E9\ud83d\ude00鹿""#) == .string("\"\\/\u{8}\u{C}\n\r\té😀鹿"))
    #expect(try added(#"1,"x":[ true , false,null ]"#) == .array([.bool(true), .bool(false), .null]))
    for wrong in [
      "01", "1.", ".5", "+1", "1e", "1e999", "-", "tru", "nul", "[1,]", "[,1]", "[1 2]", #"{"a"}"#, #"{"a":}"#,
      #"{"a":1,}"#, "{1:2}", #""\x""#, #""\u12g4""#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, "\"\n\"", "\"", "",
      "'a'",
    ] {
      #expect(throws: (any Error).self, "\(wrong)") { try added(wrong) }
    }
  }
}
