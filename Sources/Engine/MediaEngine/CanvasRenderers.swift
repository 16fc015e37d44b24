import LinuxIO
import MediaBase
import PictureFiles
import SDLDisplay
import Synchronization

/// Makes the renderer for a canvas.
enum CanvasRenderers {
  /// What a call with this canvas does, with a new renderer if it needs one.
  static func change(for canvas: VideoCanvas?, isLocal: Bool) throws(EngineErrorCode) -> CanvasChange {
    guard let canvas, let identity = canvas.identity else { return .replace(nil) }
    if canvas.setupMode == .remove { return .remove(identity) }
    guard let renderer = try make(canvas) else { return .replace(nil) }
    let binding = CanvasBinding(
      identity: identity, renderer: renderer, isMirrored: canvas.isMirrored(isLocal: isLocal))
    return canvas.setupMode == .add ? .add(binding) : .replace(binding)
  }

  /// - Returns: a renderer, or `nil` for no place.
  private static func make(_ canvas: VideoCanvas) throws(EngineErrorCode) -> (any VideoRenderer)? {
    switch canvas.target {
    case .none: return nil
    case .window(let title): return WindowRenderer(title: title, renderMode: canvas.renderMode)
    case .file(let path):
      if path.hasSuffix(".png") { return PNGFileRenderer(path: path) }
      if path.hasSuffix(".y4m") { return Y4MFileRenderer(path: path) }
      throw .invalidArgument
    case .closure(let body): return ClosureRenderer(body)
    case .renderer(let renderer): return renderer
    }
  }
}

/// Hands pictures to a closure.
final class ClosureRenderer: VideoRenderer {
  private let body: @Sendable (VideoFrame) -> Void

  init(_ body: @escaping @Sendable (VideoFrame) -> Void) { self.body = body }

  func render(_ frame: VideoFrame) { body(frame) }

  func finish() {}
}
