import ControlWire
import MediaBase
import Testing
import WebRTCNegotiation

@Suite("Trickle ICE fragments")
struct TrickleICEFragmentTests {
  /// The example of RFC 8840 section 9, in the shape of a WHIP client's.
  static let candidates = """
    a=ice-ufrag:EsAw\r
    a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1\r
    a=group:BUNDLE 0 1\r
    m=audio 9 UDP/TLS/RTP/SAVPF 111\r
    a=mid:0\r
    a=candidate:1387637174 1 udp 2122260223 192.0.2.1 61764 typ host generation 0 ufrag EsAw network-id 1\r
    a=end-of-candidates\r

    """

  @Test("candidates, and that there are no more")
  func candidates() throws {
    let fragment = try TrickleICEFragment(parsing: Self.candidates)
    #expect(fragment.usernameFragment == "EsAw" && fragment.password == "P2uYro0UCOQ4zxjKXaWCBui1")
    #expect(fragment.hasCandidates && fragment.isComplete)
    #expect(!fragment.restarts(ICEParameters(usernameFragment: "EsAw", password: "P2uYro0UCOQ4zxjKXaWCBui1")))
    #expect(fragment.restarts(ICEParameters(usernameFragment: "OlDo", password: "P2uYro0UCOQ4zxjKXaWCBui1")))
    #expect(fragment.restarts(ICEParameters(usernameFragment: "EsAw", password: "0123456789abcdefghijklmn")))
  }

  @Test("credentials of the first section count, and what is missing is not told")
  func sections() throws {
    let text = "m=audio 9 UDP/TLS/RTP/SAVPF 0\na=mid:0\na=ice-ufrag:one\nm=video 9 x 0\na=ice-ufrag:two\na=ice-pwd\n"
    let fragment = try TrickleICEFragment(parsing: text)
    #expect(fragment.usernameFragment == "one" && fragment.password == nil)
    #expect(!fragment.hasCandidates && !fragment.isComplete)
    #expect(!fragment.restarts(ICEParameters(usernameFragment: "one", password: "any")))
    #expect(try TrickleICEFragment(parsing: "") == TrickleICEFragment(parsing: "\r\n"))
  }

  @Test("other texts are errors")
  func errors() {
    #expect(throws: TrickleICEFragment.ParseError.malformedLine(2)) {
      try TrickleICEFragment(parsing: "a=mid:0\r\n{}")
    }
    let long = String(repeating: "a", count: TrickleICEFragment.maximumByteCount + 1)
    #expect(throws: TrickleICEFragment.ParseError.tooLong) { try TrickleICEFragment(parsing: long) }
  }

  @Test("changed fragments never trap", arguments: 0..<8 as Range<UInt64>)
  func mutations(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 { _ = try? TrickleICEFragment(parsing: Mutation.of(Self.candidates, &random)) }
  }
}
