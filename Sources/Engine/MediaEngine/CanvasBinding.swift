import MediaBase
import PictureFiles

/// A renderer that is bound to a user.
struct CanvasBinding: Sendable {
  /// By what a canvas is recognised when it is set up again or removed.
  enum Identity: Hashable, Sendable {
    case window(String)
    case file(String)
    case closure(String)
    case renderer(ObjectIdentifier)
  }

  let identity: Identity
  let renderer: any VideoRenderer
  let isMirrored: Bool

  func show(_ frame: VideoFrame) { renderer.render(isMirrored ? frame.mirrored() : frame) }
}

extension VideoCanvas {
  /// By what this canvas is recognised; `nil` for no place.
  var identity: CanvasBinding.Identity? {
    switch target {
    case .none: nil
    case .window(let title): .window(title)
    case .file(let path): .file(path)
    case .closure: .closure(name)
    case .renderer(let renderer): .renderer(ObjectIdentifier(renderer))
    }
  }

  /// Whether pictures of this canvas are shown as in a mirror.
  func isMirrored(isLocal: Bool) -> Bool {
    switch mirrorMode {
    case .enabled: true
    case .disabled: false
    case .auto: if case .window = target { isLocal } else { false }
    }
  }
}

/// What a call for a canvas does to the bindings of one user.
enum CanvasChange: Sendable {
  /// These take the place of all others.
  case replace(CanvasBinding?)
  /// One more, in the place of one with the same identity.
  case add(CanvasBinding)
  case remove(CanvasBinding.Identity)

  /// Applies the change; the renderers that are no longer used, to be finished.
  func apply(to bindings: inout [CanvasBinding]) -> [any VideoRenderer] {
    let old = bindings
    let added: CanvasBinding?
    switch self {
    case .replace(let binding):
      bindings = binding.map { [$0] } ?? []
      added = binding
    case .add(let binding):
      bindings.removeAll { $0.identity == binding.identity }
      bindings.append(binding)
      added = binding
    case .remove(let identity):
      bindings.removeAll { $0.identity == identity }
      added = nil
    }
    let kept = bindings
    // A renderer of the application's that is set up again goes on.
    return old.filter { binding in
      binding.renderer !== added?.renderer && !kept.contains { $0.renderer === binding.renderer }
    }.map(\.renderer)
  }
}
