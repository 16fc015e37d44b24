import CVPX

/// Memory for a codec context of libvpx, and the library's errors in our words.
struct VPXContext: ~Copyable {
  let raw: UnsafeMutablePointer<vpx_codec_ctx_t>

  /// Makes the memory and lets `initialize` fill it.
  init(
    operation: String, _ initialize: (UnsafeMutablePointer<vpx_codec_ctx_t>) -> Int32
  ) throws(VPXCodecError) {
    let raw = UnsafeMutablePointer<vpx_codec_ctx_t>.allocate(capacity: 1)
    raw.initialize(to: vpx_codec_ctx_t())
    let code = vpx_codec_err_t(rawValue: UInt32(bitPattern: initialize(raw)))
    guard code == VPX_CODEC_OK else {
      let error = VPXContext.error(operation, code, detail: VPXContext.detail(of: raw))
      raw.deallocate()
      throw error
    }
    self.raw = raw
  }

  deinit {
    vpx_codec_destroy(raw)
    raw.deallocate()
  }

  /// Throws unless the call went well.
  func check(_ operation: String, _ code: vpx_codec_err_t) throws(VPXCodecError) {
    guard code != VPX_CODEC_OK else { return }
    throw VPXContext.error(operation, code, detail: detail)
  }

  /// What the library says about its last failure.
  var detail: String? { VPXContext.detail(of: raw) }

  private static func detail(of raw: UnsafeMutablePointer<vpx_codec_ctx_t>) -> String? {
    vpx_codec_error_detail(raw).map { String(cString: $0) }
  }

  private static func error(_ operation: String, _ code: vpx_codec_err_t, detail: String?) -> VPXCodecError {
    let name = vpx_codec_err_to_string(code).map { String(cString: $0) } ?? "unknown error"
    return .library(
      operation: operation, code: Int32(truncatingIfNeeded: code.rawValue),
      detail: detail.map { "\(name): \($0)" } ?? name)
  }
}
