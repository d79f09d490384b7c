extension Formula {
  /// A formula drawn in several rows.
  public struct Rows: Hashable, Sendable {
    /// The rows from top to bottom, without trailing spaces.
    public var lines: [String]
    /// The index of the row that is aligned with the surrounding text.
    public var baseline: Int

    /// Makes a drawing of rows.
    public init(lines: [String], baseline: Int) {
      self.lines = lines
      self.baseline = baseline
    }
  }

  /// Draws the formula in rows, like displayed mathematics: with fractions and limits above each other, tall brackets,
  /// and matrices as grids.
  ///
  /// - Parameters:
  ///   - columns: The maximum width in cells.
  ///   - width: Returns the number of cells that a character occupies.
  /// - Returns: The rows, or `nil` if they are wider than `columns` or if the formula has 4,000 components or more. In
  ///   this case, ``line`` can be used and wrapped.
  public func rows(columns: Int, width: (Character) -> Int) -> Rows? {
    // This limits the cost of drawing extremely large formulas.
    guard columns > 0, size < 4000 else { return nil }
    return withoutActuallyEscaping(width) { width in
      let box = RowsWriter(width: width).box(self)
      guard box.width <= columns else { return nil }
      var lines = box.rows
      for row in lines.indices {
        while lines[row].utf8.last == UInt8(ascii: " ") { lines[row].removeLast() }
      }
      return Rows(lines: lines, baseline: box.baseline)
    }
  }

  /// The number of formulas that the formula contains, including itself.
  private var size: Int {
    var count = 1
    _ = mapped { element in
      count += element.size
      return element
    }
    return count
  }
}

struct RowsWriter {
  let width: (Character) -> Int
  private let line = LineWriter(isASCII: false)

  init(width: @escaping (Character) -> Int) {
    self.width = width
  }

  private func text(_ text: String) -> FormulaBox {
    let clean = String(text.map { $0.isControl || $0.isNewline ? " " : $0 })
    return FormulaBox(rows: [clean], width: clean.map(width).reduce(0, +), baseline: 0)
  }

  private func repeated(_ character: Character, _ columns: Int) -> FormulaBox {
    FormulaBox(rows: [String(repeating: character, count: columns)], width: columns, baseline: 0)
  }

  /// Draws a formula without neighbours.
  func box(_ formula: Formula) -> FormulaBox {
    let elements = formula.elements
    let roles = Formula.roles(of: elements)
    var boxes: [FormulaBox] = []
    var last: (role: Role, text: String, isTall: Bool)?
    var space = 0
    for (index, element) in elements.enumerated() {
      if case .space(let width) = element {
        space = max(space, [.quad: 2, .doubleQuad: 4, .negative: 0][width] ?? 1)
        continue
      }
      let before = index > 0 ? roles[index - 1] : nil
      let neighbours = LineWriter.Neighbours(before: before, after: index + 1 < roles.count ? roles[index + 1] : nil)
      let box = self.box(element, neighbours)
      let text = box.isFlat ? box.rows[0] : ""
      if let last {
        let gap = gap(
          from: last, to: roles[index], text, isTall: !box.isFlat,
          isApart: line.isApart(element, after: elements[index - 1])
        )
        boxes.append(repeated(" ", max(gap, space)))
      }
      boxes.append(box)
      last = (roles[index], text, !box.isFlat)
      space = 0
    }
    return boxes.isEmpty ? text("") : .joinedHorizontally(boxes)
  }

  private func gap(
    from last: (role: Role, text: String, isTall: Bool), to next: Role, _ text: String, isTall: Bool, isApart: Bool
  ) -> Int {
    guard last.isTall || isTall else {
      return line.gap(from: last.role, to: next, last.text, text, isApart: isApart).count
    }
    let minimumGap = line.gap(from: last.role, to: next, last.text, text, isApart: isApart).count
    // Tall elements are separated by a space. Otherwise, their rows would be read together with the adjacent rows.
    if [.punctuation, .postfix, .closing, .slash, .bar].contains(next) { return 0 }
    if [.opening, .slash, .unary, .bar].contains(last.role) { return last.role == .unary ? 1 : 0 }
    if next == .fence || (last.isTall && isTall && last.role == .fence) { return minimumGap }
    return max(1, minimumGap)
  }

  private func box(_ formula: Formula, _ neighbours: LineWriter.Neighbours) -> FormulaBox {
    switch formula {
    case .fraction(let above, let below, true): return fraction(above, below)
    case .fraction(let above, let below, false): return .stacked([box(above), box(below)], baselineOf: 0)
    case .root(let radicand, let index): return root(radicand, index) ?? text(line.elementText(formula, neighbours))
    case .scripts(let base, let sub, let sup): return scripts(base, sub, sup, formula, neighbours)
    case .limits(let base, let under, let over): return limits(base, under, over)
    case .fenced(let open, let inner, let close):
      let inside = box(inner)
      return inside.isFlat ? text(line.elementText(formula, neighbours)) : fenced(open, inside, close)
    case .table(let table): return self.table(table)
    case .accent(let accent, let base):
      let inside = box(base)
      return inside.isFlat
        ? text(line.elementText(formula, neighbours))
        : .joinedHorizontally([text(accent.rawValue), fenced("(", inside, ")")])
    case .row: return fenced("(", box(formula), ")")
    default: return text(line.elementText(formula, neighbours))
    }
  }

  private func fraction(_ above: Formula, _ below: Formula) -> FormulaBox {
    let top = box(above)
    let bottom = box(below)
    // An inner fraction bar must be shorter than the outer one.
    let margin = top.isFlat && bottom.isFlat ? 0 : 2
    let bar = repeated("─", max(top.width, bottom.width, 1) + margin)
    return .stacked([top, bar, bottom], baselineOf: 1)
  }

  // MARK: Roots

  /// Draws a root with a line above the radicand. Returns `nil` if the line is not needed.
  private func root(_ radicand: Formula, _ index: Formula?) -> FormulaBox? {
    let inside = box(radicand)
    if inside.isFlat, inside.width < 2 { return nil }
    let sign: String
    switch index {
    case nil: sign = "√"
    case .number("3"): sign = "∛"
    case .number("4"): sign = "∜"
    case let index?:
      guard let letters = ScriptLetters.letters(index, ScriptLetters.superscripts) else { return nil }
      sign = letters + "√"
    }
    let signBox = text(sign)
    var rows = inside.rows.indices.map { row in
      row == inside.height - 1 ? sign : String(repeating: " ", count: signBox.width - 1) + "│"
    }
    rows = zip(rows, inside.rows).map { $0 + $1 }
    rows.insert(String(repeating: " ", count: signBox.width) + String(repeating: "_", count: inside.width), at: 0)
    return FormulaBox(rows: rows, width: signBox.width + inside.width, baseline: inside.baseline + 1)
  }

  // MARK: Scripts

  private func scripts(
    _ base: Formula, _ sub: Formula?, _ sup: Formula?, _ formula: Formula, _ neighbours: LineWriter.Neighbours
  ) -> FormulaBox {
    let lower = sub.map { line.script($0, ScriptLetters.subscripts) }
    let upper = sup.map { line.script($0, ScriptLetters.superscripts) }
    var inner = base.isEmpty ? text("") : box(base, LineWriter.Neighbours())
    if inner.isFlat, !(lower?.isLong ?? false), !(upper?.isLong ?? false) {
      return text(line.elementText(formula, neighbours))
    }
    if needsBrackets(base) { inner = fenced("(", inner, ")") }
    // If the base is tall, its scripts are in its first and last row. If the base is flat, they are above and below it.
    let over = sup.map { text(inner.isFlat ? line.compact($0) : upper?.letters ?? line.compact($0)) }
    let under = sub.map { text(inner.isFlat ? line.compact($0) : lower?.letters ?? line.compact($0)) }
    let width = max(over?.width ?? 0, under?.width ?? 0)
    let blank = repeated(" ", width).rows[0]
    var rows = Array(repeating: blank, count: inner.height)
    if let row = over?.padded(to: width, .left).rows[0] {
      rows.replaceSubrange(0..<(inner.isFlat ? 0 : 1), with: [row])
    }
    if let row = under?.padded(to: width, .left).rows[0] {
      rows.replaceSubrange((rows.count - (inner.isFlat ? 0 : 1))..., with: [row])
    }
    let baseline = inner.baseline + (inner.isFlat && over != nil ? 1 : 0)
    return .joinedHorizontally([inner, FormulaBox(rows: rows, width: width, baseline: baseline)])
  }

  private func needsBrackets(_ base: Formula) -> Bool {
    switch base {
    case .identifier, .number, .symbol, .styled, .fenced, .accent, .text, .table: false
    case .row: false
    default: true
    }
  }

  private func limits(_ base: Formula, _ under: Formula?, _ over: Formula?) -> FormulaBox {
    var middle: FormulaBox
    if case .accent(let accent, let inner) = base, accent == .underbrace || accent == .overbrace {
      middle = box(inner)
      let width = max(middle.width, 3)
      let ends = accent == .underbrace ? ("╰", "┬", "╯") : ("╭", "┴", "╮")
      let leftWidth = (width - 3) / 2
      let brace =
        ends.0 + String(repeating: "─", count: leftWidth) + ends.1
        + String(repeating: "─", count: width - 3 - leftWidth) + ends.2
      let box = FormulaBox(rows: [brace], width: width, baseline: 0)
      middle =
        accent == .underbrace
        ? .stacked([middle, box], baselineOf: 0) : .stacked([box, middle], baselineOf: 1)
    } else {
      middle = box(base, LineWriter.Neighbours())
    }
    let boxes = [over.map { text(line.compact($0)) }, middle, under.map { text(line.compact($0)) }]
    return .stacked(boxes.compactMap(\.self), baselineOf: over == nil ? 0 : 1)
  }

  // MARK: Brackets

  /// The characters of a tall bracket: its upper end, its lower end, the part that is repeated between them, and its
  /// middle.
  ///
  /// Source: Unicode, block "Miscellaneous Technical", bracket pieces.
  private static let bracketGlyphs: [String: (upper: String, lower: String, between: String, middle: String)] = [
    "(": ("⎛", "⎝", "⎜", "⎜"), ")": ("⎞", "⎠", "⎟", "⎟"), "[": ("⎡", "⎣", "⎢", "⎢"), "]": ("⎤", "⎦", "⎥", "⎥"),
    "{": ("⎧", "⎩", "⎪", "⎨"), "}": ("⎫", "⎭", "⎪", "⎬"), "⌊": ("⎢", "⎣", "⎢", "⎢"), "⌋": ("⎥", "⎦", "⎥", "⎥"),
    "⌈": ("⎡", "⎢", "⎢", "⎢"), "⌉": ("⎤", "⎥", "⎥", "⎥"), "|": ("│", "│", "│", "│"), "‖": ("║", "║", "║", "║"),
  ]

  private func fenced(_ open: String, _ inside: FormulaBox, _ close: String) -> FormulaBox {
    .joinedHorizontally([bracket(open, inside), inside, bracket(close, inside)])
  }

  private func bracket(_ sign: String, _ inside: FormulaBox) -> FormulaBox {
    if sign.isEmpty { return text("") }
    guard inside.height > 1, let glyphs = Self.bracketGlyphs[sign] else { return text(sign) }
    let last = inside.height - 1
    let rows = (0...last).map { row in
      if row == 0 { return glyphs.upper }
      if row == last { return glyphs.lower }
      return row == last / 2 + last % 2 ? glyphs.middle : glyphs.between
    }
    return FormulaBox(rows: rows, width: 1, baseline: inside.baseline)
  }

  // MARK: Tables

  private func table(_ table: Formula.Table) -> FormulaBox {
    let cells = table.rows.map { $0.map(box) }
    let count = cells.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in cells.map { $0.indices.contains(column) ? $0[column].width : 0 }.max() ?? 0
    }
    let isTall = cells.contains { $0.contains { !$0.isFlat } }
    var rows: [String] = []
    for (index, row) in cells.enumerated() {
      if isTall, index > 0 { rows.append(String(repeating: " ", count: 0)) }
      var boxes: [FormulaBox] = []
      for (column, width) in widths.enumerated() {
        if column > 0 { boxes.append(repeated(" ", separation(table.layout, column))) }
        let cell = row.indices.contains(column) ? row[column] : text("")
        boxes.append(cell.padded(to: width, side(table.layout, column)))
      }
      rows += FormulaBox.joinedHorizontally(boxes).rows
    }
    let width = widths.reduce(0, +) + (1..<max(count, 1)).map { separation(table.layout, $0) }.reduce(0, +)
    rows = rows.map { $0.isEmpty ? String(repeating: " ", count: width) : $0 }
    return FormulaBox(rows: rows.isEmpty ? [""] : rows, width: width, baseline: max(0, rows.count - 1) / 2)
  }

  private func separation(_ layout: Formula.Table.Layout, _ column: Int) -> Int {
    switch layout {
    case .aligned: column % 2 == 1 ? 1 : 4
    default: 2
    }
  }

  private func side(_ layout: Formula.Table.Layout, _ column: Int) -> FormulaBox.Side {
    switch layout {
    case .matrix: return .center
    case .cases, .gathered: return .left
    case .aligned: return column % 2 == 0 ? .right : .left
    case .array(let columns):
      let letter = Array(columns).indices.contains(column) ? Array(columns)[column] : "c"
      return letter == "l" ? .left : letter == "r" ? .right : .center
    }
  }
}

/// A drawing in rows of equal width, with the row that is aligned with the neighbours.
struct FormulaBox {
  var rows: [String]
  var width: Int
  var baseline: Int

  var height: Int { rows.count }
  var isFlat: Bool { rows.count == 1 }

  /// Returns boxes next to each other, aligned at their baselines.
  static func joinedHorizontally(_ boxes: [FormulaBox]) -> FormulaBox {
    let above = boxes.map(\.baseline).max() ?? 0
    let below = boxes.map { $0.height - $0.baseline }.max() ?? 1
    var rows = Array(repeating: "", count: above + below)
    for box in boxes {
      for row in rows.indices {
        let index = row - above + box.baseline
        rows[row] += box.rows.indices.contains(index) ? box.rows[index] : String(repeating: " ", count: box.width)
      }
    }
    return FormulaBox(rows: rows, width: boxes.map(\.width).reduce(0, +), baseline: above)
  }

  /// The alignment of a box in a given width.
  enum Side { case left, center, right }

  func padded(to width: Int, _ side: Side) -> FormulaBox {
    let missing = max(0, width - self.width)
    let leftPadding =
      switch side {
      case .left: 0
      case .center: missing / 2
      case .right: missing
      }
    let rows = rows.map {
      String(repeating: " ", count: leftPadding) + $0 + String(repeating: " ", count: missing - leftPadding)
    }
    return FormulaBox(rows: rows, width: self.width + missing, baseline: baseline)
  }

  /// Returns boxes one below the other. The baseline of the box at index `main` becomes the baseline of the result.
  static func stacked(_ boxes: [FormulaBox], baselineOf main: Int, _ side: Side = .center) -> FormulaBox {
    let width = boxes.map(\.width).max() ?? 0
    let baseline = boxes[..<main].map(\.height).reduce(0, +) + boxes[main].baseline
    return FormulaBox(rows: boxes.flatMap { $0.padded(to: width, side).rows }, width: width, baseline: baseline)
  }
}
