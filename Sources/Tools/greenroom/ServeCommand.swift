import CallSupervision
import ChannelCore
import ChannelServer
import Foundation
import MediaBase
import OpenSSLTLS
import RedisPubSub

/// `greenroom serve`: the channel server.
enum ServeCommand: Command {
  static let specification = CommandSpecification(
    name: "serve", summary: "run the channel server",
    details: """
      Forwards media between the users of channels and relays their signalling. Users need tokens of the application that
      --app-id names (see `greenroom token make`), and control connections beyond loopback need TLS. With --dev neither is
      needed, and it listens on loopback only. Ends on SIGINT and SIGTERM.
      """,
    options: [.flag("--dev", "development mode: no tokens, loopback only")] + TokenSecrets.options + [
      .flag("--any-token-publishes", "let also those publish whose token only allows to join"),
      .optional("--tls-certificate", "FILE", "certificate chain (PEM) for wss and https; read again when it changes"),
      .optional("--tls-key", "FILE", "its private key (PEM); without it, it is in the same file"),
      .flag("--behind-tls-proxy", "accept control connections without TLS beyond loopback: a proxy in front has it"),
      .optional("--http", "HOST:PORT", "where control connections are accepted", default: "127.0.0.1:8080"),
      .optional(
        "--connections-per-address", "N", "most control connections of one address; 4000 if addresses are clients' own"),
      .optional(
        "--sessions-per-address", "N",
        "most sessions by WHIP and WHEP of one address; 4000 if addresses are clients' own"),
      .optional(
        "--metrics-token-file", "FILE", "what /metrics has to be shown; without it, only this machine may read it"),
      .optional(
        "--calls-token-file", "FILE", "what /v1/calls has to be shown; without it, only this machine may read it"),
      .optional(
        "--udp", "HOST:PORT", "where media is received; each further worker takes the next port",
        default: "127.0.0.1:5000"),
      .optional(
        "--advertise", "ADDRESS[,ADDRESS...]",
        "IP addresses that clients are told to send media to, in place of that of --udp; for forwarded ports and NATs"),
      .optional("--workers", "N", "threads that forward media", default: "1"),
      .optional(
        "--loudest-speakers", "N", "how many voices of a channel are forwarded, the loudest ones; 0 for all",
        default: "0"),
      .optional("--records", "FILE", "SQLite file for records of calls, made if it is not there; otherwise in memory"),
      .optional("--records-days", "DAYS", "remove records of older calls", default: "30"),
      .optional("--redis", "URL", "redis://HOST:PORT through which users of several servers reach each other"),
      .optional("--resume-window", "S", "keep a user logged in for so long after the connection is lost", default: "5"),
      .optional(
        "--absence", "S", "tell a side of a call when the other is gone from its channel for so long", default: "30"),
      .optional("--connect-time", "S", "end an accepted call that does not connect within so long", default: "30"),
      .optional("--ring-time", "S", "end a call that nobody answers within so long", default: "120"),
      .optional("--seconds", "S", "end after this time"),
      .flag("--until-eof", "end when standard input ends, as it does when the program that started it has gone"),
    ])

  static func run(_ options: CommandOptions) throws(CommandError) -> ExitStatus {
    guard options.has("--dev") != (options.string("--app-id") != nil) else {
      throw .usage("Give either --app-id, for a server that checks tokens, or --dev, for one on loopback without.")
    }
    guard let http = try options.endpoint("--http"), let udp = try options.endpoint("--udp"),
      let workers = try options.integer("--workers", in: 1...64),
      let loudestSpeakers = try options.integer("--loudest-speakers", in: 0...100)
    else { throw .usage("--http, --udp, --workers and --loudest-speakers need values.") }
    let seconds = try options.seconds("--seconds")
    DescriptorLimit.raise()
    let interruption = Interruption()
    if options.has("--until-eof") { interruption.endWithStandardInput() }
    var configuration = ChannelServerConfiguration(
      httpHost: http.host, httpPort: http.port, udpHost: udp.host, udpPort: udp.port, workers: workers,
      development: options.has("--dev"))
    if !configuration.development {
      configuration.tokens = TokenPolicy(
        appID: try TokenSecrets.appID(options), certificates: try TokenSecrets.certificates(options),
        restrictsPublishing: !options.has("--any-token-publishes"))
    }
    if let certificate = options.string("--tls-certificate") {
      configuration.tls = TLSFiles(
        certificate: certificate, privateKey: options.string("--tls-key") ?? certificate)
    }
    configuration.isBehindTLSProxy = options.has("--behind-tls-proxy")
    configuration.loudestSpeakers = loudestSpeakers
    configuration.advertisedHosts = try advertisedHosts(options)
    configuration.maximumConnectionCountPerAddress = try options.integer("--connections-per-address", in: 1...1_000_000)
    configuration.maximumSessionCountPerAddress = try options.integer("--sessions-per-address", in: 1...1_000_000)
    configuration.metricsToken = try token(in: "--metrics-token-file", options)
    configuration.callsToken = try token(in: "--calls-token-file", options)
    try setCalls(options, &configuration)
    let server = ChannelServer(configuration: configuration)
    do {
      try server.start()
    } catch {
      throw .failure("\(error)")
    }
    Terminal.event(
      "listening: control \(configuration.tls == nil ? "ws" : "wss")://\(http.host):\(server.boundHTTPPort), media udp \(udp.host):\(server.boundUDPPort)"
    )
    let candidates = server.candidates.map { "\($0)" }.joined(separator: ", ")
    Terminal.event("candidates: clients send media to \(candidates)")
    interruption.wait(seconds: seconds)
    server.stop()
    Terminal.event("stopped")
    return .success
  }

  private static func token(in option: String, _ options: CommandOptions) throws(CommandError) -> String? {
    guard let file = options.string(option) else { return nil }
    let text = try? String(contentsOfFile: file, encoding: .utf8)
    guard let token = text?.split(whereSeparator: \.isWhitespace).first, token.utf8.count >= 16 else {
      throw .failure("'\(file)' cannot be read, or does not begin with a token of at least 16 characters.")
    }
    return String(token)
  }

  private static func setCalls(
    _ options: CommandOptions, _ configuration: inout ChannelServerConfiguration
  ) throws(CommandError) {
    configuration.callRecordFile = options.string("--records")
    configuration.callObservers = [UnrecordedCalls().note]
    configuration.callRecordTrouble = { Terminal.error($0) }
    if let days = try options.integer("--records-days", in: 1...36_500) {
      configuration.callRecordMaximumAgeDays = days
    }
    if let text = options.string("--redis") {
      guard let address = RedisAddress(text) else {
        throw .usage("--redis must be redis://HOST:PORT, perhaps with USER:PASSWORD@ before and /DATABASE after it.")
      }
      configuration.redis = address
    }
    func set(_ name: String, _ duration: inout MediaDuration) throws(CommandError) {
      if let seconds = try options.seconds(name) { duration = .seconds(seconds) }
    }
    try set("--resume-window", &configuration.signalling.resumeWindow)
    try set("--absence", &configuration.calls.absenceTimeout)
    try set("--connect-time", &configuration.calls.connectTimeout)
    try set("--ring-time", &configuration.calls.ringTimeout)
  }

  /// Whether they are addresses, the server says.
  private static func advertisedHosts(_ options: CommandOptions) throws(CommandError) -> [String] {
    guard let text = options.string("--advertise") else { return [] }
    let hosts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !hosts.contains("") else {
      throw .usage("--advertise is '\(text)', but must be ADDRESS or ADDRESS,ADDRESS, for example 203.0.113.7.")
    }
    return hosts
  }
}
