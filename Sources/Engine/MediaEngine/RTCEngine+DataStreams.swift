import EngineCore
import LinuxIO

extension RTCEngine {
  /// Opens one more data stream on the default connection: small messages to everybody in the channel. Whatever is asked
  /// for, messages arrive whole and in order, or not at all.
  ///
  /// - Returns: the stream's number, 1 to 5; -116 (five streams are open), -8 (not in a channel), -7.
  @discardableResult public func createDataStream() -> Int { createDataStream(nil) }

  /// Opens one more data stream on one connection.
  ///
  /// - Returns: as `createDataStream()`.
  @discardableResult public func createDataStreamEx(_ connection: RTCConnection) -> Int { createDataStream(connection) }

  /// Sends a message on a data stream of the default connection, to everybody in the channel: at most 1,024 bytes; all
  /// streams of a connection together at most 6,144 bytes and 30 messages a second.
  ///
  /// - Returns: 0; -2 (no such stream, or nothing to send), -114 (too long), -115 (too much in a second), -113 (joining
  ///   or interrupted), -5 (an audience of a live channel), -9 (the token does not allow it; that lasts until
  ///   another one does), -8 (not in a channel), -7. Nothing is sent then.
  @discardableResult public func sendStreamMessage(streamID: Int, data: [UInt8]) -> Int {
    sendStreamMessage(nil, streamID, data)
  }

  /// Sends a message on a data stream of one connection.
  ///
  /// - Returns: as `sendStreamMessage(streamID:data:)`.
  @discardableResult
  public func sendStreamMessageEx(streamID: Int, data: [UInt8], connection: RTCConnection) -> Int {
    sendStreamMessage(connection, streamID, data)
  }

  private func createDataStream(_ connection: RTCConnection?) -> Int {
    var number = 0
    let code = runtime.change { intent, _ in
      guard let index = intent.usableIndex(of: connection) else { return .invalidState }
      do throws(EngineErrorCode) {
        number = try intent.connections[index].dataStreams.createStream()
        return .ok
      } catch {
        return error
      }
    }
    return code == 0 ? number : code
  }

  private func sendStreamMessage(_ connection: RTCConnection?, _ streamID: Int, _ data: [UInt8]) -> Int {
    runtime.change { intent, parts in
      guard let index = intent.usableIndex(of: connection) else { return .invalidState }
      guard intent.connections[index].isBroadcasting else { return .refused }
      let handle = intent.connections[index].handle
      guard handle.connectionState == .connected else { return .notInChannel }
      guard handle.maySendData else { return .noPermission }
      do throws(EngineErrorCode) {
        let sequence = try intent.connections[index].dataStreams.nextSequence(
          stream: streamID, byteCount: data.count, now: MonotonicClock.now())
        parts.network.sendStreamMessage(handle.id, streamID: streamID, sequence: sequence, data: data)
        return .ok
      } catch {
        return error
      }
    }
  }
}
