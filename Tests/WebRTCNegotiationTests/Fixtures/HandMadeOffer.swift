/// A small offer, to be changed in one place by a test.
struct HandMadeOffer {
  struct Section {
    var kind: String
    var mid: String
    var codec: String
    var type: Int
    /// Further ones in the media line; `lines` say what they are.
    var moreTypes: [Int] = []
    var direction = "sendonly"
    var transport = "UDP/TLS/RTP/SAVPF"
    var lines: [String] = []
  }

  static let both = HandMadeOffer(sections: [
    .init(kind: "audio", mid: "0", codec: "opus/48000/2", type: 111),
    .init(kind: "video", mid: "1", codec: "VP8/90000", type: 96),
  ])

  var sections: [Section]
  /// `nil` for all.
  var bundle: String?
  var ice = ["a=ice-ufrag:abcd", "a=ice-pwd:0123456789abcdefghijkl"]
  var setup = ["a=setup:actpass"]
  var fingerprint = [
    "a=fingerprint:sha-256 00:01:02:03:04:05:06:07:08:09:0A:0B:0C:0D:0E:0F:10:11:12:13:14:15:16:17:18:19:1A:1B:1C:1D:1E:1F"
  ]
  var multiplexing = ["a=rtcp-mux"]

  init(sections: [Section]) { self.sections = sections }

  var text: String {
    let group = bundle ?? "a=group:BUNDLE " + sections.map(\.mid).joined(separator: " ")
    var lines = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0"] + (group.isEmpty ? [] : [group])
    for section in sections {
      let types = ([section.type] + section.moreTypes).map(String.init).joined(separator: " ")
      lines.append("m=\(section.kind) 9 \(section.transport) \(types)")
      lines += ice + setup + fingerprint + multiplexing
      lines += ["a=mid:\(section.mid)", "a=\(section.direction)", "a=rtpmap:\(section.type) \(section.codec)"]
      lines += section.lines
    }
    return lines.map { $0 + "\r\n" }.joined()
  }
}
