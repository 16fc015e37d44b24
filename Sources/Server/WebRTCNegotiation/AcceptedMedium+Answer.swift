import SDPWire

extension AcceptedMedium {
  /// Feedback that the server takes or gives; transport-wide feedback goes with its header extension.
  private static let knownFeedback: Set = ["nack", "nack pli", "ccm fir"]

  /// The codecs as the answer has them: the offer's numbers, and of its parameters and feedback what the server knows.
  var answeredCodecs: [SDPCodec] {
    var answer = codec
    let isVideo = codec.clockRate == 90_000
    let hasTransportSequence = extensionID(HeaderExtensionURI.transportSequence) != 0
    answer.feedback = codec.feedback.filter {
      isVideo && Self.knownFeedback.contains($0) || $0 == "transport-cc" && hasTransportSequence
        || $0 == "goog-remb" && isToldEstimate && extensionID(HeaderExtensionURI.sendTime) != 0
    }
    answer.parameters = isVideo ? [] : Self.opusParameters(codec)
    if var redundancy {
      redundancy.feedback = redundancy.feedback.filter { $0 == "transport-cc" && hasTransportSequence }
      redundancy.parameters = [SDPCodec.Parameter("\(codec.payloadType)/\(codec.payloadType)", "")]
      // First: a browser sends by what stands first, and sends redundancy only if it stands before Opus.
      return [redundancy, answer]
    }
    guard var retransmission else { return [answer] }
    retransmission.feedback = []
    retransmission.parameters = [SDPCodec.Parameter("apt", String(codec.payloadType))]
    return [answer, retransmission]
  }

  /// What the server's side would like to receive (RFC 7587 section 6.1), and so what a publisher will encode.
  private static func opusParameters(_ codec: SDPCodec) -> [SDPCodec.Parameter] {
    var parameters: [SDPCodec.Parameter] = []
    if codec.parameter("minptime") != nil { parameters.append(SDPCodec.Parameter("minptime", "10")) }
    if codec.parameter("useinbandfec") == "1" { parameters.append(SDPCodec.Parameter("useinbandfec", "1")) }
    if let stereo = codec.parameter("stereo"), stereo == "0" || stereo == "1" {
      parameters.append(SDPCodec.Parameter("stereo", stereo))
    }
    return parameters
  }
}
