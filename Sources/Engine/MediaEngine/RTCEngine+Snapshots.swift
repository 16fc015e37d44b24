import ControlWire
import EngineCore

extension RTCEngine {
  /// Writes the next picture of a user of the default connection to a file; `snapshotTakenOfUID` tells the end, after a
  /// second at the latest. What a `VideoFrameProcessor` does to a picture is in it.
  ///
  /// - Parameters:
  ///   - uid: a remote user, or 0 for what this side publishes.
  ///   - path: ends in `.jpg`, `.jpeg` or `.png`.
  /// - Returns: 0; -2 (the path's ending), -121 (uid), -8 (not in a channel), -7.
  @discardableResult public func takeSnapshot(uid: UInt, path: String) -> Int { takeSnapshot(nil, uid, path) }

  /// Writes the next picture of a user of one connection to a file.
  ///
  /// - Returns: as `takeSnapshot(uid:path:)`.
  @discardableResult
  public func takeSnapshotEx(uid: UInt, path: String, connection: RTCConnection) -> Int {
    takeSnapshot(connection, uid, path)
  }

  private func takeSnapshot(_ connection: RTCConnection?, _ uid: UInt, _ path: String) -> Int {
    changeConnection(connection) { [snapshots = runtime.snapshots] connection in
      guard [".jpg", ".jpeg", ".png"].contains(where: path.hasSuffix) else { return .invalidArgument }
      guard uid == 0 || ControlProtocol.isValidUID(uid) else { return .invalidUserID }
      snapshots.request(connection.handle, uid: uid, path: path)
      return .ok
    }
  }
}
