import ControlWire

/// The 64 ice-chars of RFC 8839 section 5.1.
let iceAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

extension ChannelDirectory {
  private func randomUInt32() -> UInt32 { randomBytes(4).reduce(0) { $0 << 8 | UInt32($1) } }

  /// A random SSRC that is not in `used`, and is from now on. Counts up on a collision, so that it ends.
  func unusedSSRC(_ used: inout Set<UInt32>) -> UInt32 {
    var ssrc = randomUInt32()
    while ssrc == 0 || !used.insert(ssrc).inserted { ssrc &+= 1 }
    return ssrc
  }

  /// SSRCs for a user to send with.
  func sendSSRCs(_ used: inout Set<UInt32>) -> TrackSSRCs {
    TrackSSRCs(audio: unusedSSRC(&used), video: unusedSSRC(&used), videoRTX: unusedSSRC(&used))
  }

  /// SSRCs for so many encodings of a video, at most three, of which the last has those of `largest`; none if only one is
  /// wanted.
  func videoLayers(_ count: Int, largest: TrackSSRCs, _ used: inout Set<UInt32>) -> [VideoLayerSSRCs] {
    guard count > 1 else { return [] }
    var layers: [VideoLayerSSRCs] = []
    for _ in 1..<min(count, 3) {
      layers.append(VideoLayerSSRCs(video: unusedSSRC(&used), videoRTX: unusedSSRC(&used)))
    }
    return layers + [VideoLayerSSRCs(video: largest.video, videoRTX: largest.videoRTX)]
  }

  /// A uid that nobody in `channel` has.
  func unusedUID(in channel: String) -> UInt {
    let taken = channels[channel]?.clients
    var uid = randomUInt32()
    while uid == 0 || taken?[UInt(uid)] != nil { uid &+= 1 }
    return UInt(uid)
  }

  /// 48 and 144 random bits; RFC 8445 section 5.3 asks for at least 24 and 128.
  func iceParameters() -> ICEParameters {
    ICEParameters(usernameFragment: iceText(8), password: iceText(24))
  }

  private func iceText(_ count: Int) -> String {
    String(decoding: randomBytes(count).map { iceAlphabet[Int($0 & 63)] }, as: UTF8.self)
  }

  /// Random bytes as lower-case hexadecimal.
  func hexadecimal(_ byteCount: Int) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: randomBytes(byteCount).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
