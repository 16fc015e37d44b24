import ControlWire
import MediaBase
import OpenSSLCrypto
import RTPWire
import STUNWire
import SecureChannel
import WebRTCNegotiation

/// Every parser of bytes from outside.
enum FuzzedParser: String, CaseIterable {
  case rtp, rtcp, feedback, vp8, opus, red, stun, srtp, framing, control, call, sdp, offer, fragment, y4m
  case bandwidth, dtls, query, token, zlib, websocket, request, sframe, calls, cluster

  /// Runs the parser, and what its users do with the result: each must end, whatever the bytes are.
  func run(_ input: [UInt8]) {
    let bytes = input.span.bytes
    switch self {
    case .rtp: Self.parseRTP(bytes)
    case .rtcp: Self.parseRTCP(bytes)
    case .feedback: Self.parseTransportFeedback(bytes)
    case .vp8: Self.parseVP8(bytes)
    case .opus: _ = try? OpusTOC.sampleCount(of: bytes)
    case .red: Self.parseRedundantAudio(bytes)
    case .stun: Self.parseSTUN(bytes)
    case .srtp: Self.openSRTP(input)
    case .framing: Self.readStream(input)
    case .control: Self.readControlMessage(String(decoding: input, as: UTF8.self))
    case .call: Self.readCallMessage(String(decoding: input, as: UTF8.self))
    case .sdp: Self.readSessionDescription(String(decoding: input, as: UTF8.self))
    case .offer: Self.readOffer(String(decoding: input, as: UTF8.self))
    case .fragment: _ = try? TrickleICEFragment(parsing: String(decoding: input, as: UTF8.self))
    case .y4m: Self.readY4M(input)
    case .token: Self.readToken(input)
    case .zlib: Self.decompress(input)
    case .bandwidth: Self.estimateBandwidth(bytes)
    case .dtls: Self.shakeHands(input)
    case .sframe: Self.readEncryptedFrame(input)
    case .calls: Self.followCalls(String(decoding: input, as: UTF8.self))
    case .cluster: Self.readClusterMessage(String(decoding: input, as: UTF8.self))
    case .websocket: Self.readFrames(input)
    case .request: Self.readRequestHead(input)
    case .query: Self.readQuery(String(decoding: input, as: UTF8.self))
    }
  }

  private static func parseRTP(_ bytes: RawSpan) {
    _ = DatagramKind.classify(bytes)
    for encrypted in [false, true] {
      guard let layout = try? RTPPacketLayout(parsing: bytes, encrypted: encrypted) else { continue }
      _ = bytes.copy(layout.payloadRange)
      for id in UInt8(0)...16 {
        if let range = layout.headerExtension(id: id, in: bytes) { _ = bytes.copy(range) }
      }
    }
  }

  private static func parseRTCP(_ bytes: RawSpan) {
    var offset = 0
    while offset < bytes.byteCount, let layout = try? RTCPPacketLayout(parsing: bytes, at: offset) {
      _ = try? RTCPReport(parsing: bytes, at: layout)
      _ = RTCPFeedback.receiverEstimate(in: bytes, at: layout)
      _ = DownlinkReport(parsing: bytes, at: layout)
      var count = 0
      RTCPFeedback.forEachLostSequenceNumber(in: bytes, at: layout) { _ in count += 1 }
      RTCPSource.forEachGoodbyeSSRC(in: bytes, at: layout) { _ in count += 1 }
      offset = layout.range.upperBound
    }
  }

  private static func parseVP8(_ bytes: RawSpan) {
    guard let parsed = try? VP8PayloadDescriptor.parse(bytes) else { return }
    let rest = bytes.extracting(parsed.byteCount..<bytes.byteCount)
    _ = try? VP8FrameHeader(parsing: rest)
  }

  private static func parseRedundantAudio(_ bytes: RawSpan) {
    guard let layout = try? RedundantAudioLayout(parsing: bytes) else { return }
    _ = bytes.copy(layout.primaryOffset..<bytes.byteCount)
    for number in 0..<layout.redundantBlockCount {
      if let block = layout.redundantBlock(number, in: bytes) { _ = bytes.copy(block.range) }
    }
  }

  private static func parseSTUN(_ bytes: RawSpan) {
    guard let message = try? STUNMessage(parsing: bytes) else { return }
    _ = message.verifyIntegrity(of: bytes, password: "password-of-24-characters") { _, _, digest in
      digest.initializeMemory(as: UInt8.self, repeating: 0)
      return true
    }
  }

  /// Reads the bytes as a stream of datagrams, whole and in pieces, which must come to the same.
  private static func readStream(_ input: [UInt8]) {
    func read(pieces: Int) -> [[UInt8]] {
      var deframer = StreamDeframer()
      var datagrams: [[UInt8]] = []
      for offset in stride(from: 0, to: input.count, by: pieces) {
        var piece = Array(input[offset..<min(offset + pieces, input.count)])
        let isGood = piece.withUnsafeMutableBytes { memory in
          (try? deframer.receive(memory) { datagrams.append(Array($0)) }) != nil
        }
        if !isGood { break }
      }
      return datagrams
    }
    let whole = read(pieces: max(1, input.count))
    precondition(read(pieces: 1) == whole && read(pieces: 7) == whole, "pieces make a difference")
  }

  private static func openSRTP(_ input: [UInt8]) {
    for profile in SRTPProtectionProfile.allCases {
      let key = [UInt8](repeating: 7, count: profile.keyMaterialByteCount)
      guard let material = SRTPKeyMaterial(profile: profile, bytes: key),
        var receiver = try? SRTPReceiver(material: material, crypto: OpenSSLCrypto.provider)
      else { fatalError("no receiver can be made") }
      // Opening writes into the bytes, so each gets its own.
      var (rtp, rtcp) = (input, input)
      rtp.withUnsafeMutableBytes { _ = try? receiver.unprotectRTP($0, length: $0.count) }
      rtcp.withUnsafeMutableBytes { _ = try? receiver.unprotectRTCP($0, length: $0.count) }
    }
  }
}
