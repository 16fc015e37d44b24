import Foundation
import Synchronization
import TestSupport
import WebSocketIO

/// Requests and answers of Chromium's DevTools protocol.
final class DevTools: Sendable {
  struct Failure: Error, CustomStringConvertible {
    var message: String
    var description: String { message }
  }

  private struct State {
    var isOpen = false
    var hasEnded = false
    var lastID = 0
    var waiting: [Int: CheckedContinuation<Data, any Error>] = [:]
  }

  private final class Box: Sendable { let state = Mutex(State()) }

  private let box = Box()
  private let socket: WebSocketClient

  init(url: String) async throws {
    let box = box
    socket = WebSocketClient(url: url) { event in
      switch event {
      case .opened: box.state.withLock { $0.isOpen = true }
      case .text(let text): Self.take(text, box)
      case .closed, .addressLost, .failed:
        let waiting = box.state.withLock { state in
          state.hasEnded = true
          defer { state.waiting.removeAll() }
          return state.waiting.values.map { $0 }
        }
        for continuation in waiting { continuation.resume(throwing: Failure(message: "The browser has gone.")) }
      }
    }
    guard await eventually({ box.state.withLock { $0.isOpen || $0.hasEnded } }), box.state.withLock({ $0.isOpen })
    else { throw Failure(message: "The browser cannot be led.") }
  }

  private static func take(_ text: String, _ box: Box) {
    let data = Data(text.utf8)
    guard let message = try? JSONSerialization.jsonObject(with: data) as? [String: Any], let id = message["id"] as? Int
    else { return }
    box.state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: data)
  }

  /// Has something done and waits for what comes of it.
  func call(_ method: String, _ parameters: [String: Any] = [:], session: String? = nil) async throws -> [String: Any] {
    let id = box.state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    var message: [String: Any] = ["id": id, "method": method, "params": parameters]
    if let session { message["sessionId"] = session }
    let text = String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self)
    let answer = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Data, any Error>) in
      let hasEnded = box.state.withLock { state in
        if !state.hasEnded { state.waiting[id] = continuation }
        return state.hasEnded
      }
      if hasEnded { return continuation.resume(throwing: Failure(message: "The browser has gone.")) }
      socket.send(text: text)
    }
    let object = try JSONSerialization.jsonObject(with: answer) as? [String: Any] ?? [:]
    if let error = object["error"] { throw Failure(message: "\(method): \(error)") }
    return object["result"] as? [String: Any] ?? [:]
  }
}
