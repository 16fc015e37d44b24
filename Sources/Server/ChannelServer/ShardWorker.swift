import ChannelCore
import ControlWire
import ForwardingCore
import LinuxIO
import MediaBase
import OpenSSLCrypto
import SecureChannel
import Synchronization

/// One thread with a UDP socket and a `ChannelShard`.
final class ShardWorker: Sendable {
  /// Where media is received.
  let localAddress: TransportAddress
  private let loop: EventLoop
  private let thread: WorkerThread
  private let shard: ShardRuntime

  /// Where clients are told to send media, best first.
  let candidates: [TransportAddress]

  /// - Parameter candidateHosts: the addresses by which clients reach the port, best first; their ports do not count.
  init(
    index: Int, host: String, port: UInt16, candidateHosts: [TransportAddress], loudestSpeakers: Int,
    dtls: any DTLSProvider
  ) throws(ChannelServerError) {
    let (socket, listener) = try Self.bind(host: host, port: port)
    let loop = EventLoop()
    let datagrams = candidateHosts.map { $0.withPort(socket.localAddress.port) }
    candidates = datagrams + datagrams.map { $0.with(.tcp) }
    let shard = ShardRuntime(
      socket: socket, listener: listener, candidates: candidates, loudestSpeakers: loudestSpeakers, dtls: dtls,
      loop: loop)
    localAddress = socket.localAddress
    self.loop = loop
    self.shard = shard
    loop.post { shard.begin() }
    thread = WorkerThread(name: "shard-\(index)") {
      loop.run()
      shard.end()
    }
  }

  /// One number for UDP and TCP. If the system chooses it, it may choose one that is in use for TCP: then another is tried.
  private static func bind(host: String, port: UInt16) throws(ChannelServerError) -> (UDPSocket, TCPListener) {
    var failure = ChannelServerError.listening("No port is free for both UDP and TCP.")
    for _ in 0..<(port == 0 ? 32 : 1) {
      let socket: UDPSocket
      do throws(UDPSocketError) { socket = try UDPSocket(host: host, port: port, sendPatience: .milliseconds(2)) } catch
      {
        throw .listening(error.description)
      }
      do throws(TCPListenerError) {
        return (socket, try TCPListener(socket.localAddress))
      } catch {
        failure = .listening(error.description)
        socket.close()
      }
    }
    throw failure
  }

  /// Has messages to control connections handed to `deliver`, all of a turn at once, on the worker's thread.
  func setDelivery(_ deliver: @escaping @Sendable ([ControlDelivery]) -> Void) {
    loop.post { [shard] in shard.deliver = deliver }
  }

  /// Has changes of who is in which communication channel handed to `note`, on the worker's thread.
  func setPresence(_ note: @escaping @Sendable (ChannelPresence) -> Void) {
    loop.post { [shard] in shard.notePresence = note }
  }

  /// Tells a user of a channel something that it has not asked for. From any thread.
  func tell(_ error: ErrorResponse, uid: UInt, in channel: String) {
    loop.post { [shard] in shard.tell(error, uid: uid, in: channel) }
  }

  /// Takes a request of a control connection. From any thread.
  func receive(_ request: ChannelRequest, grant: ChannelGrant? = nil, from client: UInt64) {
    loop.post { [shard] in shard.receive(request, grant: grant, from: client) }
  }

  /// A participant by WebRTC wants to join. From any thread.
  func join(_ request: JoinRequest, grant: ChannelGrant, by webRTC: WebRTCJoin, from client: UInt64) {
    loop.post { [shard] in shard.join(request, grant: grant, by: webRTC, from: client) }
  }

  /// A participant by WebRTC restarts ICE; `then` gets the server's new credentials on the worker's thread, or `nil`. From
  /// any thread.
  func restartICE(
    _ ice: ICEParameters, of client: UInt64, then: @escaping @Sendable (ICEParameters?) -> Void
  ) {
    loop.post { [shard] in then(shard.restartICE(ice, of: client)) }
  }

  /// How much of the video that it sees a participant by WebRTC wants at most, from now on. From any thread.
  func setTarget(_ target: LayerTarget, of client: UInt64) {
    loop.post { [shard] in shard.setTarget(target, of: client) }
  }

  /// Hands its channels to `body`, on the worker's thread. From any thread.
  func withChannels(_ body: @escaping @Sendable ([ChannelSummary]) -> Void) {
    loop.post { [shard] in body(shard.channels) }
  }

  /// A control connection has ended. From any thread.
  func clientClosed(_ client: UInt64) {
    loop.post { [shard] in shard.clientClosed(client) }
  }

  /// What it carries, as of at most a second ago. From any thread.
  var statistics: ShardStatistics? { shard.published.withLock { $0 } }

  /// Ends the thread and closes the socket. Idempotent.
  func stop() {
    loop.stop()
    thread.join()
  }
}
