import CSoup
import LinuxIO
import MediaBase

/// A GInputStream that gives only so many bytes in a while, and then says that there are none for now.
///
/// libsoup reads from a connection for as long as there is something to read; one client that sends without end would keep
/// the loop's thread from everybody else.
enum MeteredInputStream {
  /// Bytes that a connection may bring within `interval`.
  static let byteLimit = 65_536
  static let interval = MediaDuration.milliseconds(10)

  /// A stream that gives `received`, and then reads from `base`, which must be pollable, or from `secured` over it. The
  /// caller owns it.
  static func make(
    _ base: UnsafeMutablePointer<GInputStream>, _ secured: SecuredStream?, received: [UInt8]
  ) -> UnsafeMutablePointer<GInputStream>? {
    guard let object = g_object_new_with_properties(type, 0, nil, nil) else { return nil }
    let meter = Unmanaged.passRetained(Meter(base, secured, received)).toOpaque()
    g_object_set_data_full(object, meterKey, meter) { data in
      if let data { Unmanaged<Meter>.fromOpaque(data).release() }
    }
    return UnsafeMutableRawPointer(object).assumingMemoryBound(to: GInputStream.self)
  }

  private static let type: GType = {
    let type = g_type_register_static_simple(
      g_input_stream_get_type(), "GreenroomMeteredInputStream", guint(MemoryLayout<GInputStreamClass>.size),
      { data, _ in
        data?.assumingMemoryBound(to: GInputStreamClass.self).pointee.read_fn = {
          stream, buffer, count, cancellable, error in
          // Nobody waits on the loop's thread.
          meter(of: stream)?.read(into: buffer, count, error) ?? -1
        }
      }, guint(MemoryLayout<GInputStream>.size), nil, GTypeFlags(0))
    var pollable = GInterfaceInfo(
      interface_init: { data, _ in
        guard let interface = data?.assumingMemoryBound(to: GPollableInputStreamInterface.self) else { return }
        interface.pointee.can_poll = { _ in 1 }
        interface.pointee.is_readable = { meter(of: $0)?.isReadable ?? false ? 1 : 0 }
        interface.pointee.create_source = { meter(of: $0)?.makeSource(of: $0, $1) }
        interface.pointee.read_nonblocking = { meter(of: $0)?.read(into: $1, $2, $3) ?? -1 }
      }, interface_finalize: nil, interface_data: nil)
    g_type_add_interface_static(type, g_pollable_input_stream_get_type(), &pollable)
    return type
  }()
}

private let meterKey = "greenroom-meter"

private func meter(of stream: UnsafeMutableRawPointer?) -> Meter? {
  guard let stream, let data = g_object_get_data(stream.assumingMemoryBound(to: GObject.self), meterKey) else {
    return nil
  }
  return Unmanaged<Meter>.fromOpaque(data).takeUnretainedValue()
}

private func meter(of stream: OpaquePointer?) -> Meter? { meter(of: stream.map { UnsafeMutableRawPointer($0) }) }

private func meter(of stream: UnsafeMutablePointer<GInputStream>?) -> Meter? {
  meter(of: stream.map { UnsafeMutableRawPointer($0) })
}

/// What a stream may still give, and where it takes it from.
private final class Meter {
  private let base: UnsafeMutablePointer<GInputStream>
  private let secured: SecuredStream?
  /// What has been read already and not been given yet.
  private var received: ArraySlice<UInt8>
  private var intervalStart = MediaInstant.zero
  private var byteCount = 0

  init(_ base: UnsafeMutablePointer<GInputStream>, _ secured: SecuredStream?, _ received: [UInt8]) {
    self.received = received[...]
    self.base = base
    self.secured = secured
    g_object_ref(UnsafeMutableRawPointer(base))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(base)) }

  private var pollableBase: OpaquePointer { OpaquePointer(base) }

  private var allowance: Int {
    let now = MonotonicClock.now()
    if now - intervalStart >= MeteredInputStream.interval { (intervalStart, byteCount) = (now, 0) }
    return MeteredInputStream.byteLimit - byteCount
  }

  var isReadable: Bool {
    !received.isEmpty
      || allowance > 0 && (secured?.isReadable ?? (g_pollable_input_stream_is_readable(pollableBase) != 0))
  }

  func read(
    into buffer: UnsafeMutableRawPointer?, _ count: gsize, _ error: UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?
  ) -> gssize {
    if !received.isEmpty { return giveReceived(into: buffer, Int(count)) }
    let allowance = allowance
    guard allowance > 0 else {
      g_set_error_literal(error, g_io_error_quark(), Int32(G_IO_ERROR_WOULD_BLOCK.rawValue), "enough for now")
      return -1
    }
    let wanted = Swift.min(count, gsize(allowance))
    let read =
      secured?.read(into: buffer, wanted, error)
      ?? g_pollable_input_stream_read_nonblocking(pollableBase, buffer, wanted, nil, error)
    byteCount += max(0, Int(read))
    return read
  }

  private func giveReceived(into buffer: UnsafeMutableRawPointer?, _ count: Int) -> gssize {
    let part = received.prefix(count)
    received = received.dropFirst(part.count)
    UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: part)
    return gssize(part.count)
  }

  func makeSource(of stream: OpaquePointer?, _ cancellable: UnsafeMutablePointer<GCancellable>?)
    -> UnsafeMutablePointer<GSource>?
  {
    let source =
      received.isEmpty
      ? makeBaseSource() : g_timeout_source_new(0)
    guard let stream, let child = source else { return nil }
    defer { g_source_unref(child) }
    return g_pollable_source_new_full(UnsafeMutableRawPointer(stream), child, cancellable)
  }

  private func makeBaseSource() -> UnsafeMutablePointer<GSource>? {
    secured.map { $0.makeReadSource() } ?? g_pollable_input_stream_create_source(pollableBase, nil)
  }
}
