import MediaBase
import STUNWire
import Testing

private let password = "VOkJxbRl1RmTxUk/WvJxBt"
private let transactionID = STUNTransactionID(high: 0xB7E7_A701, low: 0xBC34_D686_FA87_DFAE)

/// RFC 5769 sections 2.1, 2.2 and 2.3.
private let sampleRequest = bytes(
  "000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74002400046e0001ff80290008932ff9b1"
    + "51263b36000600096576746a3a68367659202020000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf")
private let sampleIPv4Response = bytes(
  "0101003c2112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220002000080001a147e112a643000800142b91f599"
    + "fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96")
private let sampleIPv6Response = bytes(
  "010100482112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220002000140002a1470113a9faa5d3f179bc25f4b5"
    + "bed2b9d900080014a382954e4be67bf11784c97c8292c275bfe3ed4180280004c8fb0b4c")

private func bytes(_ hexadecimal: String) -> [UInt8] {
  let digits = hexadecimal.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

private func parse(_ bytes: [UInt8]) throws(STUNParseError) -> STUNMessage {
  try STUNMessage(parsing: bytes.span.bytes)
}

private func verify(_ bytes: [UInt8], password: String = password) throws(STUNParseError) -> Bool {
  try parse(bytes).verifyIntegrity(of: bytes.span.bytes, password: password, hmacSHA1: hmacSHA1)
}

/// The encoded message, or `nil` if it does not fit into `capacity` bytes.
private func encode(_ builder: STUNMessageBuilder, capacity: Int = 512) -> [UInt8]? {
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 8)
  defer { buffer.deallocate() }
  var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
  let fits = builder.write(into: &output)
  let count = output.finalize(for: buffer)
  return fits ? Array(buffer[0..<count]) : nil
}

@Test func sampleRequestOfRFC5769() throws {
  let message = try parse(sampleRequest)
  #expect(message.messageClass == .request)
  #expect(message.method == STUNMessage.bindingMethod)
  #expect(message.transactionID == transactionID)
  #expect(message.username(in: sampleRequest.span.bytes) == "evtj:h6vY")
  #expect(message.priority == 0x6E00_01FF)
  #expect(message.iceControlled == 0x932F_F9B1_5126_3B36)
  #expect(message.iceControlling == nil)
  #expect(!message.useCandidate)
  #expect(message.hasFingerprint)
  #expect(message.unknownRequiredAttributes.isEmpty)
  #expect(try verify(sampleRequest))
  #expect(try !verify(sampleRequest, password: "VOkJxbRl1RmTxUk/WvJxBu"))
}

@Test func sampleResponsesOfRFC5769() throws {
  let ipv4 = try parse(sampleIPv4Response)
  #expect(ipv4.messageClass == .successResponse)
  #expect(ipv4.xorMappedAddress == TransportAddress(host: "192.0.2.1", port: 32853))
  #expect(try verify(sampleIPv4Response))
  let ipv6 = try parse(sampleIPv6Response)
  #expect(ipv6.xorMappedAddress == TransportAddress(host: "2001:db8:1234:5678:11:2233:4455:6677", port: 32853))
  #expect(try verify(sampleIPv6Response))
}

@Test func everyTruncationIsAnError() {
  for sample in [sampleRequest, sampleIPv4Response, sampleIPv6Response] {
    for count in 0..<sample.count {
      #expect(throws: count < 20 ? STUNParseError.truncated : .lengthMismatch) { try parse(Array(sample[..<count])) }
    }
  }
}

@Test func truncationWithAMatchingLengthFieldIsNeverAuthentic() {
  for count in stride(from: 20, to: sampleRequest.count - 8, by: 4) {
    var cut = Array(sampleRequest[..<count])
    cut[3] = UInt8(count - 20)
    #expect((try? verify(cut)) != true)
  }
}

@Test func everyBitFlipIsRefused() {
  for sample in [sampleRequest, sampleIPv6Response] {
    for bit in 0..<sample.count * 8 {
      var flipped = sample
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      // A flip in the type of FINGERPRINT hides it, but it is not covered by MESSAGE-INTEGRITY.
      if (sample.count - 8..<sample.count - 6).contains(bit / 8) {
        #expect((try? parse(flipped))?.hasFingerprint != true)
      } else {
        #expect(throws: STUNParseError.self) { try parse(flipped) }
      }
    }
  }
}

@Test func builtRequestIsParsedAndAuthentic() throws {
  var builder = STUNMessageBuilder(.request, transactionID: transactionID)
  builder.add(username: "server:client")
  builder.add(priority: 77)
  builder.add(iceControlling: 0x0102_0304_0506_0708)
  builder.addUseCandidate()
  builder.addMessageIntegrity(password: password, hmacSHA1: hmacSHA1)
  builder.addFingerprint()
  let encoded = try #require(encode(builder))
  let message = try parse(encoded)
  #expect(message.username(in: encoded.span.bytes) == "server:client")
  #expect(message.priority == 77)
  #expect(message.iceControlling == 0x0102_0304_0506_0708)
  #expect(message.useCandidate)
  #expect(message.hasFingerprint)
  #expect(try verify(encoded))
  #expect(encode(builder, capacity: builder.byteCount - 1) == nil)
}

@Test(arguments: ["192.0.2.1", "2001:db8::7"]) func builtAddressIsReadBack(host: String) throws {
  let address = try #require(TransportAddress(host: host, port: 40000))
  var builder = STUNMessageBuilder(.successResponse, transactionID: transactionID)
  builder.add(xorMappedAddress: address)
  #expect(try parse(#require(encode(builder))).xorMappedAddress == address)
}

@Test func builtErrorIsReadBack() throws {
  var builder = STUNMessageBuilder(.errorResponse, method: 0xABC, transactionID: transactionID)
  builder.add(errorCode: .roleConflict)
  builder.add(unknownAttributes: [0x7777, 0x0030, 0x1234])
  let message = try parse(#require(encode(builder)))
  #expect(message.messageClass == .errorResponse)
  #expect(message.method == 0xABC)
  #expect(message.errorCode == .roleConflict)
  #expect(message.unknownAttributes == [0x7777, 0x0030, 0x1234])
  #expect(!message.hasMessageIntegrity)
}

@Test func unknownRequiredAttributesAreListed() throws {
  let message = try parse(bytes("000100102112a442b7e7a701bc34d686fa87dfae7777000401020304f777000401020304"))
  #expect(message.unknownRequiredAttributes == [0x7777])
}

/// Attributes behind MESSAGE-INTEGRITY are not protected, and do not count (RFC 8489 section 14.5).
@Test func attributesBehindTheIntegrityAreIgnored() throws {
  var builder = STUNMessageBuilder(.request, transactionID: transactionID)
  builder.add(username: "server:client")
  builder.addMessageIntegrity(password: password, hmacSHA1: hmacSHA1)
  let plain = try #require(encode(builder))
  for (attribute, isWellFormed) in [
    ([0x00, 0x25, 0, 0] as [UInt8], true), ([0x77, 0x77, 0, 4, 1, 2, 3, 4], true),
    ([0x00, 0x06, 0, 1, 65, 0, 0, 0], true),
    ([0x00, 0x25, 0, 40], false), ([0x00, 0x25], false),
  ] {
    var message = plain + attribute
    message[3] = UInt8(message.count - 20)
    let parsed = try? parse(message)
    #expect((parsed != nil) == isWellFormed)
    guard let parsed else { continue }
    #expect(
      parsed.username(in: message.span.bytes) == "server:client" && !parsed.useCandidate
        && parsed.unknownRequiredAttributes.isEmpty)
    #expect(try verify(message))
  }
}

@Test func aRequestWithoutAttributesAndErrorsWithoutACodeAreNothing() throws {
  let bare = bytes("000100002112a442b7e7a701bc34d686fa87dfae")
  let request = try parse(bare)
  #expect(request.messageClass == .request && request.usernameRange == nil && !request.hasFingerprint)
  #expect(try !verify(bare))
  for attribute in ["00090000", "0009000100000000", "00090003000000", "000900040000FF00", "0009000400000264"] {
    let length = String(attribute.count / 2 / 4 * 4, radix: 16)
    let text = "01110" + String(repeating: "0", count: 3 - length.count) + length
    #expect(throws: STUNParseError.self) { try parse(bytes(text + "2112a442b7e7a701bc34d686fa87dfae" + attribute)) }
  }
}
