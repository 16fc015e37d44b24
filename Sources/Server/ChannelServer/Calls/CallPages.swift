import CallSupervision
import WebSocketIO

/// `GET /v1/calls/{callId}` and `GET /v1/calls?user=N&limit=M`.
struct CallPages: Sendable {
  let store: any CallRecordStore
  let gate: OperatorGate

  private static let path = "/v1/calls"
  private static let defaultLimit = 50
  private static let maximumLimit = 500

  private struct List: Encodable { var calls: [CallRecord] }

  func attach(to http: HTTPServer) { http.handle(Self.path, maximumBodyByteCount: 0) { answer($0) } }

  private func answer(_ exchange: HTTPExchange) {
    let request = exchange.request
    if let refusal = gate.refusal(of: request) { return exchange.respond(refusal) }
    guard request.method == "GET" || request.method == "HEAD" else {
      return exchange.respond(.text(405, "Only GET is understood here."))
    }
    if request.path == Self.path || request.path == Self.path + "/" { return list(exchange) }
    guard request.path.hasPrefix(Self.path + "/") else {
      return exchange.respond(.text(404, "There is nothing here."))
    }
    let id = String(request.path.dropFirst(Self.path.count + 1))
    store.find(id) { record in
      exchange.respond(record.map { Self.json($0) } ?? .text(404, "There is no record of this call."))
    }
  }

  private func list(_ exchange: HTTPExchange) {
    let query = exchange.request.query
    let limit = query["limit"].map { Int($0) } ?? Self.defaultLimit
    guard let limit, (1...Self.maximumLimit).contains(limit) else {
      return exchange.respond(.text(400, "limit must be a number from 1 to \(Self.maximumLimit)."))
    }
    let user = query["user"].map { UInt($0) }
    guard user != .some(nil) else { return exchange.respond(.text(400, "user must be a user's number.")) }
    store.list(user: user ?? nil, limit: limit) { records in exchange.respond(Self.json(List(calls: records))) }
  }

  private static func json(_ value: some Encodable) -> HTTPResponse {
    guard let body = try? ControlMessageCoding.encode(value) else {
      return .text(500, "The record could not be written.")
    }
    return HTTPResponse(body: body, headers: [(name: "Cache-Control", value: "no-store")])
  }
}
