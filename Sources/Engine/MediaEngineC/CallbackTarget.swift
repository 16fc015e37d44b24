import CMediaEngine
import Synchronization

/// The program's callbacks, and the handle by which they are told which engine calls.
final class CallbackTarget: @unchecked Sendable {
  // @unchecked: function pointers and a context, never changed; that the context may be used on the engine's threads is
  // what the program promises by passing it.
  private let callbacks: media_engine_callbacks
  let handle: UInt
  private let isEnded = Atomic(false)

  init(_ callbacks: media_engine_callbacks, handle: UInt) {
    self.callbacks = callbacks
    self.handle = handle
  }

  var hearsEvents: Bool { callbacks.event != nil }
  var seesPictures: Bool { callbacks.picture != nil }
  var hearsSound: Bool { callbacks.sound != nil }

  /// From now on only `destroyed` is called.
  func end() { isEnded.store(true, ordering: .releasing) }

  func tell(_ event: media_engine_event) {
    guard let callback = callbacks.event, isOpen else { return }
    withUnsafePointer(to: event) { callback(callbacks.context, OpaquePointer(bitPattern: handle), $0) }
  }

  func show(_ picture: media_engine_remote_picture) {
    guard let callback = callbacks.picture, isOpen else { return }
    withUnsafePointer(to: picture) { callback(callbacks.context, OpaquePointer(bitPattern: handle), $0) }
  }

  func play(_ sound: media_engine_sound) {
    guard let callback = callbacks.sound, isOpen else { return }
    withUnsafePointer(to: sound) { callback(callbacks.context, OpaquePointer(bitPattern: handle), $0) }
  }

  /// The last call of all.
  func tellDestroyed() { callbacks.destroyed?(callbacks.context) }

  private var isOpen: Bool { !isEnded.load(ordering: .acquiring) }
}
