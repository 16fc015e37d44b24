import ChannelCore
import ControlWire
import MediaBase

@testable import Signaling

/// Clients and a server without threads: bytes on the way take time, and connections break with what is on them.
struct SignalWorld {
  struct Text {
    let text: String
    let sendTime: MediaInstant
    /// How long it may be on its way.
    let life: MediaDuration
    /// `nil` until answered.
    var result: SignalError??
    var arrivals = 0
  }

  private enum Item {
    case request(client: UInt64, SignalRequest)
    case response(client: UInt64, SignalResponse)
    case opened(client: UInt64)
    case closed(client: UInt64)
    case serverHears(client: UInt64)
  }

  private struct User {
    var core: SignalClientCore
    /// Its present connection.
    var client: UInt64?
    /// Numbers of the texts that have come, by sender.
    var arrived: [UInt: Int] = [:]
  }

  /// What counts if the sender of a text says nothing.
  private let timeToLive = MediaDuration.milliseconds(3_000)
  private(set) var texts: [Text] = []
  private(set) var disorder: [String] = []
  /// Texts that came later than they may.
  private(set) var late: [String] = []
  private(set) var lossCount = 0
  private var now = MediaInstant.zero
  private var random: SeededRandom
  private var users: [UInt: User] = [:]
  private var server = SignalDirectory()
  private var clientCount: UInt64 = 0
  /// Whose connection it is, while it lasts.
  private var owners: [UInt64: UInt] = [:]
  /// What is on its way, and when it arrives. Each direction of a connection is in order.
  private var items: [(time: MediaInstant, order: Int, item: Item)] = []
  private var itemCount = 0
  private var lastArrival: [UInt64: MediaInstant] = [:]

  init(seed: UInt64, users count: Int) {
    random = SeededRandom(seed: seed)
    for number in 1...count {
      let timing = SignalClientCore.Timing(answer: .seconds(5), timeToLive: timeToLive)
      let key = "session-of-user-\(number)-"
      var logins = 0
      users[UInt(number)] = User(
        core: SignalClientCore(timing: timing, seed: random.next()) {
          logins += 1
          return key + String(logins)
        })
      step(UInt(number)) { $0.logIn(uid: UInt(number), token: "", completion: -1, now: $1) }
    }
    // A first login that fails is not tried again.
    for _ in 0..<100 { advance(by: .milliseconds(10)) }
  }

  /// Lets everybody send to everybody, while connections break.
  mutating func run(for duration: MediaDuration, textsPerSecond: Double, lossesPerSecond: Double) {
    let end = now + duration
    while now < end {
      if Double.random(in: 0..<1, using: &random) < textsPerSecond / 100 { sendText() }
      if Double.random(in: 0..<1, using: &random) < lossesPerSecond / 100 { loseConnection() }
      advance(by: .milliseconds(10))
    }
  }

  /// Until nothing more can happen.
  mutating func settle() { for _ in 0..<3_000 { advance(by: .milliseconds(10)) } }

  mutating func restartServer() {
    server = SignalDirectory()
    for client in owners.keys.sorted() { cut(client, serverHearsAfter: .zero) }
  }

  private mutating func sendText() {
    let (from, to) = (
      UInt.random(in: 1...UInt(users.count), using: &random), UInt.random(in: 1...UInt(users.count), using: &random)
    )
    let index = texts.count
    let life = Bool.random(using: &random) ? nil : MediaDuration.milliseconds(.random(in: 300...9_000, using: &random))
    texts.append(Text(text: "\(index)", sendTime: now, life: life ?? timeToLive))
    step(from) { $0.send("\(index)", to: to, timeToLive: life, completion: index, now: $1) }
  }

  /// A connection breaks, with all that is on it. The server often hears of that later than the client, or never.
  private mutating func loseConnection() {
    guard let client = owners.keys.sorted().randomElement(using: &random) else { return }
    lossCount += 1
    cut(client, serverHearsAfter: .milliseconds(Int64.random(in: 0...4_000, using: &random)))
  }

  private mutating func cut(_ client: UInt64, serverHearsAfter delay: MediaDuration) {
    guard let owner = owners.removeValue(forKey: client) else { return }
    // What is on its way to the server may still come, up to a point.
    let point = now + .milliseconds(Int64.random(in: 0...60, using: &random))
    items.removeAll { entry in
      switch entry.item {
      case .request(client, _): entry.time > point
      case .response(client, _), .opened(client): true
      default: false
      }
    }
    if users[owner]?.client == client { schedule(.closed(client: client), after: .milliseconds(1)) }
    schedule(.serverHears(client: client), after: delay)
    closing[client] = owner
  }

  private var closing: [UInt64: UInt] = [:]

  private mutating func schedule(_ item: Item, after delay: MediaDuration) {
    itemCount += 1
    items.append((now + delay, itemCount, item))
  }

  /// In order with what went before in this direction.
  private mutating func transfer(_ item: Item, client: UInt64, isUp: Bool) {
    let key = client << 1 | (isUp ? 1 : 0)
    let time = max(
      now + .milliseconds(Int64.random(in: 1...80, using: &random)), lastArrival[key] ?? .zero)
    lastArrival[key] = time
    itemCount += 1
    items.append((time, itemCount, item))
  }

  private mutating func advance(by duration: MediaDuration) {
    now = now + duration
    while let index = items.indices.filter({ items[$0].time <= now }).min(by: {
      (items[$0].time, items[$0].order) < (items[$1].time, items[$1].order)
    }) {
      take(items.remove(at: index).item)
    }
    for uid in users.keys.sorted() {
      if let time = users[uid]?.core.nextTimeout, time <= now { step(uid) { $0.handleTimeout(now: $1) } }
    }
    if let time = server.nextTimeout, time <= now {
      server.handleTimeout(now: now)
      flushServer()
    }
  }

  private mutating func take(_ item: Item) {
    switch item {
    case .request(let client, let request):
      server.receive(request, from: client, now: now)
      flushServer()
    case .serverHears(let client):
      server.clientClosed(client, now: now)
      flushServer()
    case .opened(let client):
      guard let uid = owners[client], users[uid]?.client == client else { return }
      step(uid) { core, _ in core.opened() }
    case .response(let client, let response):
      guard let uid = owners[client], users[uid]?.client == client else { return }
      step(uid) { $0.receive(response, now: $1) }
    case .closed(let client):
      guard let uid = closing.removeValue(forKey: client), users[uid]?.client == client else { return }
      step(uid) { $0.closed(now: $1) }
    }
  }

  private mutating func flushServer() {
    while server.pollEvent() != nil {}
    while let delivery = server.pollDelivery() {
      if let response = delivery.response, owners[delivery.client] != nil {
        transfer(.response(client: delivery.client, response), client: delivery.client, isUp: false)
      }
      if delivery.closesAfter { cut(delivery.client, serverHearsAfter: .zero) }
    }
  }

  private mutating func step(_ uid: UInt, _ body: (inout SignalClientCore, MediaInstant) -> Void) {
    guard var user = users[uid] else { return }
    body(&user.core, now)
    while let effect = user.core.pollEffect() { carryOut(effect, of: uid, &user) }
    users[uid] = user
  }

  private mutating func carryOut(_ effect: SignalClientCore.Effect, of uid: UInt, _ user: inout User) {
    switch effect {
    case .connect:
      clientCount += 1
      user.client = clientCount
      owners[clientCount] = uid
      transfer(.opened(client: clientCount), client: clientCount, isUp: false)
    case .disconnect:
      if let client = user.client, owners.removeValue(forKey: client) != nil {
        schedule(.serverHears(client: client), after: .milliseconds(100))
      }
      user.client = nil
    case .write(let request):
      if let client = user.client, owners[client] != nil {
        transfer(.request(client: client, request), client: client, isUp: true)
      }
    case .complete(let index, let error): if index >= 0 { texts[index].result = .some(error) }
    case .notify(.message(let text, let from)): arrived(text, from: from, at: &user)
    case .notify: break
    }
  }

  private mutating func arrived(_ text: String, from: UInt, at user: inout User) {
    guard let index = Int(text), texts.indices.contains(index) else { return disorder.append("unknown \(text)") }
    texts[index].arrivals += 1
    // Each way takes up to 80 ms more.
    if now - texts[index].sendTime > texts[index].life + .milliseconds(160) { late.append(text) }
    if let before = user.arrived[from], before >= index { disorder.append("\(text) after \(before)") }
    user.arrived[from] = index
  }
}
