import CSoup
import OpenSSLTLS

/// A GSocketConnection that is read through a `MeteredInputStream`, with or without TLS.
enum MeteredConnection {
  private static let inputKey = "greenroom-input"
  private static let outputKey = "greenroom-output"

  /// A connection of an accepted socket, of which `received` has been read already. The caller owns it; letting go of it
  /// closes the socket.
  static func make(
    _ socket: UnsafeMutablePointer<GSocket>, _ session: TLSSession?, received: [UInt8]
  ) -> UnsafeMutablePointer<GIOStream>? {
    var value = GValue()
    g_value_init(&value, g_socket_get_type())
    g_value_set_object(&value, socket)
    defer { g_value_unset(&value) }
    let object = "socket".withCString { name in
      var names: [UnsafePointer<CChar>?] = [name]
      return g_object_new_with_properties(type, 1, &names, &value)
    }
    guard let object else { return nil }
    let connection = UnsafeMutableRawPointer(object).assumingMemoryBound(to: GIOStream.self)
    // The class above answers with the stream that reads from the socket.
    let parent = g_type_class_peek(g_socket_connection_get_type())?.assumingMemoryBound(to: GIOStreamClass.self)
    guard let whole = parent?.pointee.get_input_stream(connection),
      let output = parent?.pointee.get_output_stream(connection)
    else {
      g_object_unref(UnsafeMutableRawPointer(object))
      return nil
    }
    let secured = session.map { SecuredStream($0, socket: socket, input: whole, output: output) }
    guard let input = MeteredInputStream.make(whole, secured, received: received) else {
      g_object_unref(UnsafeMutableRawPointer(object))
      return nil
    }
    if let secured, let output = SecuredOutputStream.make(secured) {
      g_object_set_data_full(object, outputKey, output, g_object_unref)
    }
    g_object_set_data_full(object, inputKey, input, g_object_unref)
    return connection
  }

  private static let type: GType = g_type_register_static_simple(
    g_socket_connection_get_type(), "GreenroomMeteredConnection", guint(MemoryLayout<GSocketConnectionClass>.size),
    { data, _ in
      guard let type = data?.assumingMemoryBound(to: GIOStreamClass.self) else { return }
      type.pointee.get_input_stream = { connection in
        MeteredConnection.stream(of: connection, inputKey)?.assumingMemoryBound(to: GInputStream.self)
      }
      // While the socket is still there, the other side is told that nothing follows.
      type.pointee.close_fn = { connection, cancellable, error in
        if let output = MeteredConnection.stream(of: connection, outputKey) { SecuredOutputStream.end(output) }
        let parent = g_type_class_peek(g_socket_connection_get_type())?.assumingMemoryBound(to: GIOStreamClass.self)
        return parent?.pointee.close_fn?(connection, cancellable, error) ?? 1
      }
      type.pointee.get_output_stream = { connection in
        guard let secured = MeteredConnection.stream(of: connection, outputKey) else {
          let parent = g_type_class_peek(g_socket_connection_get_type())?.assumingMemoryBound(to: GIOStreamClass.self)
          return parent?.pointee.get_output_stream(connection)
        }
        return secured.assumingMemoryBound(to: GOutputStream.self)
      }
    }, guint(MemoryLayout<GSocketConnection>.size), nil, GTypeFlags(0))

  private static func stream(of connection: UnsafeMutablePointer<GIOStream>?, _ key: String) -> UnsafeMutableRawPointer?
  {
    guard let connection else { return nil }
    return connection.withMemoryRebound(to: GObject.self, capacity: 1) { g_object_get_data($0, key) }
  }
}
