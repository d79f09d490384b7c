public import TextCanvas

/// Draws a surface as plain text: its rows, each ended by a line feed.
///
/// What a surface shows is harmless (no control character can be in a cell), so the text may go anywhere.
public struct PlainTextDrawing: Sendable {
  /// Whether blanks at the end of rows are kept, so that every row has the surface's width.
  public var keepsTrailingBlanks: Bool

  /// Makes a drawing.
  public init(keepsTrailingBlanks: Bool = false) {
    self.keepsTrailingBlanks = keepsTrailingBlanks
  }

  /// Draws a surface.
  public func text(of surface: Surface) -> String {
    var bytes: [UInt8] = []
    for row in 0..<surface.rows {
      var length = bytes.count
      for column in 0..<surface.columns {
        let glyph = surface[column, row].glyph
        if glyph == .none {
          bytes.append(0x20)
        } else {
          glyph.appendUTF8(to: &bytes)
        }
        if !glyph.isBlank || keepsTrailingBlanks { length = bytes.count }
      }
      bytes.removeLast(bytes.count - length)
      bytes.append(0x0A)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
