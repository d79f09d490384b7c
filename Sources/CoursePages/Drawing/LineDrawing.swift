package import TextCanvas

/// Draws rows with text at both ends, rules and boxes.
package struct LineDrawing {
  package let theme: Theme
  package let symbols: Symbols

  package init(theme: Theme, symbols: Symbols) {
    self.theme = theme
    self.symbols = symbols
  }

  /// In rows of at least ``narrow`` columns, the right text is shortened only if fewer than this number of columns
  /// would remain for the left text.
  private static let minimumLeftColumns = 4
  /// In rows with fewer columns than this, the left text gets most of the width, because a title is not recognisable
  /// from a few columns.
  private static let narrow = 40
  /// In rows with fewer columns than this, the right text is omitted if the left text would otherwise be truncated.
  private static let minimumColumns = 30

  /// Draws one row with text at both ends and at least two blanks between them.
  ///
  /// If there is not enough space, the right text is replaced by `fewer` or by its shortest form, and the left text is
  /// truncated. In a narrow row, or if `fewer` is given, the right text is shortened as soon as the left text does not
  /// fit. Otherwise, the right text is shortened only if fewer than four columns would remain for the left text.
  ///
  /// - Parameters:
  ///   - indent: The number of columns before the first word of the left text, such as those of a progress symbol.
  ///   - fewer: A shorter form of the right text. If `nil`, the first word of the right text is removed if a number
  ///     follows it.
  package func row(
    _ leftText: StyledText, _ rightText: StyledText = "", indent: Int = 0, fewer: StyledText? = nil,
    width: Int
  ) -> Surface {
    var surface = Surface(columns: max(0, width), rows: 1)
    let rightText = rightEnd(
      rightText, nextTo: leftText, indent: indent, fewer: fewer, width: width)
    let rightWidth = rightText.displayWidth
    let leftWidth = rightWidth == 0 ? width : width - rightWidth - 2
    surface.draw(StyledLine(leftText.runs).truncated(to: leftWidth, ellipsis: symbols.ellipsis), at: .zero)
    surface.draw(StyledLine(rightText.runs), at: CellPoint(column: width - rightWidth, row: 0))
    return surface
  }

  /// Returns the form of the right text that ``row(_:_:indent:fewer:width:)`` draws.
  func rightEnd(
    _ rightText: StyledText, nextTo leftText: StyledText, indent: Int = 0, fewer: StyledText? = nil,
    width: Int
  ) -> StyledText {
    let isNarrow = width < Self.narrow
    let minimumLeft = min(leftText.displayWidth, isNarrow ? (width + indent) * 3 / 5 : Self.minimumLeftColumns)
    let availableColumns = { (rightText: StyledText) in
      rightText.displayWidth == 0 ? width : width - rightText.displayWidth - 2
    }
    let forms = [rightText, fewer ?? rightText.withoutFirstWord]
    let fullForm = (forms + (width < Self.minimumColumns ? [""] : [])).first {
      leftText.displayWidth <= availableColumns($0)
    }
    let truncatedForm =
      (isNarrow || fewer != nil ? forms.reversed() : forms).first { availableColumns($0) >= minimumLeft }
      ?? ""
    return isNarrow || fewer != nil ? fullForm ?? truncatedForm : truncatedForm
  }

  /// Draws a horizontal line. The given fraction of it is heavy.
  package func rule(width: Int, fraction: Double, role: Role, light: Role = .faint) -> Surface {
    var surface = Surface(columns: max(0, width), rows: 1)
    drawRule(on: &surface, at: .zero, width: width, fraction: fraction, role: role, light: light)
    return surface
  }

  /// Draws a box whose bottom edge is heavy for the given fraction of its width.
  ///
  /// - Parameters:
  ///   - innerRule: The row of an additional horizontal line, which shows the fraction instead of the bottom edge.
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
    let bottomLeft = CellPoint(column: 0, row: bottom)
    surface.draw(String(symbols.corners[2]) + horizontal + String(symbols.corners[3]), at: bottomLeft, style: style)

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

  /// Returns the number of heavy cells: at least one if the fraction is above 0, and not all of them if it is below 1.
  static func heavyCells(of width: Int, fraction: Double) -> Int {
    guard fraction > 0 else { return 0 }
    guard fraction < 1 else { return width }
    return min(max(1, DisplayFormat.portion(fraction, of: width)), width - 1)
  }
}

extension StyledText {
  /// The text without its first word if a number follows it, for example `3 of 5` for `lesson 3 of 5`. Otherwise the
  /// whole text.
  fileprivate var withoutFirstWord: StyledText {
    guard runs.count == 1, let blank = text.firstIndex(of: " "),
      text[text.index(after: blank)...].first?.isNumber == true
    else { return self }
    return StyledText(String(text[text.index(after: blank)...]), style: runs[0].style)
  }
}
