import MediaBase
import PictureFiles
import VPXCodec

/// One encoder and what belongs to it. Used by the encode thread only.
final class VideoEncoderSlot {
  private let configuration: VideoEncoderConfiguration
  private var adaptation: EncodingAdaptation
  private var encoder: VP8Encoder?
  private var encoderSize = (width: 0, height: 0)
  private let scaler = VideoScaler()
  /// What the last picture was encoded for.
  private(set) var plan: EncodingAdaptation.Plan?
  private var nextDue: MediaInstant?
  private var lastTimestamp: UInt32?
  private var lastKeyFrame: MediaInstant?
  private var wantsKeyFrame = false

  /// Key frames follow each other at least this far apart, whoever asks: one serves everybody who asks meanwhile.
  private static let shortestKeyFrameInterval = MediaDuration.milliseconds(50)

  /// Smaller changes of the bit rate are not worth setting the encoder anew.
  private static let worthwhileChange = 0.04

  init(configuration: VideoEncoderConfiguration) {
    self.configuration = configuration
    adaptation = EncodingAdaptation(configuration: configuration)
  }

  func requestKeyFrame() { wantsKeyFrame = true }

  /// Encodes a picture unless it comes too soon after the one before; `nil` if nothing came out. `availableBitrate` is what
  /// can be sent, in kilobits per second, `nil` if that is not known.
  func encode(_ frame: VideoFrame, availableBitrate: Int?) throws(VPXCodecError) -> EncodedVideoFrame? {
    let plan = adaptation.plan(available: availableBitrate, now: frame.captureTime)
    self.plan = plan
    guard isDue(frame.captureTime, frameRate: plan.frameRate) else { return nil }
    let frame = shaped(frame)
    let size = fittingSize(frame, scale: plan.scale)
    let picture =
      size == (frame.width, frame.height) ? frame : scaler.scale(frame, width: size.width, height: size.height)
    if encoder == nil || size != encoderSize {
      var settings = VP8EncoderConfiguration(
        width: size.width, height: size.height, frameRate: configuration.frameRate,
        bitrateKilobitsPerSecond: plan.bitrate)
      settings.temporalLayerCount = configuration.temporalLayerCount
      encoder = try VP8Encoder(configuration: settings)
      encoderSize = size
    } else if let current = encoder?.configuration.bitrateKilobitsPerSecond, current != plan.bitrate,
      plan.bitrate == configuration.effectiveBitrate
        || Double(abs(current - plan.bitrate)) > Self.worthwhileChange * Double(current)
    {
      try encoder?.setBitrate(kilobitsPerSecond: plan.bitrate)
    }
    let forceKeyFrame = takesKeyFrame(at: frame.captureTime)
    guard
      let encoded = try encoder?.encode(
        picture, timestamp: timestamp(of: frame.captureTime), forceKeyFrame: forceKeyFrame)
    else { return nil }
    if encoded.isKeyFrame { lastKeyFrame = frame.captureTime }
    return encoded
  }

  /// The picture upright, in the shape that is asked for.
  private func shaped(_ frame: VideoFrame) -> VideoFrame {
    var picture = frame.upright()
    let isUpright = picture.height > picture.width
    switch configuration.orientationMode {
    case .adaptive: break
    case .fixedLandscape where isUpright, .fixedPortrait where !isUpright:
      let (long, short) = (
        max(configuration.width, configuration.height), min(configuration.width, configuration.height)
      )
      let isLandscape = configuration.orientationMode == .fixedLandscape
      picture = picture.cropped(toWidth: isLandscape ? long : short, height: isLandscape ? short : long)
    case .fixedLandscape, .fixedPortrait: break
    }
    return configuration.mirrorMode == .enabled ? picture.mirrored() : picture
  }

  private func takesKeyFrame(at time: MediaInstant) -> Bool {
    guard wantsKeyFrame else { return false }
    if let lastKeyFrame, time >= lastKeyFrame, time - lastKeyFrame < Self.shortestKeyFrameInterval { return false }
    wantsKeyFrame = false
    return true
  }

  /// Keeps the rate as a ceiling; a source that is a quarter of an interval early is on time. An application's clock that
  /// has gone back is followed.
  private func isDue(_ time: MediaInstant, frameRate: Int) -> Bool {
    let interval = MediaDuration.seconds(1 / Double(frameRate))
    guard let due = nextDue, due - time <= interval * 2 else {
      nextDue = time + interval
      return true
    }
    guard time + interval / 4 >= due else { return false }
    nextDue = time - due > interval ? time + interval : due + interval
    return true
  }

  /// The largest size with the frame's shape inside the configured one, turned if the frame is upright; never enlarged.
  private func fittingSize(_ frame: VideoFrame, scale: Double) -> (width: Int, height: Int) {
    var limitWidth = Int(Double(configuration.width) * scale)
    var limitHeight = Int(Double(configuration.height) * scale)
    if (frame.height > frame.width) != (limitHeight > limitWidth) { swap(&limitWidth, &limitHeight) }
    let factor = min(1, Double(limitWidth) / Double(frame.width), Double(limitHeight) / Double(frame.height))
    if factor >= 1 { return (frame.width, frame.height) }
    func even(_ length: Int) -> Int { max(2, Int((Double(length) * factor / 2).rounded()) * 2) }
    return (even(frame.width), even(frame.height))
  }

  private func timestamp(of time: MediaInstant) -> UInt32 {
    let timestamp = time.videoTimestamp(after: lastTimestamp)
    lastTimestamp = timestamp
    return timestamp
  }
}
