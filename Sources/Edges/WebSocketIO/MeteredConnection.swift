import CSoup

/// A GSocketConnection that is read through a `MeteredInputStream`.
enum MeteredConnection {
  private static let inputKey = "greenroom-input"

  /// A connection of an accepted socket. The caller owns it; letting go of it closes the socket.
  static func make(_ socket: UnsafeMutablePointer<GSocket>) -> UnsafeMutablePointer<GIOStream>? {
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
    guard let whole = parent?.pointee.get_input_stream(connection), let input = MeteredInputStream.make(whole) else {
      g_object_unref(UnsafeMutableRawPointer(object))
      return nil
    }
    g_object_set_data_full(object, inputKey, input, g_object_unref)
    return connection
  }

  private static let type: GType = g_type_register_static_simple(
    g_socket_connection_get_type(), "GreenroomMeteredConnection", guint(MemoryLayout<GSocketConnectionClass>.size),
    { data, _ in
      data?.assumingMemoryBound(to: GIOStreamClass.self).pointee.get_input_stream = { connection in
        guard let connection else { return nil }
        return connection.withMemoryRebound(to: GObject.self, capacity: 1) {
          g_object_get_data($0, MeteredConnection.inputKey)?.assumingMemoryBound(to: GInputStream.self)
        }
      }
    }, guint(MemoryLayout<GSocketConnection>.size), nil, GTypeFlags(0))
}
