import ChannelCore
import ControlWire
import MediaBase
import Testing

/// Servers and a Redis between them, where everything that is on its way may come at any time, only not before what was sent
/// before it on the same way. Copies go on by themselves.
struct PlayedCluster {
  enum Step: Hashable {
    /// The next login happens.
    case login
    /// Redis does the oldest command of a server.
    case command(Int)
    /// A server hears the oldest answer.
    case answer(Int)
    /// A server hears the oldest word of another.
    case word(Int)
  }

  enum Login: Hashable {
    /// A client logs in at a server.
    case new(server: Int)
    /// The client of the first login goes on with its session at a server.
    case back(server: Int)
  }

  private struct Command {
    var claims: [SignalClaim]
    var isRepeated: Bool
  }

  private(set) var servers: [SignalDirectory]
  private var plan: ArraySlice<Login>
  private var commands: [[Command]]
  private var answers: [[(claim: SignalClaim, number: UInt64?)]]
  private var words: [[UInt64]]
  /// What Redis knows of the user.
  private(set) var known: (number: UInt64, server: Int)?
  private var lastNumber: UInt64 = 0
  private var clientCount: UInt64 = 0
  /// Connections that have not been closed.
  private(set) var open: [UInt64: Int] = [:]
  /// Which login each claim was.
  private var clientsOfClaims: [[UInt64: UInt64]]
  /// The login of the claim that Redis has heard last.
  private(set) var lastHeard: (client: UInt64, server: Int)?
  /// Answers of Redis' that get lost, by their place.
  var lostAnswers: Set<Int> = []
  private var answerCount = 0

  init(_ plan: [Login], serverCount: Int = 2) {
    var configuration = SignalConfiguration()
    configuration.isClustered = true
    servers = Array(repeating: SignalDirectory(configuration: configuration), count: serverCount)
    self.plan = plan[...]
    commands = Array(repeating: [], count: serverCount)
    answers = Array(repeating: [], count: serverCount)
    words = Array(repeating: [], count: serverCount)
    clientsOfClaims = Array(repeating: [:], count: serverCount)
  }

  var steps: [Step] {
    var steps: [Step] = plan.isEmpty ? [] : [.login]
    for server in servers.indices {
      if !commands[server].isEmpty { steps.append(.command(server)) }
      if !answers[server].isEmpty { steps.append(.answer(server)) }
      if !words[server].isEmpty { steps.append(.word(server)) }
    }
    return steps
  }

  mutating func take(_ step: Step) {
    switch step {
    case .login: logIn(plan.removeFirst())
    case .command(let server): run(commands[server].removeFirst(), of: server)
    case .answer(let server):
      let answer = answers[server].removeFirst()
      servers[server].numbered(answer.claim, answer.number, now: .zero)
      drain(server)
    case .word(let server):
      servers[server].loggedInElsewhere(1, number: words[server].removeFirst(), now: .zero)
      drain(server)
    }
  }

  /// What servers do every few seconds.
  mutating func repeatClaims() {
    for server in servers.indices {
      let claims = servers[server].claimsToRepeat()
      if !claims.isEmpty { commands[server].append(Command(claims: claims, isRepeated: true)) }
    }
  }

  private mutating func logIn(_ login: Login) {
    clientCount += 1
    let (server, session): (Int, UInt64) =
      switch login {
      case .new(let server): (server, clientCount)
      case .back(let server): (server, 1)
      }
    let name = String(repeating: "s", count: 16) + "\(session)"
    open[clientCount] = server
    servers[server].receive(.login(LoginRequest(uid: 1, session: name)), from: clientCount, now: .zero)
    drain(server)
  }

  private mutating func drain(_ server: Int) {
    while let event = servers[server].pollEvent() {
      guard case .claimed(let claim) = event else { continue }
      clientsOfClaims[server][claim.count] = clientCount
      commands[server].append(Command(claims: [claim], isRepeated: false))
    }
    while let delivery = servers[server].pollDelivery() {
      guard delivery.closesAfter, open.removeValue(forKey: delivery.client) != nil else { continue }
      servers[server].clientClosed(delivery.client, now: .zero)
    }
  }

  /// What the script of `ClusterLink` does. Time passes with every command, and a login is claimed the moment it happens.
  private mutating func run(_ command: Command, of server: Int) {
    for claim in command.claims {
      var number = claim.number ?? 0
      lastNumber += 10
      if number == 0 {
        number = command.isRepeated ? lastNumber - 5 : lastNumber
        if !command.isRepeated || known?.server == server { number = max(number, (known?.number ?? 0) + 1) }
      }
      answerCount += 1
      let isLost = lostAnswers.contains(answerCount)
      if let known, known.server != server, known.number >= number {
        if isLost { servers[server].claimFailed(claim) } else { answers[server].append((claim, nil)) }
        continue
      }
      if let known, known.server != server { words[known.server].append(number) }
      known = (number, server)
      if let client = clientsOfClaims[server][claim.count] { lastHeard = (client, server) }
      if isLost { servers[server].claimFailed(claim) } else { answers[server].append((claim, number)) }
    }
  }
}

@Suite("The same user at several servers, everything in every order") struct ClusterLoginTests {
  /// Goes through all orders from here, or through some. Returns how many.
  private func goThrough(_ cluster: PlayedCluster, _ check: (PlayedCluster) -> Void) -> Int {
    let steps = cluster.steps
    guard !steps.isEmpty else {
      check(cluster)
      return 1
    }
    return steps.reduce(0) { count, step in
      var next = cluster
      next.take(step)
      return count + goThrough(next, check)
    }
  }

  /// One login is left, where Redis says, and it is the one that Redis has heard of last.
  private func problem(_ cluster: PlayedCluster) -> String? {
    let places = cluster.servers.indices.filter { cluster.servers[$0].isLoggedIn(1) }
    guard places == [cluster.known?.server] else {
      return "logged in at \(places), known at \(String(describing: cluster.known))"
    }
    guard let last = cluster.lastHeard, cluster.open == [last.client: last.server] else {
      return "left are \(cluster.open), heard last of \(String(describing: cluster.lastHeard))"
    }
    return nil
  }

  @Test(
    "of logins at two servers in a row exactly one is left, the one that Redis heard of last, in every order",
    arguments: [
      [.new(server: 0), .new(server: 1)], [.new(server: 0), .new(server: 1), .new(server: 0)],
      [.new(server: 0), .new(server: 1), .back(server: 0)], [.new(server: 0), .back(server: 0), .new(server: 1)],
    ] as [[PlayedCluster.Login]])
  func everyOrder(plan: [PlayedCluster.Login]) {
    var problems: [String] = []
    let count = goThrough(PlayedCluster(plan)) { cluster in problem(cluster).map { problems.append($0) } }
    #expect(problems.isEmpty, "\(problems.count) of \(count): \(problems.first ?? "")")
    #expect(count > 5)
  }

  @Test("who logs in after everybody has heard of the login before stays, at whichever server")
  func oneAfterAnother() {
    for places in [[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 1], [1, 1, 1]] {
      var cluster = PlayedCluster(places.map { .new(server: $0) })
      for (index, place) in places.enumerated() {
        cluster.take(.login)
        while let step = cluster.steps.first(where: { $0 != .login }) { cluster.take(step) }
        #expect(cluster.open == [UInt64(index + 1): place])
      }
    }
  }

  @Test("three servers, six logins, answers of Redis' that get lost, and claims that are repeated: one login is left")
  func anything() {
    var random = SeededRandom(seed: 8)
    for _ in 0..<5_000 {
      let plan = (0..<6).map { number -> PlayedCluster.Login in
        let server = Int.random(in: 0..<3, using: &random)
        return number > 0 && Int.random(in: 0..<4, using: &random) == 0 ? .back(server: server) : .new(server: server)
      }
      var cluster = PlayedCluster(plan, serverCount: 3)
      if Bool.random(using: &random) { cluster.lostAnswers = [Int.random(in: 1...6, using: &random)] }
      while let step = cluster.steps.randomElement(using: &random) {
        if Int.random(in: 0..<10, using: &random) == 0 { cluster.repeatClaims() }
        cluster.take(step)
      }
      cluster.repeatClaims()
      while let step = cluster.steps.randomElement(using: &random) { cluster.take(step) }
      let places = cluster.servers.indices.filter { cluster.servers[$0].isLoggedIn(1) }
      #expect(places == [cluster.known?.server] && cluster.open.values.sorted() == places, "\(plan)")
    }
  }
}
