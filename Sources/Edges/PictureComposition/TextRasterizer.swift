import CPango

/// Draws text and signs, whatever script the text is in, with the fonts that the system has. Keeps what it has drawn; used
/// by one thread at a time.
final class TextRasterizer {
  private struct Key: Hashable {
    var text: String
    var pixels: Int
    var longest: Int
  }

  /// Names beyond this are those of people who have gone.
  private static let mostKept = 200
  private static let longestText = 200

  private var kept: [Key: AlphaImage] = [:]

  /// A line of text `pixels` high, cut off with an ellipsis at `longest` pixels. Empty if nothing can be drawn.
  func text(_ text: String, pixels: Int, longest: Int) -> AlphaImage {
    let line = String(text.prefix(Self.longestText).map { $0.isNewline || $0 == "\0" ? " " : $0 })
    let key = Key(text: line, pixels: pixels, longest: longest)
    if let image = kept[key] { return image }
    if kept.count >= Self.mostKept { kept.removeAll() }
    let image = draw(line, pixels: pixels, longest: longest)
    kept[key] = image
    return image
  }

  private func draw(_ text: String, pixels: Int, longest: Int) -> AlphaImage {
    guard !text.isEmpty, (6...400).contains(pixels), longest > 0 else { return .empty }
    let height = pixels * 7 / 5
    return Self.image(width: min(longest, 4_096), height: height) { cairo in
      let layout = pango_cairo_create_layout(cairo)
      defer { g_object_unref(layout.map { UnsafeMutableRawPointer($0) }) }
      let font = pango_font_description_new()
      defer { pango_font_description_free(font) }
      pango_font_description_set_family(font, "sans-serif")
      pango_font_description_set_absolute_size(font, Double(pixels) * Double(PANGO_SCALE))
      pango_layout_set_font_description(layout, font)
      pango_layout_set_single_paragraph_mode(layout, 1)
      pango_layout_set_width(layout, Int32(clamping: min(longest, 4_096) * Int(PANGO_SCALE)))
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
      pango_layout_set_text(layout, text, -1)
      pango_cairo_show_layout(cairo, layout)
      var (drawnWidth, drawnHeight): (Int32, Int32) = (0, 0)
      pango_layout_get_pixel_size(layout, &drawnWidth, &drawnHeight)
      return (Int(drawnWidth), Int(drawnHeight))
    }
  }

  /// A crossed microphone.
  func mutedSign(pixels: Int) -> AlphaImage {
    let key = Key(text: "\0muted", pixels: pixels, longest: 0)
    if let image = kept[key] { return image }
    let image = Self.image(width: pixels, height: pixels) { cairo in
      let unit = Double(pixels) / 16
      cairo_set_line_width(cairo, 1.6 * unit)
      cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
      // The capsule.
      cairo_arc(cairo, 8 * unit, 4 * unit, 2.2 * unit, .pi, 2 * .pi)
      cairo_arc(cairo, 8 * unit, 7.5 * unit, 2.2 * unit, 0, .pi)
      cairo_close_path(cairo)
      cairo_fill(cairo)
      // Its holder and foot.
      cairo_arc(cairo, 8 * unit, 7.5 * unit, 4.2 * unit, 0.1, .pi - 0.1)
      cairo_stroke(cairo)
      cairo_move_to(cairo, 8 * unit, 11.7 * unit)
      cairo_line_to(cairo, 8 * unit, 14 * unit)
      cairo_stroke(cairo)
      // The line across.
      cairo_move_to(cairo, 2.5 * unit, 2 * unit)
      cairo_line_to(cairo, 13.5 * unit, 14 * unit)
      cairo_stroke(cairo)
      return (pixels, pixels)
    }
    kept[key] = image
    return image
  }

  /// What `body` draws, cut to the size that it gives back.
  private static func image(
    width: Int, height: Int, _ body: (OpaquePointer?) -> (width: Int, height: Int)
  ) -> AlphaImage {
    let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(width), Int32(height))
    defer { cairo_surface_destroy(surface) }
    let cairo = cairo_create(surface)
    defer { cairo_destroy(cairo) }
    let drawn = body(cairo)
    cairo_surface_flush(surface)
    guard cairo_status(cairo) == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface) else {
      return .empty
    }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let (cutWidth, cutHeight) = (min(width, drawn.width), min(height, drawn.height))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(cutWidth * cutHeight)
    for row in 0..<cutHeight {
      bytes.append(contentsOf: UnsafeBufferPointer(start: data + row * stride, count: cutWidth))
    }
    return AlphaImage(width: cutWidth, height: cutHeight, bytes: bytes)
  }
}
