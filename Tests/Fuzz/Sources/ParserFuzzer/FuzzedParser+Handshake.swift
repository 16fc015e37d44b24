import MediaBase
import OpenSSLDTLS
import SecureChannel
import WebSocketIO

extension FuzzedParser {
  private static let identity = OpenSSLDTLS()

  /// Gives the bytes to a server and to a client as datagrams, each behind its length: nothing is agreed by them, and what
  /// is answered fits a datagram.
  static func shakeHands(_ input: [UInt8]) {
    var now = MediaInstant(nanoseconds: 1_000_000_000)
    for isClient in [false, true] {
      let fingerprint = [UInt8](repeating: 1, count: 32)
      guard let endpoint = identity?.makeEndpoint(isClient: isClient, remoteFingerprint: fingerprint, now: now) else {
        fatalError("no endpoint can be made")
      }
      var rest = input[...]
      while let count = rest.popFirst() {
        let datagram = Array(rest.prefix(4 * Int(count)))
        rest = rest.dropFirst(datagram.count)
        datagram.withUnsafeBytes { endpoint.receive($0, now: now) }
        now = now + .milliseconds(60)
        endpoint.handleTimeout(now: now)
        while let answer = endpoint.pollTransmit() { precondition((1...1_500).contains(answer.count)) }
        if case .established = endpoint.state { fatalError("keys were agreed on with nobody") }
      }
    }
  }

  /// Reads a text as a query.
  static func readQuery(_ text: String) {
    guard let parameters = HTTPQuery.parameters(text) else { return }
    for part in parameters.flatMap({ [$0.key, $0.value] }) {
      precondition(part.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character came through")
    }
  }
}
