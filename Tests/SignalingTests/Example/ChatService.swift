import Dispatch
import Synchronization

// Stands for somebody's chat service and its library, in one process.

struct ChatError: Error, Hashable, Sendable {
  static let replaced = 1_019
  static let badToken = 110
  static let receiverOffline = 404
  static let notConnected = 503

  let code: Int
  let message: String
}

/// What the library reports; on the queue that it was given.
protocol ChatListener: AnyObject, Sendable {
  func chatReceived(_ text: String, from name: String)
  func chatConnected()
  func chatDisconnected()
  func chatTokenWillExpire()
  func chatRemoved(_ error: ChatError)
}

/// The service: everything happens on its queue, in order.
final class ChatService: Sendable {
  struct User: Sendable {
    weak var library: ChatLibrary?
    let id: ObjectIdentifier
    var isConnected = true
  }

  let queue = DispatchQueue(label: "chat-service")
  let users = Mutex<[String: User]>([:])

  /// The user's network is gone, or back.
  func setConnected(_ isConnected: Bool, _ name: String) {
    queue.async { [self] in
      let library = users.withLock { users in
        users[name]?.isConnected = isConnected
        return users[name]?.library
      }
      library?.report { isConnected ? $0.chatConnected() : $0.chatDisconnected() }
    }
  }

  func warnOfToken(_ name: String) {
    queue.async { [self] in users.withLock { $0[name]?.library }?.report { $0.chatTokenWillExpire() } }
  }
}

/// The library of the service.
final class ChatLibrary: Sendable {
  private struct State: Sendable {
    weak var listener: (any ChatListener)?
    var name: String?
  }

  private let service: ChatService
  private let callbackQueue: DispatchQueue
  private let state = Mutex(State())

  init(service: ChatService, callbackQueue: DispatchQueue) {
    self.service = service
    self.callbackQueue = callbackQueue
  }

  func setListener(_ listener: any ChatListener) { state.withLock { $0.listener = listener } }

  func report(_ body: @escaping @Sendable (any ChatListener) -> Void) {
    let listener = state.withLock { WeakListener(listener: $0.listener) }
    callbackQueue.async { if let listener = listener.listener { body(listener) } }
  }

  private struct WeakListener: Sendable { weak var listener: (any ChatListener)? }

  func logIn(name: String, token: String, done: @escaping @Sendable (ChatError?) -> Void) {
    service.queue.async { [self] in
      guard token != "bad" else {
        return callbackQueue.async { done(ChatError(code: ChatError.badToken, message: "The token is not valid.")) }
      }
      let user = ChatService.User(library: self, id: ObjectIdentifier(self))
      let older = service.users.withLock { $0.updateValue(user, forKey: name) }
      if let older, older.id != user.id {
        older.library?.forget(name)
        older.library?.report {
          $0.chatRemoved(ChatError(code: ChatError.replaced, message: "The same user has logged in elsewhere."))
        }
      }
      state.withLock { $0.name = name }
      callbackQueue.async { done(nil) }
    }
  }

  private func forget(_ name: String) {
    state.withLock { state in if state.name == name { state.name = nil } }
  }

  func logOut() {
    let (service, id) = (service, ObjectIdentifier(self))
    service.queue.async {
      service.users.withLock { users in users = users.filter { $0.value.id != id } }
    }
  }

  func renewToken(_ token: String, done: @escaping @Sendable (ChatError?) -> Void) {
    service.queue.async { [self] in
      let error = token == "bad" ? ChatError(code: ChatError.badToken, message: "The token is not valid.") : nil
      callbackQueue.async { done(error) }
    }
  }

  func send(_ text: String, to name: String, onlineOnly: Bool, done: @escaping @Sendable (ChatError?) -> Void) {
    service.queue.async { [self] in
      let id = ObjectIdentifier(self)
      let (own, receiver) = service.users.withLock { users in
        (users.first { $0.value.id == id }, users[name])
      }
      var error: ChatError?
      if own?.value.isConnected != true {
        error = ChatError(code: ChatError.notConnected, message: "There is no connection.")
      } else if receiver?.isConnected != true {
        error = ChatError(code: ChatError.receiverOffline, message: "\(name) is not online.")
      }
      if error == nil, let sender = own?.key { receiver?.library?.report { $0.chatReceived(text, from: sender) } }
      callbackQueue.async { [error] in done(error) }
    }
  }
}
