import CSoup

/// The text of a GBytes; `nil` if it is not UTF-8.
func text(of bytes: OpaquePointer?) -> String? {
  guard let bytes else { return nil }
  var count: gsize = 0
  guard let data = g_bytes_get_data(bytes, &count) else { return "" }
  return String(validating: UnsafeRawBufferPointer(start: data, count: Int(count)), as: UTF8.self)
}

/// Takes a GError: its parts, and frees it.
func take(_ error: UnsafeMutablePointer<GError>?) -> (domain: GQuark, code: Int32, message: String) {
  guard let error else { return (0, 0, "unknown error") }
  defer { g_error_free(error) }
  return (error.pointee.domain, error.pointee.code, error.pointee.message.map { String(cString: $0) } ?? "")
}

/// Connects a handler to a GObject's signal. `object` is kept until the GObject goes.
func connectSignal(_ instance: OpaquePointer, _ signal: String, _ handler: GCallback, keeping object: AnyObject) {
  let data = Unmanaged.passRetained(object).toOpaque()
  g_signal_connect_data(
    UnsafeMutableRawPointer(instance), signal, handler, data, { data, _ in releaseObject(data) }, GConnectFlags(0))
}

private func releaseObject(_ data: UnsafeMutableRawPointer?) {
  if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}
