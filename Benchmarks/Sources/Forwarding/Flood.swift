import LinuxIO
import MediaBase
import RTPWire
import STUNWire
import Synchronization

/// Datagrams that nobody asked for, from addresses that nobody knows, at a steady rate, on a thread of its own.
final class Flood: @unchecked Sendable {
  // @unchecked: apart from the atomics, everything is touched by the thread, or while there is none.

  enum Kind: String, CaseIterable {
    /// Checks for users that there are not.
    case unknownCheck = "STUN for nobody"
    /// Checks for users that there are, with another password.
    case forgedCheck = "STUN with a wrong password"
    case media = "RTP of nobody"
    case noise = "random bytes"
  }

  let sent = Atomic<Int>(0)
  private let sockets: [UDPSocket]
  private let target: TransportAddress
  private let datagrams: [Kind: [[UInt8]]]
  private let isEnding = Atomic<Bool>(false)
  private var thread: WorkerThread?

  /// - Parameter fragments: the server's user name fragments, for checks that name somebody.
  init(port: UInt16, fragments: [(receiver: String, sender: String)]) throws {
    target = TransportAddress(ipv4: 0x7F00_0001, port: port)
    sockets = try (0..<64).map { _ in try UDPSocket(host: "127.0.0.1", port: 0) }
    var random = SeededRandom(seed: 1)
    var datagrams: [Kind: [[UInt8]]] = [:]
    for kind in Kind.allCases {
      datagrams[kind] = (0..<256).map { Self.make(kind, fragments[$0 % fragments.count], &random) }
    }
    self.datagrams = datagrams
  }

  /// Sends `rate` datagrams of these kinds in a second until `stop()`.
  func start(_ kinds: [Kind], rate: Int) {
    isEnding.store(false, ordering: .relaxed)
    thread = WorkerThread(name: "flood") { [self] in run(kinds, rate: rate) }
  }

  func stop() {
    isEnding.store(true, ordering: .relaxed)
    thread?.join()
    thread = nil
  }

  private func run(_ kinds: [Kind], rate: Int) {
    let begin = MonotonicClock.now()
    var count = 0
    while !isEnding.load(ordering: .relaxed) {
      let due = Int((MonotonicClock.now() - begin).nanoseconds / 1_000 * Int64(rate) / 1_000_000)
      while count < due {
        guard let datagram = datagrams[kinds[count % kinds.count]]?[count / kinds.count % 256] else { return }
        datagram.withUnsafeBytes { _ = sockets[count % 64].send($0, to: target) }
        count += 1
        sent.add(1, ordering: .relaxed)
      }
      MonotonicClock.sleep(for: .microseconds(500))
    }
  }

  private static func make(
    _ kind: Kind, _ fragments: (receiver: String, sender: String), _ random: inout SeededRandom
  ) -> [UInt8] {
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) } }
    switch kind {
    case .noise: return bytes(200)
    case .media: return [0x80, 96] + bytes(1_198)
    case .unknownCheck, .forgedCheck:
      var message = STUNMessageBuilder(
        .request, transactionID: STUNTransactionID(high: random.next32(), low: random.next()))
      let receiver = kind == .forgedCheck ? fragments.receiver : String(random.next(), radix: 36).prefix(8) + ""
      message.add(username: "\(receiver):\(fragments.sender)")
      message.add(priority: 1)
      message.add(iceControlling: random.next())
      message.addUseCandidate()
      message.addMessageIntegrity(password: "another password than that") { key, text, digest in
        MediaClient.authenticate(key, text, digest)
      }
      message.addFingerprint()
      var encoded = [UInt8](repeating: 0, count: message.byteCount)
      encoded.withUnsafeMutableBytes { buffer in
        var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
        _ = message.write(into: &output)
        _ = output.finalize(for: buffer)
      }
      return encoded
    }
  }
}

extension SeededRandom {
  fileprivate mutating func next32() -> UInt32 { UInt32(truncatingIfNeeded: next()) }
}
