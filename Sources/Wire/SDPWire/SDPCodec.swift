/// A payload type and what it stands for (`a=rtpmap`, `a=fmtp`, `a=rtcp-fb`).
public struct SDPCodec: Hashable, Sendable {
  /// One `key=value` of `a=fmtp`, or a word without `=`, which then has an empty value.
  public struct Parameter: Hashable, Sendable {
    /// Its name in lower case.
    public var name: String
    /// Its value.
    public var value: String

    /// Makes a parameter.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// 0...127.
  public var payloadType: UInt8
  /// The encoding's name as it was written; names are compared without regard to case.
  public var name: String
  /// Hertz.
  public var clockRate: UInt32
  /// `nil` if it is not said.
  public var channelCount: UInt8?
  /// Format parameters, in order.
  public var parameters: [Parameter] = []
  /// Feedback that may be sent: `nack`, `nack pli`, `transport-cc`, ...
  public var feedback: [String] = []

  /// Makes a codec.
  public init(
    payloadType: UInt8, name: String, clockRate: UInt32, channelCount: UInt8? = nil, parameters: [Parameter] = [],
    feedback: [String] = []
  ) {
    self.payloadType = payloadType
    self.name = name
    self.clockRate = clockRate
    self.channelCount = channelCount
    self.parameters = parameters
    self.feedback = feedback
  }

  /// Takes the value of `a=rtpmap`.
  init?(parsing text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let type = UInt8(words[0]) else { return nil }
    let parts = words[1].split(separator: "/")
    guard parts.count == 2 || parts.count == 3, let rate = UInt32(parts[1]) else { return nil }
    self.init(
      payloadType: type, name: String(parts[0]), clockRate: rate,
      channelCount: parts.count == 3 ? UInt8(parts[2]) : nil)
  }

  /// Whether it has this name, whatever the case.
  public func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }

  /// A format parameter's value.
  public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// The payload type whose packets a retransmission format repeats (RFC 4588 section 8.1).
  public var associatedPayloadType: UInt8? { parameter("apt").flatMap { UInt8($0) } }

  mutating func setParameters(_ text: String?) {
    parameters = (text ?? "").split(separator: ";").map { part in
      let trimmed = part.drop { $0 == " " }
      guard let equals = trimmed.firstIndex(of: "=") else { return Parameter(String(trimmed), "") }
      return Parameter(trimmed[..<equals].lowercased(), String(trimmed[trimmed.index(after: equals)...]))
    }
  }

  /// The lines that describe it in a section.
  public var attributes: [SDPAttribute] {
    let channels = channelCount.map { "/\($0)" } ?? ""
    var lines = [SDPAttribute("rtpmap", "\(payloadType) \(name)/\(clockRate)\(channels)")]
    lines += feedback.map { SDPAttribute("rtcp-fb", "\(payloadType) \($0)") }
    if !parameters.isEmpty {
      let text = parameters.map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }.joined(separator: ";")
      lines.append(SDPAttribute("fmtp", "\(payloadType) \(text)"))
    }
    return lines
  }
}
