import ControlWire
import EngineCore
import ICEAgent
import MediaBase
import OpenSSLCrypto
import PeerTransport
import RTPSession
import SecureChannel

/// A `ConnectionCore` on a virtual clock, with a scripted server: control messages by hand, media through the real
/// transport and session of the other side over a link that may lose and delay.
final class CoreBench {
  var core: ConnectionCore
  var server: ServerSide?
  private(set) var now = MediaInstant(nanoseconds: 1_000_000_000)
  private(set) var commands: [ControlCommand] = []
  private(set) var events: [ConnectionEvent] = []
  private var link: [Datagram] = []
  private var random: SeededRandom
  var lossPercent: UInt64 = 0
  var delay = MediaDuration.milliseconds(10)
  /// Off, nothing arrives any more in either direction.
  var isLinkUp = true
  var answeredKeyFrames = 0
  /// Whether the server takes a second, smaller video.
  let hasLowVideo: Bool
  static let clientAddress = TransportAddress(ipv4: 0x0A00_0001, port: 40_000)
  static let serverAddress = TransportAddress(ipv4: 0x0A00_0002, port: 5_000)

  struct Datagram {
    var bytes: [UInt8]
    var arrival: MediaInstant
    var toServer: Bool
  }

  /// What answers on the server's UDP port for this one client.
  struct ServerSide: ~Copyable {
    var transport: PeerTransport
    var session: RTPSession
    var receivedFrames: [EncodedVideoFrame] = []
    var receivedAudioCount = 0
    var lastAudio: [UInt8] = []
    var keyFrameRequests: [UInt32] = []
  }

  init(
    role: ClientRole = .broadcaster, publish: TrackFlags = TrackFlags(audio: true, video: true),
    subscribe: Subscription = Subscription(everyone: TrackFlags(audio: true, video: true)),
    profile: ChannelProfile = .liveBroadcasting, timing: ConnectionTiming = ConnectionTiming(), seed: UInt64 = 1,
    encryption: FrameEncryptionSettings? = nil, hasLowVideo: Bool = false
  ) {
    self.hasLowVideo = hasLowVideo
    random = SeededRandom(seed: seed &* 7_919)
    var configuration = ConnectionConfiguration(
      channel: "show", uid: 7, profile: profile, role: role, publish: publish, subscribe: subscribe, seed: seed,
      timing: timing)
    configuration.encryption = encryption
    configuration.wantsLowVideo = hasLowVideo
    core = ConnectionCore(configuration: configuration, crypto: OpenSSLCrypto.provider, now: now)
    settle()
  }

  var isSendingVideo: Bool { core.isSendingVideo }
  var isSendingAudio: Bool { core.isSendingAudio }
  var hasEnded: Bool { core.hasEnded }
  var nextTimeout: MediaInstant? { core.nextTimeout }

  /// Drains the core: events and commands are collected, datagrams go onto the link.
  func settle() {
    while let event = core.pollEvent() { events.append(event) }
    while let command = core.pollControl() { commands.append(command) }
    transmit()
  }

  func act(_ body: (inout ConnectionCore, MediaInstant) -> Void) {
    body(&core, now)
    settle()
  }

  /// Lets time pass, delivering datagrams and firing timeouts as they come due.
  func run(for duration: MediaDuration) {
    let end = now + duration
    while true {
      var next = end
      next = min(next, link.map(\.arrival).min() ?? end)
      next = min(next, max(now, core.nextTimeout ?? end))
      next = min(next, max(now, serverTimeout ?? end))
      now = max(now, next)
      deliver()
      if let timeout = core.nextTimeout, timeout <= now {
        core.handleTimeout(now: now)
        settle()
      }
      if let timeout = serverTimeout, timeout <= now {
        server?.transport.handleTimeout(now: now)
        server?.session.handleTimeout(now: now)
        drainServer()
      }
      if now >= end { return }
    }
  }

  private var serverTimeout: MediaInstant? {
    switch server {
    case .some(let server): .earliest(server.transport.nextTimeout, server.session.nextTimeout)
    case .none: nil
    }
  }

  private func deliver() {
    let due = link.filter { $0.arrival <= now }
    link.removeAll { $0.arrival <= now }
    for datagram in due where isLinkUp {
      var bytes = datagram.bytes
      if datagram.toServer {
        bytes.withUnsafeMutableBytes { receiveAtServer($0) }
        drainServer()
      } else {
        bytes.withUnsafeMutableBytes { core.receive(datagram: $0, from: Self.serverAddress, now: now) }
        settle()
      }
    }
  }

  func put(_ bytes: [UInt8], toServer: Bool) {
    guard isLinkUp, random.next() % 100 >= lossPercent else { return }
    link.append(Datagram(bytes: bytes, arrival: now + delay, toServer: toServer))
  }

  private func transmit() {
    while true {
      var address: TransportAddress?
      let bytes = [UInt8](unsafeUninitializedCapacity: 1_600) { buffer, count in
        var span = OutputRawSpan(buffer: UnsafeMutableRawBufferPointer(buffer), initializedCount: 0)
        address = core.pollTransmit(into: &span)
        count = span.finalize(for: UnsafeMutableRawBufferPointer(buffer))
      }
      guard address != nil else { return }
      put(bytes, toServer: true)
    }
  }
}
