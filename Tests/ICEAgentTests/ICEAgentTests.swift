import MediaBase
import OpenSSLCrypto
import STUNWire
import SecureChannel
import Testing

@testable import ICEAgent

/// HMAC-SHA1 by the crypto provider.
let hmacSHA1: @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Bool = {
  key, message, digest in
  guard let result = OpenSSLCrypto.provider.hmacSHA1(key: Array(key), message: Array(message)) else { return false }
  digest.copyBytes(from: result)
  return true
}

let clientCredentials = ICECredentials(
  usernameFragment: "clnt", password: "client-password-of-24-ch")
let serverCredentials = ICECredentials(
  usernameFragment: "srvr", password: "server-password-of-24-ch")
let serverAddress = TransportAddress(ipv4: 0x7F00_0001, port: 5_000)

/// A client and a lite server with a bad network between them, on a virtual clock.
struct Bench {
  var client: ICEAgent
  var server: ICEAgent
  var now = MediaInstant.zero
  var random: SeededRandom
  var loss = 0.0
  var clientAddress = TransportAddress(ipv4: 0x7F00_0001, port: 40_000)
  var serverEvents: [ICEEvent] = []
  var clientEvents: [ICEEvent] = []
  var datagramCount = 0

  init(seed: UInt64, loss: Double = 0, clientKnows remote: ICECredentials = serverCredentials) {
    random = SeededRandom(seed: seed)
    self.loss = loss
    client = ICEAgent(
      configuration: ICEConfiguration(
        role: .controlling, localCredentials: clientCredentials, remoteCredentials: remote,
        remoteCandidates: [TransportAddress(ipv4: 0x0A00_0001, port: 9), serverAddress], seed: seed),
      hmacSHA1: hmacSHA1, now: .zero)
    server = ICEAgent(
      configuration: ICEConfiguration(
        role: .lite, localCredentials: serverCredentials, remoteCredentials: clientCredentials, remoteCandidates: [],
        seed: seed &+ 1), hmacSHA1: hmacSHA1, now: .zero)
  }

  /// Everything that happens at `now`, with instant delivery.
  mutating func exchange() {
    client.handleTimeout(now: now)
    server.handleTimeout(now: now)
    while let (bytes, address) = datagram(of: &client, now: now) {
      datagramCount += 1
      guard address == serverAddress, Double.random(in: 0..<1, using: &random) >= loss else { continue }
      deliver(bytes, to: &server, from: clientAddress)
      while let (answer, target) = datagram(of: &server, now: now) {
        guard target == clientAddress, Double.random(in: 0..<1, using: &random) >= loss else { continue }
        deliver(answer, to: &client, from: serverAddress)
      }
    }
    while let event = client.pollEvent() { clientEvents.append(event) }
    while let event = server.pollEvent() { serverEvents.append(event) }
  }

  /// Lets time pass until `limit`, from deadline to deadline.
  mutating func run(until limit: MediaInstant, _ stop: (Bench) -> Bool = { _ in false }) {
    exchange()
    while !stop(self), let next = MediaInstant.earliest(client.nextTimeout, server.nextTimeout), next <= limit {
      now = max(now, next)
      exchange()
    }
    if !stop(self) { now = limit }
  }

  func deliver(_ bytes: [UInt8], to agent: inout ICEAgent, from address: TransportAddress) {
    agent.receive(bytes.span.bytes, from: address, now: now)
  }
}

func datagram(of agent: inout ICEAgent, now: MediaInstant) -> ([UInt8], TransportAddress)? {
  var address: TransportAddress?
  let bytes = [UInt8](unsafeUninitializedCapacity: 1_500) { buffer, count in
    var output = OutputRawSpan(buffer: UnsafeMutableRawBufferPointer(buffer), initializedCount: 0)
    address = agent.pollTransmit(into: &output, now: now)
    count = output.finalize(for: UnsafeMutableRawBufferPointer(buffer))
  }
  return address.map { (bytes, $0) }
}

/// An authentic request to the server.
func request(_ number: UInt64 = 2, _ body: (inout STUNMessageBuilder) -> Void) -> [UInt8] {
  var message = STUNMessageBuilder(.request, transactionID: STUNTransactionID(high: 1, low: number))
  message.add(username: "srvr:clnt")
  body(&message)
  message.addMessageIntegrity(password: serverCredentials.password, hmacSHA1: hmacSHA1)
  message.addFingerprint()
  return [UInt8](unsafeUninitializedCapacity: 1_500) { buffer, count in
    var output = OutputRawSpan(buffer: UnsafeMutableRawBufferPointer(buffer), initializedCount: 0)
    _ = message.write(into: &output)
    count = output.finalize(for: UnsafeMutableRawBufferPointer(buffer))
  }
}

@Suite struct ICEAgentTests {
  @Test func pathIsOpenAfterOneRoundTrip() {
    var bench = Bench(seed: 1)
    bench.exchange()
    #expect(bench.clientEvents == [.connected(serverAddress)])
    #expect(bench.serverEvents == [.connected(bench.clientAddress)])
    #expect(bench.now == .zero)
  }

  @Test(arguments: 0..<60) func agentsConnectThroughLossWithinSeconds(seed: UInt64) {
    var bench = Bench(seed: seed, loss: 0.3)
    bench.run(until: .zero + .seconds(20)) { !$0.clientEvents.isEmpty && !$0.serverEvents.isEmpty }
    #expect(bench.client.selectedRemoteAddress == serverAddress)
    #expect(bench.server.selectedRemoteAddress == bench.clientAddress)
  }

  @Test func wrongPasswordNeverConnects() {
    var wrong = serverCredentials
    wrong.password += "x"
    var bench = Bench(seed: 3, clientKnows: wrong)
    bench.run(until: .zero + .seconds(60))
    #expect(bench.clientEvents.isEmpty && bench.serverEvents.isEmpty)
  }

  @Test func silentCandidatesAreCheckedLessAndLessOften() {
    var bench = Bench(seed: 4, loss: 1)
    bench.run(until: .zero + .seconds(60))
    // 50 ms doubling up to 1.6 s: five checks in the first 1.5 s, then one every 1.6 s, to each of two addresses.
    #expect((70...90).contains(bench.datagramCount))
  }

  @Test func consentGoesOnForHoursAndEndsThirtySecondsAfterTheLastAnswer() {
    var bench = Bench(seed: 5)
    bench.run(until: .zero + .seconds(3_600))
    #expect(bench.clientEvents == [.connected(serverAddress)])
    #expect(bench.serverEvents == [.connected(bench.clientAddress)])
    // One check every 5 s, give or take a fifth.
    #expect((600...900).contains(bench.datagramCount))
    bench.loss = 1
    bench.run(until: .zero + .seconds(3_620))
    #expect(bench.client.selectedRemoteAddress != nil)
    bench.run(until: .zero + .seconds(3_640))
    #expect(bench.clientEvents.last == .disconnected && bench.serverEvents.last == .disconnected)
    #expect(bench.client.selectedRemoteAddress == nil && bench.server.selectedRemoteAddress == nil)
    bench.loss = 0
    bench.run(until: .zero + .seconds(3_650))
    #expect(bench.clientEvents.last == .connected(serverAddress))
  }

  @Test func consentSurvivesLoss() {
    var bench = Bench(seed: 6)
    bench.exchange()
    bench.loss = 0.3
    bench.run(until: .zero + .seconds(3_600))
    #expect(!bench.clientEvents.contains(.disconnected))
  }

  @Test func serverFollowsTheClientToAnotherAddress() {
    var bench = Bench(seed: 7)
    bench.exchange()
    bench.clientAddress.port = 50_000
    bench.run(until: .zero + .seconds(10))
    #expect(
      bench.serverEvents == [
        .connected(TransportAddress(ipv4: 0x7F00_0001, port: 40_000)), .addressChanged(bench.clientAddress),
      ])
    #expect(!bench.clientEvents.contains(.disconnected))
  }

  @Test func aCheckThatIsAskedForMovesThePathAtOnce() {
    var bench = Bench(seed: 7)
    bench.exchange()
    bench.clientAddress.port = 50_000
    bench.exchange()
    #expect(bench.serverEvents.count == 1)
    bench.client.checkNow(now: bench.now)
    bench.exchange()
    #expect(bench.serverEvents.last == .addressChanged(bench.clientAddress))
    // Asked for before there is a path, it is no more than the first one.
    var unborn = Bench(seed: 8)
    unborn.client.checkNow(now: .zero)
    unborn.exchange()
    #expect(unborn.datagramCount == 2)
  }

  @Test func aCopyOfACheckFromElsewhereIsAnsweredButDoesNotMoveThePath() throws {
    var bench = Bench(seed: 14)
    let (thief, honest) = (TransportAddress(ipv4: 0x0102_0304, port: 5), bench.clientAddress)
    while let (bytes, address) = datagram(of: &bench.client, now: .zero) {
      guard address == serverAddress else { continue }
      bench.deliver(bytes, to: &bench.server, from: honest)
      // As often as anybody likes, and without keeping up consent.
      bench.now = .zero + .seconds(20)
      for _ in 0..<3 {
        for source in [thief, honest] {
          bench.deliver(bytes, to: &bench.server, from: source)
          while datagram(of: &bench.server, now: bench.now) != nil {}
        }
      }
      #expect(bench.server.selectedRemoteAddress == honest)
    }
    bench.now = .zero + .seconds(31)
    bench.server.handleTimeout(now: bench.now)
    #expect(bench.server.selectedRemoteAddress == nil)
  }

  @Test func aCopyThatOvertakesItsCheckHasThePathOnlyUntilTheCheckComes() {
    var bench = Bench(seed: 15)
    let thief = TransportAddress(ipv4: 0x0102_0304, port: 5)
    bench.exchange()
    let check = request {
      $0.add(iceControlling: 5); $0.addUseCandidate()
    }
    bench.deliver(check, to: &bench.server, from: thief)
    bench.deliver(check, to: &bench.server, from: bench.clientAddress)
    #expect(bench.server.selectedRemoteAddress == bench.clientAddress)
    for _ in 0..<3 { bench.deliver(check, to: &bench.server, from: thief) }
    #expect(bench.server.selectedRemoteAddress == bench.clientAddress)
  }

  @Test func changedChecksHaveNoEffectAndGetNoAnswer() throws {
    var bench = Bench(seed: 8)
    let (check, _) = try #require(datagram(of: &bench.client, now: .zero))
    for position in check.indices {
      for bit in 0..<8 {
        var changed = check
        changed[position] ^= 1 << bit
        bench.deliver(changed, to: &bench.server, from: bench.clientAddress)
      }
    }
    #expect(bench.server.selectedRemoteAddress == nil)
    #expect(datagram(of: &bench.server, now: .zero) == nil)
  }

  @Test func answerFromAnotherAddressIsIgnored() throws {
    var bench = Bench(seed: 9)
    var check: [UInt8] = []
    while let (bytes, address) = datagram(of: &bench.client, now: .zero) {
      if address == serverAddress { check = bytes }
    }
    bench.deliver(check, to: &bench.server, from: bench.clientAddress)
    let (answer, _) = try #require(datagram(of: &bench.server, now: .zero))
    bench.deliver(answer, to: &bench.client, from: TransportAddress(ipv4: 0x0102_0304, port: 5_000))
    #expect(bench.client.selectedRemoteAddress == nil)
    bench.deliver(answer, to: &bench.client, from: serverAddress)
    #expect(bench.client.selectedRemoteAddress == serverAddress)
  }

  @Test func conflictingRoleIsRefusedWith487() throws {
    var bench = Bench(seed: 10)
    bench.deliver(request { $0.add(iceControlled: 5) }, to: &bench.server, from: bench.clientAddress)
    let (answer, _) = try #require(datagram(of: &bench.server, now: .zero))
    let message = try STUNMessage(parsing: answer.span.bytes)
    #expect(message.errorCode?.code == 487)
    #expect(bench.server.selectedRemoteAddress == nil)
  }

  @Test func checkWithoutUseCandidateIsAnsweredButNotSelected() {
    var bench = Bench(seed: 11)
    bench.deliver(request { $0.add(iceControlling: 5) }, to: &bench.server, from: bench.clientAddress)
    #expect(datagram(of: &bench.server, now: .zero) != nil)
    #expect(bench.server.selectedRemoteAddress == nil)
  }

  @Test func floodOfChecksQueuesABoundedNumberOfAnswers() {
    var bench = Bench(seed: 12)
    let check = request { $0.add(iceControlling: 5) }
    for _ in 0..<10_000 { bench.deliver(check, to: &bench.server, from: bench.clientAddress) }
    var count = 0
    while datagram(of: &bench.server, now: .zero) != nil { count += 1 }
    #expect(count == ICEAgent.answerLimit)
  }

  @Test func usernameTellsTheReceiver() throws {
    var bench = Bench(seed: 13)
    let (check, _) = try #require(datagram(of: &bench.client, now: .zero))
    #expect(ICEAgent.receiverUsernameFragment(of: check.span.bytes) == "srvr")
  }
}
