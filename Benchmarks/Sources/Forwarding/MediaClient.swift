import CForwardingFloor
import ControlWire
import Glibc
import ICEAgent
import LinuxIO
import MediaBase
import OpenSSLCrypto
import OpenSSLDTLS
import RTPWire
import SecureChannel
import Synchronization

/// A participant that costs little: it counts what it gets, decrypts only if it samples, and keeps its connection alive.
final class MediaClient: @unchecked Sendable {
  // @unchecked: everything but the atomics is touched on the thread of its `ClientLoop`, and `sender` of a publisher,
  // once it is connected, on the publisher's thread.

  struct Totals {
    var packets = 0
    var bytes = 0
  }

  var ssrcs: TrackSSRCs
  let localCredentials: ICECredentials
  let socket: UDPSocket
  /// Whether packets are decrypted, and reported on by transport-wide feedback.
  let isSampling: Bool
  let publishes: Bool
  let isConnected = Atomic<Bool>(false)
  let hasFailed = Atomic<Bool>(false)
  private let packetCount = Atomic<Int>(0)
  private let byteCount = Atomic<Int>(0)
  /// Of a sampling client: numbers that were skipped, and never came later.
  let missing = Atomic<Int>(0)
  let keyFrameRequests = Atomic<Int>(0)
  /// Numbers that the server has asked this publisher for.
  let asked = Mutex<[UInt16]>([])
  /// Nanoseconds from sending to the arrival at the socket, of a sampling client.
  let latencies = Mutex<[Int64]>([])

  var path: MediaPath?
  var ice: ICEAgent?
  var dtls: (any DTLSEndpoint)?
  var sender: SRTPSender?
  var receiver: SRTPReceiver?
  var remote: TransportAddress?
  var nextReport = MediaInstant.zero
  var highest: [UInt32: Int64] = [:]
  var arrivals: [(sequenceNumber: UInt16, time: MediaInstant)] = []
  var feedbackCount: UInt8 = 0
  var unwrappers: [UInt32: SequenceUnwrapper] = [:]

  static let crypto = OpenSSLCrypto.provider
  static let identity = OpenSSLDTLS(profiles: [.aeadAES128GCM])

  init(publishes: Bool, isSampling: Bool = false) throws {
    func text(_ count: Int) -> String {
      let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
      return String((0..<count).map { _ in digits[Int.random(in: 0..<digits.count)] })
    }
    self.publishes = publishes
    self.isSampling = isSampling
    ssrcs = TrackSSRCs(
      audio: UInt32.random(in: 1..<1 << 30), video: UInt32.random(in: 1 << 30..<1 << 31),
      videoRTX: UInt32.random(in: 1 << 31...UInt32.max))
    localCredentials = ICECredentials(usernameFragment: text(8), password: text(24))
    socket = try UDPSocket(host: "127.0.0.1", port: 0)
    _ = gro_enable(socket.fileDescriptor, 4 << 20, isSampling ? 1 : 0)
  }

  var totals: Totals {
    Totals(packets: packetCount.load(ordering: .relaxed), bytes: byteCount.load(ordering: .relaxed))
  }

  /// Agrees on a path by WHIP or WHEP.
  func negotiate(name: String, port: UInt16, query: String = "") throws -> MediaPath {
    let offer = OfferText.make(
      publishes: publishes, localCredentials, fingerprint: Self.identity?.fingerprint ?? [], ssrcs: ssrcs)
    let answer = try HTTPPost.send(offer, to: "/\(publishes ? "whip" : "whep")/\(name)\(query)", port: port)
    guard let path = MediaPath(answer: answer), !path.candidates.isEmpty else {
      throw HTTPPost.Failure(description: "an answer that cannot be used: \(answer)")
    }
    return path
  }

  /// Begins to connect. On the loop's thread.
  func begin(_ path: MediaPath, now: MediaInstant) {
    self.path = path
    ice = ICEAgent(
      configuration: ICEConfiguration(
        role: .controlling, localCredentials: localCredentials, remoteCredentials: path.credentials,
        remoteCandidates: path.candidates, seed: UInt64.random(in: 0...UInt64.max)),
      hmacSHA1: { Self.authenticate($0, $1, $2) }, now: now)
    if case .keys(let outgoing, let incoming) = path.security { setKeys(outgoing: outgoing, incoming: incoming) }
    nextReport = now + .milliseconds(Int64.random(in: 500...1_500))
    transmit(now: now)
  }

  /// HMAC-SHA1; whether it could be computed.
  static func authenticate(
    _ key: UnsafeRawBufferPointer, _ message: UnsafeRawBufferPointer, _ digest: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let key = key.bindMemory(to: UInt8.self).baseAddress.map({ ($0, key.count) }),
      let message = message.bindMemory(to: UInt8.self).baseAddress.map({ ($0, message.count) }),
      let digest = digest.bindMemory(to: UInt8.self).baseAddress
    else { return false }
    return crypto.authenticateSHA1(key.0, key.1, message.0, message.1, digest)
  }

  func setKeys(outgoing: SRTPKeyMaterial, incoming: SRTPKeyMaterial) {
    sender = try? SRTPSender(material: outgoing, crypto: Self.crypto)
    receiver = try? SRTPReceiver(material: incoming, crypto: Self.crypto)
  }

  /// Sends what ICE and DTLS have to send.
  func transmit(now: MediaInstant) {
    withUnsafeTemporaryAllocation(byteCount: 1_500, alignment: 16) { buffer in
      while true {
        var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
        let destination = ice?.pollTransmit(into: &output, now: now)
        let count = output.finalize(for: buffer)
        guard let destination, count > 0 else { break }
        socket.send(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: destination)
      }
    }
    guard let remote, let dtls else { return }
    while let datagram = dtls.pollTransmit() { datagram.withUnsafeBytes { _ = socket.send($0, to: remote) } }
  }

  func count(packets: Int, bytes: Int) {
    packetCount.add(packets, ordering: .relaxed)
    byteCount.add(bytes, ordering: .relaxed)
  }
}
