import EngineCore
import Synchronization

extension RTCEngine {
  /// Encrypts between the ends what the default connection sends, and takes only what is encrypted with the same key: the
  /// server passes on what it cannot read (docs/encryption.md). For the present default connection and all later ones
  /// until it is turned off; connections by `joinChannelEx` ask for it by
  /// `ChannelMediaOptions.enableBuiltInMediaEncryption`.
  ///
  /// May be called before joining and in the channel, where another key takes effect at once. The one before is good for
  /// receiving for 10 s more, so that not everybody has to change at the same moment.
  ///
  /// - Returns: 0; -2 (no key, or a salt that has not 32 bytes), -4 (a mode that is not supported), -7.
  @discardableResult
  public func enableEncryption(_ enabled: Bool, configuration: EncryptionConfiguration) -> Int {
    runtime.change { intent, _ in
      do throws(EngineErrorCode) {
        let settings = enabled ? try configuration.settings() : nil
        intent.encryption = settings
        if let index = intent.defaultIndex { intent.connections[index].encryption = settings }
        return .ok
      } catch {
        return error
      }
    }
  }

  /// The same for one connection that exists.
  ///
  /// - Returns: as `enableEncryption(_:configuration:)`; -8 (no such connection).
  @discardableResult
  public func enableEncryptionEx(
    _ enabled: Bool, configuration: EncryptionConfiguration, connection: RTCConnection
  ) -> Int {
    changeConnection(connection) { intent in
      do throws(EngineErrorCode) {
        intent.encryption = enabled ? try configuration.settings() : nil
        return .ok
      } catch {
        return error
      }
    }
  }

  /// Whether connections begin encrypted by `enableEncryption(_:configuration:)`.
  public var isEncryptionEnabled: Bool { runtime.intent.withLock { $0.encryption != nil } }

  /// Goes on encrypting with a key that follows from the present one, which does not follow from it: who steals the later
  /// one cannot read what was sent before. Receivers follow by themselves and miss nothing.
  ///
  /// - Parameter connection: `nil` for the default one.
  /// - Returns: 0; -8 (no such connection, or not encrypted), -7.
  @discardableResult
  public func ratchetEncryptionKey(connection: RTCConnection? = nil) -> Int {
    runtime.change { intent, parts in
      guard let index = intent.usableIndex(of: connection), intent.connections[index].encryption != nil else {
        return .invalidState
      }
      parts.network.ratchetEncryptionKey(intent.connections[index].handle.id)
      return .ok
    }
  }
}

extension EngineIntent {
  /// How a connection begins. Never in the clear what was to be encrypted: that is -2.
  func encryption(of options: ChannelMediaOptions, isDefault: Bool) throws(EngineErrorCode) -> FrameEncryptionSettings?
  {
    if let configuration = options.mediaEncryption { return try configuration.settings() }
    let isWanted = options.enableBuiltInMediaEncryption == true
    guard !isWanted || encryption != nil else { throw .invalidArgument }
    return isDefault || isWanted ? encryption : nil
  }
}
