import CSoup

/// A GOutputStream that writes through a `SecuredStream`.
enum SecuredOutputStream {
  /// The caller owns the stream.
  static func make(_ secured: SecuredStream) -> UnsafeMutablePointer<GOutputStream>? {
    guard let object = g_object_new_with_properties(type, 0, nil, nil) else { return nil }
    g_object_set_data_full(object, securedKey, Unmanaged.passRetained(secured).toOpaque()) { data in
      if let data { Unmanaged<SecuredStream>.fromOpaque(data).release() }
    }
    return UnsafeMutableRawPointer(object).assumingMemoryBound(to: GOutputStream.self)
  }

  /// Says to the other side that nothing follows.
  static func end(_ stream: UnsafeMutableRawPointer) { secured(of: stream)?.close() }

  private static let type: GType = {
    let type = g_type_register_static_simple(
      g_output_stream_get_type(), "GreenroomSecuredOutputStream", guint(MemoryLayout<GOutputStreamClass>.size),
      { data, _ in
        guard let type = data?.assumingMemoryBound(to: GOutputStreamClass.self) else { return }
        type.pointee.write_fn = { secured(of: $0)?.write($1, $2, $4) ?? -1 }
        type.pointee.close_fn = { stream, _, _ in
          secured(of: stream)?.close()
          return 1
        }
      }, guint(MemoryLayout<GOutputStream>.size), nil, GTypeFlags(0))
    var pollable = GInterfaceInfo(
      interface_init: { data, _ in
        guard let interface = data?.assumingMemoryBound(to: GPollableOutputStreamInterface.self) else { return }
        interface.pointee.can_poll = { _ in 1 }
        interface.pointee.is_writable = { secured(of: $0)?.isWritable ?? false ? 1 : 0 }
        interface.pointee.write_nonblocking = { secured(of: $0)?.write($1, $2, $3) ?? -1 }
        interface.pointee.create_source = { stream, cancellable in
          guard let stream, let child = secured(of: stream)?.makeWriteSource() else { return nil }
          defer { g_source_unref(child) }
          return g_pollable_source_new_full(UnsafeMutableRawPointer(stream), child, cancellable)
        }
      }, interface_finalize: nil, interface_data: nil)
    g_type_add_interface_static(type, g_pollable_output_stream_get_type(), &pollable)
    return type
  }()
}

private let securedKey = "greenroom-secured"

private func secured(of stream: UnsafeMutableRawPointer?) -> SecuredStream? {
  guard let stream, let data = g_object_get_data(stream.assumingMemoryBound(to: GObject.self), securedKey) else {
    return nil
  }
  return Unmanaged<SecuredStream>.fromOpaque(data).takeUnretainedValue()
}

private func secured(of stream: OpaquePointer?) -> SecuredStream? {
  secured(of: stream.map { UnsafeMutableRawPointer($0) })
}

private func secured(of stream: UnsafeMutablePointer<GOutputStream>?) -> SecuredStream? {
  secured(of: stream.map { UnsafeMutableRawPointer($0) })
}
