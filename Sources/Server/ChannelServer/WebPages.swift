import ChannelCore
import Synchronization
import WebSocketIO

/// The pages that come with the server, and the list of channels that they show.
enum WebPages {
  private struct ChannelList: Encodable { var channels: [ChannelSummary] }

  /// - Parameter listsChannels: whether everybody may know which channels there are.
  static func attach(to http: HTTPServer, workers: [ShardWorker], listsChannels: Bool) {
    http.handle("/v1/channels", maximumBodyByteCount: 0) { exchange in
      guard listsChannels else { return exchange.respond(.text(403, "This server does not tell its channels.")) }
      list(exchange, workers)
    }
    http.handle("/", maximumBodyByteCount: 0) { serve($0) }
  }

  /// Asks every worker; answers when the last one has.
  private static func list(_ exchange: HTTPExchange, _ workers: [ShardWorker]) {
    guard exchange.request.path == "/v1/channels" else {
      return exchange.respond(.text(404, "There is nothing here."))
    }
    guard ["GET", "HEAD"].contains(exchange.request.method) else {
      return exchange.respond(.text(405, "Only GET is understood here."))
    }
    let collection = Collection(missing: workers.count, exchange: exchange)
    for worker in workers { worker.withChannels { collection.add($0) } }
  }

  /// What the workers have said so far.
  private final class Collection: Sendable {
    private let state: Mutex<(channels: [ChannelSummary], missing: Int)>
    private let exchange: HTTPExchange

    init(missing: Int, exchange: HTTPExchange) {
      state = Mutex(([], missing))
      self.exchange = exchange
    }

    func add(_ channels: [ChannelSummary]) {
      let all = state.withLock { state -> [ChannelSummary]? in
        state.channels += channels
        state.missing -= 1
        return state.missing == 0 ? state.channels : nil
      }
      guard let all else { return }
      let list = ChannelList(channels: all.sorted { $0.name < $1.name })
      let body = try? ControlMessageCoding.encode(list)
      exchange.respond(body.map { HTTPResponse(body: $0) } ?? .text(500, "The list could not be made."))
    }
  }

  private static func serve(_ exchange: HTTPExchange) {
    let request = exchange.request
    guard request.method == "GET" || request.method == "HEAD" else {
      return exchange.respond(.text(405, "Only GET is understood here."))
    }
    let name = request.path == "/" ? "index.html" : String(request.path.dropFirst())
    // Browsers ask for it by themselves.
    if name == "favicon.ico" { return exchange.respond(HTTPResponse(status: 204, body: "")) }
    guard let page = pages[name] else { return exchange.respond(.text(404, "There is nothing here.")) }
    exchange.respond(
      HTTPResponse(
        contentType: page.type, body: page.text,
        headers: [(name: "Cache-Control", value: "no-cache"), (name: "X-Content-Type-Options", value: "nosniff")]))
  }

  private static let pages: [String: (type: String, text: String)] = [
    "index.html": ("text/html; charset=utf-8", text(PackageResources.index_html)),
    "style.css": ("text/css; charset=utf-8", text(PackageResources.style_css)),
    "app.js": script(PackageResources.app_js),
    "panel.js": script(PackageResources.panel_js),
    "media.js": script(PackageResources.media_js),
    "signal.js": script(PackageResources.signal_js),
    "call.js": script(PackageResources.call_js),
    "callmessage.js": script(PackageResources.callmessage_js),
    "endedcalls.js": script(PackageResources.endedcalls_js),
    "callallowance.js": script(PackageResources.callallowance_js),
    "callapi.js": script(PackageResources.callapi_js),
    "callcore.js": script(PackageResources.callcore_js),
    "callqueue.js": script(PackageResources.callqueue_js),
    "bytes.js": script(PackageResources.bytes_js),
    "callkeys.js": script(PackageResources.callkeys_js),
    "callroom.js": script(PackageResources.callroom_js),
    "frameworker.js": script(PackageResources.frameworker_js),
    "sframe.js": script(PackageResources.sframe_js),
    "callpanel.js": script(PackageResources.callpanel_js),
  ]

  private static func script(_ bytes: [UInt8]) -> (type: String, text: String) {
    ("text/javascript; charset=utf-8", text(bytes))
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
