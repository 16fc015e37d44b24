import CSDL2
import MediaBase

/// An open window. Made, used and let go on the windows' thread.
final class DisplayWindow {
  /// `SDL_WINDOWPOS_CENTERED`, a macro.
  private static let centered = Int32(0x2FFF_0000)
  /// The largest window to open with; bigger pictures are scaled down.
  private static let largestSize = (width: 1_280, height: 720)

  let identifier: UInt32
  private let title: String
  private let renderMode: VideoRenderMode
  private let window: OpaquePointer
  private let renderer: OpaquePointer
  private var texture: OpaquePointer?
  private var textureSize = (width: 0, height: 0)
  private var rotation = 0

  /// Opens a window that fits `frame`.
  init(title: String, frame: VideoFrame, renderMode: VideoRenderMode) throws(MediaDeviceError) {
    let size = Self.size(for: frame)
    let flags = SDL_WINDOW_SHOWN.rawValue | SDL_WINDOW_RESIZABLE.rawValue
    guard
      let window = SDL_CreateWindow(
        title, Self.centered, Self.centered, Int32(size.width), Int32(size.height), flags)
    else { throw Self.error(title, "opening") }
    // Flag 0 lets SDL choose: the graphics processor, or plain software where there is none.
    guard let renderer = SDL_CreateRenderer(window, -1, 0) else {
      let error = Self.error(title, "preparing")
      SDL_DestroyWindow(window)
      throw error
    }
    self.title = title
    self.renderMode = renderMode
    self.window = window
    self.renderer = renderer
    identifier = SDL_GetWindowID(window)
  }

  deinit {
    if let texture { SDL_DestroyTexture(texture) }
    SDL_DestroyRenderer(renderer)
    SDL_DestroyWindow(window)
  }

  /// Shows `frame`.
  func draw(_ frame: VideoFrame) throws(MediaDeviceError) {
    if texture == nil || textureSize != (frame.width, frame.height) {
      if let texture { SDL_DestroyTexture(texture) }
      texture = SDL_CreateTexture(
        renderer, UInt32(SDL_PIXELFORMAT_IYUV.rawValue), Int32(SDL_TEXTUREACCESS_STREAMING.rawValue),
        Int32(frame.width), Int32(frame.height))
      textureSize = (frame.width, frame.height)
    }
    rotation = frame.rotation
    let status = SDL_UpdateYUVTexture(
      texture, nil, frame.planeY, Int32(frame.strideY), frame.planeU, Int32(frame.strideUV), frame.planeV,
      Int32(frame.strideUV))
    guard status == 0 else { throw Self.error(title, "drawing") }
    redraw()
  }

  /// Shows the last picture again, after the window's size has changed.
  func redraw() {
    SDL_SetRenderDrawColor(renderer, 0, 0, 0, 255)
    SDL_RenderClear(renderer)
    if let texture {
      let size = size
      var area = area(inWidth: size.width, height: size.height)
      SDL_RenderCopyEx(renderer, texture, nil, &area, Double(rotation), nil, SDL_FLIP_NONE)
    }
    SDL_RenderPresent(renderer)
  }

  /// What can be drawn on, in pixels.
  var size: (width: Int, height: Int) {
    var (width, height): (Int32, Int32) = (0, 0)
    SDL_GetRendererOutputSize(renderer, &width, &height)
    return (Int(width), Int(height))
  }

  /// Where the picture goes, before it is turned about its centre.
  private func area(inWidth width: Int, height: Int) -> SDL_Rect {
    let isOnSide = rotation % 180 != 0
    let shown = isOnSide ? (width: textureSize.height, height: textureSize.width) : textureSize
    guard width > 0, height > 0, shown.width > 0, shown.height > 0 else { return SDL_Rect() }
    let scales = [Double(width) / Double(shown.width), Double(height) / Double(shown.height)]
    let fills = renderMode.fills(
      pictureWidth: shown.width, pictureHeight: shown.height, width: width, height: height)
    let scale = (fills ? scales.max() : scales.min()) ?? 1
    let (drawnWidth, drawnHeight) = (Double(textureSize.width) * scale, Double(textureSize.height) * scale)
    return SDL_Rect(
      x: Int32((Double(width) - drawnWidth) / 2), y: Int32((Double(height) - drawnHeight) / 2), w: Int32(drawnWidth),
      h: Int32(drawnHeight))
  }

  private static func size(for frame: VideoFrame) -> (width: Int, height: Int) {
    let isOnSide = frame.rotation % 180 != 0
    let (width, height) = isOnSide ? (frame.height, frame.width) : (frame.width, frame.height)
    let scale = min(1, Double(largestSize.width) / Double(width), Double(largestSize.height) / Double(height))
    return (max(1, Int(Double(width) * scale)), max(1, Int(Double(height) * scale)))
  }

  private static func error(_ title: String, _ operation: String) -> MediaDeviceError {
    .system(name: "Window '\(title)'", operation: operation, code: -1, detail: errorText)
  }

  /// What SDL says about its last failure.
  static var errorText: String { SDL_GetError().map { String(cString: $0) } ?? "no reason given" }
}
