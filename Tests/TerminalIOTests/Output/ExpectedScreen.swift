import TerminalHarness
import TerminalIO
import TextCanvas

/// The cells that an emulator should show for a surface. A cell is `nil` if terminals may differ.
struct ExpectedScreen {
  var rows: [[ShownCell?]]

  /// - Parameter showsFaint: Whether the emulator distinguishes faint text from other text.
  init(_ surface: Surface, features: OutputFeatures, showsFaint: Bool = false) {
    rows = (0..<surface.rows).map { row in
      var cells = (0..<surface.columns).map { column -> ShownCell? in
        var cell = Self.shown(surface[column, row], features)
        cell.isFaint = showsFaint && cell.isFaint
        return Self.visible(cell)
      }
      for column in 0..<surface.columns where Self.isDisputed(surface[column, row].glyph, features) {
        for each in column..<min(surface.columns, column + max(2, Int(surface[column, row].width))) {
          cells[each] = nil
        }
      }
      return cells
    }
  }

  private static func isDisputed(_ glyph: Glyph, _ features: OutputFeatures) -> Bool {
    glyph.isDisputed || features.ambiguousIsWide && glyph.scalar?.isAmbiguousWidth ?? false
  }

  private static func shown(_ cell: Cell, _ features: OutputFeatures) -> ShownCell {
    if cell.isContinuation { return .continuation }
    var result = ShownCell(text(of: cell.glyph), width: cell.isWide ? 2 : 1)
    result.foreground = colour(cell.foreground.limited(to: features.colourDepth))
    result.background = colour(cell.background.limited(to: features.colourDepth))
    if cell.attributes.rawValue == 0 { return result }
    result.isBold = cell.attributes.contains(.bold)
    result.isFaint = cell.attributes.contains(.faint)
    result.isItalic = cell.attributes.contains(.italic)
    result.underline = cell.attributes.contains(.underline) ? 1 : 0
    result.isReversed = cell.attributes.contains(.reverse)
    result.isStruck = cell.attributes.contains(.strikethrough)
    return result
  }

  private static func text(of glyph: Glyph) -> String {
    if glyph == .blank { return " " }
    // libvterm keeps six scalars of a cluster.
    var text = ""
    for scalar in glyph.text.unicodeScalars.prefix(6) { text.unicodeScalars.append(scalar) }
    return text.isEmpty ? " " : text
  }

  private static func colour(_ colour: Colour) -> ShownColour {
    switch colour.kind {
    case .default, .clear: .default
    case .indexed(let index): .indexed(Int(index))
    case .rgb(let red, let green, let blue): .rgb(Int(red), Int(green), Int(blue))
    }
  }

  /// Removes the foreground of a plain blank, because it is invisible.
  static func visible(_ cell: ShownCell) -> ShownCell {
    guard cell.text == " ", cell.underline == 0, !cell.isReversed, !cell.isStruck else { return cell }
    var result = ShownCell(" ")
    result.background = cell.background
    return result
  }

  /// Describes the first cell that the emulator shows differently, or returns `nil` if all cells are correct.
  func difference(from emulator: Emulator) -> String? {
    for row in rows.indices {
      let actual = emulator.cells(row: row)
      for column in rows[row].indices {
        guard let expected = rows[row][column], Self.visible(actual[column]) != expected else { continue }
        return "row \(row), column \(column): \(actual[column]) instead of \(expected)\n\(emulator.text)"
      }
    }
    return nil
  }
}
