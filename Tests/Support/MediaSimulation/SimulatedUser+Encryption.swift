import EngineCore
import MediaBase
import OpenSSLCrypto
import SFrame

extension SimulatedUser {
  static func encryption(_ key: String?) -> FrameEncryptionSettings? {
    guard let key else { return nil }
    let secret = SFrameSecret(
      key: Array(key.utf8), salt: [], suite: .aes128GCMSHA256, crypto: OpenSSLCrypto.provider)
    return secret.map { FrameEncryptionSettings(secret: $0) }
  }

  /// Changes the key of a connection, or turns encryption off (`nil`).
  public func encrypt(_ channel: String, key: String?) {
    guard let connection = connection(channel) else { return }
    connection.core.setEncryption(Self.encryption(key), now: world.now)
    world.drain(connection)
  }

  /// Moves the own key on by a step.
  public func ratchet(_ channel: String) {
    guard let connection = connection(channel) else { return }
    connection.core.ratchetEncryptionKey(now: world.now)
    world.drain(connection)
  }

  /// Sends a text on a data stream.
  public func sendMessage(_ channel: String, stream: Int, sequence: Int, _ text: String) {
    guard let connection = connection(channel) else { return }
    connection.core.sendStreamMessage(
      streamID: stream, sequence: sequence, data: Array(text.utf8), now: world.now)
    world.drain(connection)
  }
}
