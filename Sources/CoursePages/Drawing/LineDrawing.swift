package import TextCanvas

/// Lines with text at both ends, and the one box that there is.
package struct LineDrawing {
  package let theme: Theme
  package let symbols: Symbols

  package init(theme: Theme, symbols: Symbols) {
    self.theme = theme
    self.symbols = symbols
  }

  /// Columns of the left text, where it has as many, that are worth more than all of the right one.
  private static let leastLeft = 4
  /// Below so many columns a few of them do not say what something is: the left text is worth most of them.
  private static let narrow = 40
  /// Below so many columns a title that is whole is worth more than any number beside it.
  private static let narrowest = 30

  /// One row: text at the left end, text at the right end, and at least two blanks between them. The left gives way, but
  /// not to nothing: where it would hardly be seen, the right one says its number without a word, or nothing.
  ///
  /// - Parameters:
  ///   - indent: Columns of the left text before its words.
  ///   - fewer: What says the same as the right text in fewer words: it does where the left one would be cut otherwise.
  ///   - least: What stays at the right end where there is no room for that either.
  package func row(
    _ left: StyledText, _ right: StyledText = "", indent: Int = 0, fewer: StyledText? = nil, least: StyledText = "",
    width: Int
  ) -> Surface {
    var surface = Surface(columns: max(0, width), rows: 1)
    let right = rightEnd(right, beside: left, indent: indent, fewer: fewer, least: least, width: width)
    let rightWidth = right.displayWidth
    let leftWidth = rightWidth == 0 ? width : width - rightWidth - 2
    surface.draw(StyledLine(left.runs).truncated(to: leftWidth, ellipsis: symbols.ellipsis), at: .zero)
    surface.draw(StyledLine(right.runs), at: CellPoint(column: width - rightWidth, row: 0))
    return surface
  }

  /// What ``row(_:_:indent:fewer:least:width:)`` has at its right end.
  func rightEnd(
    _ right: StyledText, beside left: StyledText, indent: Int = 0, fewer: StyledText? = nil, least: StyledText = "",
    width: Int
  ) -> StyledText {
    let isNarrow = width < Self.narrow
    let leastLeft = min(left.displayWidth, isNarrow ? (width + indent) * 3 / 5 : Self.leastLeft)
    let room = { (right: StyledText) in right.displayWidth == 0 ? width : width - right.displayWidth - 2 }
    let forms = [right, fewer ?? right.withoutFirstWord]
    let whole = (forms + (width < Self.narrowest ? [least] : [])).first { left.displayWidth <= room($0) }
    let cut = (isNarrow || fewer != nil ? forms.reversed() : forms).first { room($0) >= leastLeft } ?? least
    return isNarrow || fewer != nil ? whole ?? cut : cut
  }

  /// A horizontal line of which the heavy part is what is done.
  package func rule(width: Int, fraction: Double, role: Role, light: Role = .faint) -> Surface {
    var surface = Surface(columns: max(0, width), rows: 1)
    drawRule(on: &surface, at: .zero, width: width, fraction: fraction, role: role, light: light)
    return surface
  }

  /// A box around a size, its bottom edge heavy as far as something is done; with `innerRule`, a second such line.
  ///
  /// - Parameters:
  ///   - innerRule: The row of the second line, which then has the progress instead of the bottom edge.
  package func box(_ size: CellSize, fraction: Double, role: Role, innerRule: Int? = nil) -> Surface {
    var surface = Surface(size)
    guard size.columns >= 2, size.rows >= 2 else { return surface }
    let style = theme.line(role)
    let (right, bottom) = (size.columns - 1, size.rows - 1)
    let horizontal = String(repeating: symbols.horizontal, count: size.columns - 2)

    surface.draw(String(symbols.corners[0]) + horizontal + String(symbols.corners[1]), at: .zero, style: style)
    for row in 1..<bottom {
      surface.draw(String(symbols.vertical), at: CellPoint(column: 0, row: row), style: style)
      surface.draw(String(symbols.vertical), at: CellPoint(column: right, row: row), style: style)
    }
    let foot = CellPoint(column: 0, row: bottom)
    surface.draw(String(symbols.corners[2]) + horizontal + String(symbols.corners[3]), at: foot, style: style)

    let heavyRow = innerRule.map { min($0, bottom) } ?? bottom
    if heavyRow < bottom {
      surface.draw(String(symbols.joins[0]), at: CellPoint(column: 0, row: heavyRow), style: style)
      surface.draw(String(symbols.joins[1]), at: CellPoint(column: right, row: heavyRow), style: style)
    }
    drawRule(
      on: &surface, at: CellPoint(column: 1, row: heavyRow), width: size.columns - 2, fraction: fraction, role: role,
      light: role)
    return surface
  }

  private func drawRule(
    on surface: inout Surface, at point: CellPoint, width: Int, fraction: Double, role: Role, light: Role
  ) {
    guard width > 0 else { return }
    let heavy = Self.heavyCells(of: width, fraction: fraction)
    surface.draw(String(repeating: symbols.heavy, count: heavy), at: point, style: theme.line(role))
    surface.draw(
      String(repeating: symbols.horizontal, count: width - heavy),
      at: CellPoint(column: point.column + heavy, row: point.row), style: theme.line(light))
  }

  /// How many cells of a line are heavy: never none where something is done, never all before everything is.
  static func heavyCells(of width: Int, fraction: Double) -> Int {
    guard fraction > 0 else { return 0 }
    guard fraction < 1 else { return width }
    return min(max(1, Int((fraction * Double(width)).rounded())), width - 1)
  }
}

extension StyledText {
  /// `3 of 5` of `lesson 3 of 5`; the whole text where no number follows its first word.
  fileprivate var withoutFirstWord: StyledText {
    guard runs.count == 1, let blank = text.firstIndex(of: " "),
      text[text.index(after: blank)...].first?.isNumber == true
    else { return self }
    return StyledText(String(text[text.index(after: blank)...]), style: runs[0].style)
  }
}
