import TextCanvas

/// Writes the elements of an SVG file.
struct SvgWriter {
  private(set) var text = ""

  mutating func line(_ element: String) {
    text += element
    text += "\n"
  }

  /// Writes shapes; crisp ones are set on whole pixels at every size, so that no page shines through between them.
  mutating func write(_ shapes: SvgShapes, isCrisp: Bool) {
    let rendering = isCrisp ? "shape-rendering=\"crispEdges\" " : ""
    for ink in shapes.inks {
      let opacity = SvgWriter.opacity(ink)
      if let rects = shapes.fills[ink], !rects.isEmpty {
        let path = rects.map { rect in
          let width = SvgWriter.number(rect.width)
          return "M\(SvgWriter.number(rect.x)) \(SvgWriter.number(rect.y))h\(width)v\(SvgWriter.number(rect.height))"
            + "h-\(width)z"
        }
        line(
          "<path \(rendering)fill=\"\(SvgWriter.hex(ink.colour))\"\(opacity) d=\"\(path.joined())\"/>"
        )
      }
      if let strokes = shapes.strokes[ink] {
        line(
          "<path fill=\"none\" stroke=\"\(SvgWriter.hex(ink.colour))\"\(opacity.replacing("fill-", with: "stroke-")) "
            + "d=\"\(strokes.joined())\"/>")
      }
    }
  }

  mutating func write(_ texts: [SvgText]) {
    typealias Metrics = SvgDrawing.Metrics
    for text in texts {
      let x = text.column * Metrics.cellWidth
      let y = text.row * Metrics.cellHeight + Metrics.baseline
      let length = text.columns * Metrics.cellWidth
      line(
        "<text x=\"\(x)\" y=\"\(y)\" textLength=\"\(length)\" lengthAdjust=\"spacingAndGlyphs\" "
          + "fill=\"\(SvgWriter.hex(text.ink.colour))\"\(SvgWriter.opacity(text.ink))"
          + (text.isBold ? " font-weight=\"bold\"" : "") + (text.isItalic ? " font-style=\"italic\"" : "")
          + ">\(SvgWriter.escaped(text.text))</text>")
    }
  }

  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func hex(_ colour: UInt32) -> String {
    let digits = String(colour & 0xFF_FFFF, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// A number as short as it can be; halves and quarters stay exact.
  static func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }

  private static func opacity(_ ink: SvgInk) -> String {
    ink.opacity == 100 ? "" : " fill-opacity=\"0.\(ink.opacity)\""
  }
}
