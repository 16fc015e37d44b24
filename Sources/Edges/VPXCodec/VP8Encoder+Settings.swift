import CCodecShims
import CVPX

extension VP8Encoder {
  /// libvpx's settings for real-time use.
  static func settings(for configuration: VP8EncoderConfiguration) throws(VPXCodecError) -> vpx_codec_enc_cfg_t {
    var settings = vpx_codec_enc_cfg_t()
    guard greenroom_vp8_encoder_default_configuration(&settings) == 0 else {
      throw .invalidConfiguration(detail: "this build of libvpx has no VP8 encoder")
    }
    settings.g_w = UInt32(configuration.width)
    settings.g_h = UInt32(configuration.height)
    settings.g_timebase = vpx_rational(num: 1, den: 90_000)
    // One thread: at these sizes a second one gains little, and two of them can wait for each other for good.
    settings.g_threads = 1
    settings.g_error_resilient = 0
    settings.g_lag_in_frames = 0
    settings.g_pass = VPX_RC_ONE_PASS
    settings.rc_end_usage = VPX_CBR
    settings.rc_target_bitrate = UInt32(configuration.bitrateKilobitsPerSecond)
    settings.rc_dropframe_thresh = configuration.mayDropFrames ? 30 : 0
    settings.rc_resize_allowed = 0
    settings.rc_min_quantizer = 2
    settings.rc_max_quantizer = 56
    settings.rc_undershoot_pct = 100
    settings.rc_overshoot_pct = 15
    // The buffer of the rate control in milliseconds: short enough that a burst does not become delay.
    settings.rc_buf_initial_sz = 500
    settings.rc_buf_optimal_sz = 600
    settings.rc_buf_sz = 1_000
    settings.kf_mode = VPX_KF_DISABLED
    if configuration.temporalLayerCount == 2 {
      settings.g_error_resilient = UInt32(VPX_ERROR_RESILIENT_DEFAULT)
      settings.ts_number_layers = 2
      settings.ts_periodicity = 2
      settings.ts_layer_id.0 = 0
      settings.ts_layer_id.1 = 1
      settings.ts_rate_decimator.0 = 2
      settings.ts_rate_decimator.1 = 1
      // Of the layer and all below it.
      settings.ts_target_bitrate.0 = UInt32(configuration.bitrateKilobitsPerSecond * 6 / 10)
      settings.ts_target_bitrate.1 = UInt32(configuration.bitrateKilobitsPerSecond)
    }
    return settings
  }

  static func makeContext(
    _ configuration: VP8EncoderConfiguration, _ settings: inout vpx_codec_enc_cfg_t
  ) throws(VPXCodecError) -> VPXContext {
    let context = try VPXContext(operation: "setting up an encoder") { greenroom_vp8_encoder_init($0, &settings) }
    try setControls(of: context, configuration)
    return context
  }

  static func setControls(
    of context: borrowing VPXContext, _ configuration: VP8EncoderConfiguration
  ) throws(VPXCodecError) {
    // The most that a key frame may take, in percent of an average picture: half of the rate control's buffer.
    let largestKeyFrame = max(300, 600 * configuration.frameRate / 20)
    let controls: [(control: vp8e_enc_control_id, value: Int, name: String)] = [
      (VP8E_SET_CPUUSED, -configuration.speed, "speed"),
      (VP8E_SET_STATIC_THRESHOLD, 1, "static threshold"),
      (VP8E_SET_NOISE_SENSITIVITY, 0, "noise sensitivity"),
      (VP8E_SET_TOKEN_PARTITIONS, 0, "token partitions"),
      (VP8E_SET_MAX_INTRA_BITRATE_PCT, largestKeyFrame, "largest key frame"),
    ]
    for (control, value, name) in controls {
      let result = greenroom_vp8_encoder_control(context.raw, Int32(control.rawValue), Int32(value))
      try context.check(
        "setting the \(name)",
        vpx_codec_err_t(rawValue: UInt32(bitPattern: result)))
    }
  }

  /// The description of a picture, whose planes are put in for each one.
  static func image(width: Int, height: Int) -> vpx_image_t {
    var image = vpx_image_t()
    image.fmt = VPX_IMG_FMT_I420
    image.w = UInt32(width)
    image.h = UInt32(height)
    image.d_w = UInt32(width)
    image.d_h = UInt32(height)
    image.bit_depth = 8
    image.bps = 12
    image.x_chroma_shift = 1
    image.y_chroma_shift = 1
    return image
  }
}
