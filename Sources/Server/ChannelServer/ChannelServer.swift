import ControlWire
import LinuxIO
public import MediaBase
import OpenSSLDTLS
import SQLiteStore
import SecureChannel
import Synchronization
import WebSocketIO

/// The channel server: control connections by HTTP and WebSocket on one thread, and workers that forward media, each with
/// a thread, a UDP port and channels of its own.
///
/// Letting go of the object stops the server.
public final class ChannelServer: Sendable {
  private struct Running: Sendable {
    var http: HTTPServer
    var workers: [ShardWorker]
    var gateway: ControlGateway
    var records: any CallRecordStore
  }

  private let configuration: ChannelServerConfiguration
  private let running = Mutex<Running?>(nil)

  /// Makes a server that does not listen yet.
  public init(configuration: ChannelServerConfiguration) { self.configuration = configuration }

  deinit { stop() }

  /// Begins to listen. Harmless if it does already.
  public func start() throws(ChannelServerError) {
    try check()
    guard running.withLock({ $0 == nil }) else { return }
    let gate = try TokenGate(configuration.development ? nil : configuration.tokens)
    guard let dtls = OpenSSLDTLS() else { throw .listening("OpenSSL could not make a certificate.") }
    let records = try openRecords()
    let workers: [ShardWorker]
    do throws(ChannelServerError) {
      workers = try startWorkers(dtls)
    } catch {
      records.close()
      throw error
    }
    var limits = HTTPLimits()
    limits.connectionCount = configuration.maximumConnectionCount
    limits.connectionCountPerAddress = configuration.limitPerAddress(
      configuration.maximumConnectionCountPerAddress, usually: 4_000)
    limits.messageByteCount = ControlProtocol.maximumMessageByteCount
    let http: HTTPServer
    do throws(HTTPServerError) {
      http = try HTTPServer(
        host: configuration.httpHost, port: configuration.httpPort, limits: limits, tls: configuration.tls)
    } catch {
      for worker in workers { worker.stop() }
      records.close()
      throw .listening(error.description)
    }
    let gateway = ControlGateway(
      configuration: configuration, workers: workers, gate: gate, fingerprint: dtls.fingerprint, http: http,
      records: records)
    gateway.attach(to: http)
    running.withLock { $0 = Running(http: http, workers: workers, gateway: gateway, records: records) }
  }

  /// Ends every connection and frees threads and ports. Returns when that is done. Idempotent.
  public func stop() {
    guard let running = running.withLock({ $0.take() }) else { return }
    running.http.stop()
    running.gateway.stop()
    for worker in running.workers { worker.stop() }
    running.records.close()
  }

  private func openRecords() throws(ChannelServerError) -> any CallRecordStore {
    if let store = configuration.callRecordStore { return store }
    do throws(SQLiteError) {
      return try SQLiteCallRecords(
        path: configuration.callRecordFile, maximumAgeDays: configuration.callRecordMaximumAgeDays,
        maximumCount: configuration.callRecordFile == nil ? 10_000 : 10_000_000,
        onTrouble: configuration.callRecordTrouble, now: { CallDesk.wallMilliseconds() })
    } catch {
      throw .records("Records of calls cannot be kept. \(error.description)")
    }
  }

  /// The TCP port of control connections; 0 while not running.
  public var boundHTTPPort: UInt16 { running.withLock { $0?.http.boundPort ?? 0 } }

  /// The first worker's UDP port; 0 while not running.
  public var boundUDPPort: UInt16 { running.withLock { $0?.workers.first?.localAddress.port ?? 0 } }

  /// Where clients are told to send media, best first, with the ports of all workers; empty while not running.
  public var candidates: [TransportAddress] {
    running.withLock { $0?.workers.flatMap(\.candidates) ?? [] }
  }

  private func check() throws(ChannelServerError) {
    guard configuration.development || configuration.tokens != nil else { throw .tokensNeeded }
    guard (1...256).contains(configuration.workers) else {
      throw .invalidConfiguration("\(configuration.workers) workers are not possible; use 1 to 256, one for each core.")
    }
    guard (0...100).contains(configuration.loudestSpeakers) else {
      throw .invalidConfiguration(
        "\(configuration.loudestSpeakers) loudest speakers are not possible; use 1 to 100, or 0 for all.")
    }
    let lastPort = Int(configuration.udpPort) + configuration.workers - 1
    guard configuration.udpPort == 0 || lastPort <= 65_535 else {
      throw .invalidConfiguration("The last worker's UDP port would be \(lastPort); ports end at 65535. Begin lower.")
    }
    for host in [configuration.httpHost, configuration.udpHost] {
      guard let address = TransportAddress(host: host, port: 0) else {
        throw .invalidConfiguration("'\(host)' is not an IP address. Use for example 127.0.0.1 or ::1.")
      }
      guard !configuration.development || address.isLoopback else { throw .developmentBeyondLoopback(host: host) }
    }
    let isPrivate = TransportAddress(host: configuration.httpHost, port: 0)?.isLoopback == true
    guard isPrivate || configuration.tls != nil || configuration.isBehindTLSProxy else {
      throw .plainHTTPBeyondLoopback(host: configuration.httpHost)
    }
  }

  private func startWorkers(_ dtls: any DTLSProvider) throws(ChannelServerError) -> [ShardWorker] {
    guard let bound = TransportAddress(host: configuration.udpHost, port: 0) else {
      throw .invalidConfiguration("'\(configuration.udpHost)' is not an IP address.")
    }
    let hosts = try CandidateHosts.hosts(
      advertised: configuration.advertisedHosts, bound: bound, interfaces: InterfaceAddress.all())
    var workers: [ShardWorker] = []
    do throws(ChannelServerError) {
      for index in 0..<configuration.workers {
        let port = configuration.udpPort == 0 ? 0 : configuration.udpPort + UInt16(index)
        workers.append(
          try ShardWorker(
            index: index, host: configuration.udpHost, port: port, candidateHosts: hosts,
            loudestSpeakers: configuration.loudestSpeakers, dtls: dtls))
      }
    } catch {
      for worker in workers { worker.stop() }
      throw error
    }
    return workers
  }
}
