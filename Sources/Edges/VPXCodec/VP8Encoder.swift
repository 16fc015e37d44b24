import CCodecShims
import CVPX
import MediaBase

/// Compresses pictures to VP8 (RFC 6386) in real time: one thread, no look-ahead, constant bit rate, key frames only first
/// and on request. Used by one thread at a time.
///
/// The error-resilient mode is off, except with temporal layers: it costs bits on every picture, and receivers decode only
/// unbroken chains anyway (they ask for repetition, and then for a key frame).
public final class VP8Encoder {
  /// What it was last configured to make.
  public private(set) var configuration: VP8EncoderConfiguration

  private var context: VPXContext
  private var settings: vpx_codec_enc_cfg_t
  private var image: vpx_image_t
  private var lastTimestamp: UInt32?
  private var presentationTime: Int64 = 0
  /// In the pattern of temporal layers.
  private var position = 0

  /// Ticks per second of picture timestamps (RFC 7741 section 4.1).
  private static let clockRate = 90_000

  /// Sets up an encoder.
  public init(configuration: VP8EncoderConfiguration) throws(VPXCodecError) {
    if let problem = configuration.problem { throw .invalidConfiguration(detail: problem) }
    var settings = try Self.settings(for: configuration)
    self.configuration = configuration
    context = try Self.makeContext(configuration, &settings)
    self.settings = settings
    image = Self.image(width: configuration.width, height: configuration.height)
  }

  /// Compresses one picture of the configured size.
  ///
  /// - Parameters:
  ///   - frame: the picture; its planes are read where they lie.
  ///   - timestamp: its place on the 90 kHz clock; the distance to the one before tells the encoder the frame rate.
  ///   - forceKeyFrame: whether decoding must be able to start here.
  /// - Returns: the compressed picture, or `nil` if it was left out to keep the bit rate. A forced key frame comes always.
  public func encode(
    _ frame: VideoFrame, timestamp: UInt32, forceKeyFrame: Bool = false
  ) throws(VPXCodecError) -> EncodedVideoFrame? {
    guard frame.width == configuration.width, frame.height == configuration.height else {
      throw .wrongPictureSize(
        width: frame.width, height: frame.height, expectedWidth: configuration.width,
        expectedHeight: configuration.height)
    }
    advance(to: timestamp)
    image.planes.0 = frame.planeY
    image.planes.1 = frame.planeU
    image.planes.2 = frame.planeV
    image.stride.0 = Int32(frame.strideY)
    image.stride.1 = Int32(frame.strideUV)
    image.stride.2 = Int32(frame.strideUV)
    let duration = UInt(Self.clockRate / configuration.frameRate)
    if forceKeyFrame { position = 0 }
    let temporalID = configuration.temporalLayerCount == 2 ? UInt8(position & 1) : 0
    position &+= 1
    var flags: vpx_enc_frame_flags_t = forceKeyFrame ? vpx_enc_frame_flags_t(VPX_EFLAG_FORCE_KF) : 0
    if configuration.temporalLayerCount == 2 {
      if !forceKeyFrame { flags |= Self.layerFlags(temporalID) }
      let result = greenroom_vp8_encoder_control(
        context.raw, Int32(VP8E_SET_TEMPORAL_LAYER_ID.rawValue), Int32(temporalID))
      try context.check("setting the layer", vpx_codec_err_t(rawValue: UInt32(bitPattern: result)))
    }
    let code = withExtendedLifetime(frame) {
      vpx_codec_encode(context.raw, &image, presentationTime, duration, flags, UInt(VPX_DL_REALTIME))
    }
    try context.check("encoding a picture", code)
    guard var encoded = takePacket(of: frame, timestamp: timestamp) else { return nil }
    if encoded.isKeyFrame { position = 1 } else { encoded.temporalID = temporalID }
    encoded.isReference = encoded.temporalID == 0
    return encoded
  }

  /// All pictures are made from the last one of the base layer; those above it are kept for no other.
  private static func layerFlags(_ temporalID: UInt8) -> vpx_enc_frame_flags_t {
    var flags =
      VP8_EFLAG_NO_REF_GF | VP8_EFLAG_NO_REF_ARF | VP8_EFLAG_NO_UPD_GF | VP8_EFLAG_NO_UPD_ARF
    if temporalID > 0 { flags |= VP8_EFLAG_NO_UPD_LAST | VP8_EFLAG_NO_UPD_ENTROPY }
    return vpx_enc_frame_flags_t(flags)
  }

  /// Changes the bit rate from the next picture on; 10...100,000 kb/s.
  public func setBitrate(kilobitsPerSecond: Int) throws(VPXCodecError) {
    var changed = configuration
    changed.bitrateKilobitsPerSecond = kilobitsPerSecond
    try reconfigure(changed)
  }

  /// Changes everything at once. Another size starts a new stream: its first picture is a key frame. If it throws, the
  /// encoder goes on as it was.
  public func reconfigure(_ changed: VP8EncoderConfiguration) throws(VPXCodecError) {
    guard changed != configuration else { return }
    if let problem = changed.problem { throw .invalidConfiguration(detail: problem) }
    var newSettings = try Self.settings(for: changed)
    if changed.width == configuration.width && changed.height == configuration.height {
      try context.check("changing the settings", vpx_codec_enc_config_set(context.raw, &newSettings))
      try Self.setControls(of: context, changed)
    } else {
      context = try Self.makeContext(changed, &newSettings)
      image = Self.image(width: changed.width, height: changed.height)
    }
    settings = newSettings
    configuration = changed
  }

  /// Moves the encoder's time by the distance of the timestamps; never backwards, and never so far that a pause would look
  /// like a very low frame rate.
  private func advance(to timestamp: UInt32) {
    defer { lastTimestamp = timestamp }
    guard let lastTimestamp else { return }
    let interval = Int64(Self.clockRate / configuration.frameRate)
    let distance = Int64(Int32(bitPattern: timestamp &- lastTimestamp))
    presentationTime += distance <= 0 ? interval : min(max(distance, interval / 4), Int64(Self.clockRate))
  }

  private func takePacket(of frame: VideoFrame, timestamp: UInt32) -> EncodedVideoFrame? {
    var position: vpx_codec_iter_t?
    var encoded: EncodedVideoFrame?
    while let packet = vpx_codec_get_cx_data(context.raw, &position) {
      guard packet.pointee.kind == VPX_CODEC_CX_FRAME_PKT, let bytes = packet.pointee.data.frame.buf else { continue }
      let data = [UInt8](UnsafeRawBufferPointer(start: bytes, count: packet.pointee.data.frame.sz))
      guard !data.isEmpty else { continue }
      encoded = EncodedVideoFrame(
        data: data, isKeyFrame: packet.pointee.data.frame.flags & UInt32(VPX_FRAME_IS_KEY) != 0, timestamp: timestamp,
        captureTime: frame.captureTime, width: frame.width, height: frame.height)
    }
    return encoded
  }
}
