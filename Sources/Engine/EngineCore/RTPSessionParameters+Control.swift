import ControlWire
import RTPSession

extension RTPSessionParameters {
  /// What the server announced.
  init(_ parameters: RTPParameters) {
    self.init(
      opus: parameters.opus, vp8: parameters.vp8, rtx: parameters.rtx,
      audioLevelExtension: parameters.audioLevelExtension, transportCCExtension: parameters.transportCCExtension)
    captureTimeExtension = parameters.captureTimeExtension ?? 0
  }
}
