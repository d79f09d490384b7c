/// Fills lines with clusters. If a line becomes too long, it is broken at the last possible position.
struct LineBreaker {
  /// A cluster of the current line, or a zero-width position at which a break is allowed.
  private struct Item {
    let text: Substring
    let style: Style
    let width: Int
    let kind: ScalarTraits.LineBreak
    let scalar: Unicode.Scalar
  }

  private let width: Int
  private let hangingIndent: Int
  /// Whether words that are too long are not broken.
  private let overflows: Bool
  /// Whether the pending items can no longer be broken, so that only a break before a following item is possible.
  private var isTooLong = false
  private var indent: Int
  private var lines: [StyledLine] = []
  private var pending: [Item] = []
  private var pendingWidth = 0

  init(width: Int, indent: Int, hangingIndent: Int, overflows: Bool) {
    self.overflows = overflows
    self.width = max(2, width)
    self.indent = min(max(0, indent), self.width - 2)
    self.hangingIndent = min(max(0, hangingIndent), self.width - 2)
  }

  mutating func add(_ run: StyledRun) {
    let scalars = run.text.unicodeScalars
    var index = scalars.startIndex
    var isGlued = false
    while index < scalars.endIndex {
      let scalar = scalars[index]
      let traits = ScalarTraits(scalar.value)
      let after = scalars.index(after: index)
      // Adjacent ASCII characters never form a cluster. Most texts consist almost entirely of them.
      if (0x20...0x7E).contains(scalar.value), after == scalars.endIndex || scalars[after].isASCII {
        let kind = isGlued ? .glue : traits.lineBreak
        add(Item(text: run.text[index..<after], style: run.style, width: 1, kind: kind, scalar: scalar))
        isGlued = false
        index = after
        continue
      }
      switch traits.lineBreak {
      case .newline:
        // A carriage return and a line feed form a single line end.
        let isPair = scalar == "\r" && after < scalars.endIndex && scalars[after] == "\n"
        index = isPair ? scalars.index(after: after) : after
        endLine()
        continue
      case .invisibleSpace, .softHyphen:
        add(Item(text: "", style: run.style, width: 0, kind: traits.lineBreak, scalar: scalar))
        index = after
        continue
      default: break
      }
      guard traits.role != .dropped else {
        isGlued = traits.lineBreak == .glue
        index = after
        continue
      }
      var clusters = Clusters(scalars[index...])
      guard let cluster = clusters.next() else { return }
      let isItself = cluster.end == after && cluster.glyph.scalar == scalar
      var kind = isGlued ? .glue : traits.lineBreak
      // A space with a combining mark is visible.
      if kind == .space && !cluster.glyph.isBlank { kind = .word }
      add(
        Item(
          text: isItself ? run.text[index..<after] : Substring(cluster.glyph.text), style: run.style,
          width: cluster.width, kind: kind, scalar: scalar))
      isGlued = false
      index = cluster.end
    }
  }

  mutating func finish() -> [StyledLine] {
    endLine()
    return lines
  }

  private mutating func add(_ item: Item) {
    pending.append(item)
    pendingWidth += item.width
    // Spaces may exceed the line. They are omitted at its end.
    guard item.kind != .space else { return }
    while pendingWidth > width - indent, pending.count > 1, let index = nextBreak() { breakLine(before: index) }
  }

  /// Returns the position at which a line that is too long is broken: the last one at which a break is allowed,
  /// otherwise before the first item that does not fit. Returns `nil` if that item must stay on the line.
  private mutating func nextBreak() -> Int? {
    if !isTooLong, let index = lastBreak() { return index }
    guard overflows else { return pending.count - 1 }
    isTooLong = true
    return mayBreak(before: pending.count - 1) ? pending.count - 1 : nil
  }

  private mutating func breakLine(before index: Int) {
    var remaining = Array(pending[index...])
    pending.removeSubrange(index...)
    if let last = pending.last, last.kind == .softHyphen {
      pending.append(Item(text: "-", style: last.style, width: 1, kind: .hyphen, scalar: "-"))
    }
    endLine()
    while remaining.count > 1, remaining[0].kind == .space { remaining.removeFirst() }
    pending = remaining
    pendingWidth = remaining.reduce(0) { $0 + $1.width }
  }

  /// Returns the last position at which the line keeps something visible and has space for a hyphen if one is needed.
  private func lastBreak() -> Int? {
    guard let firstVisible = pending.firstIndex(where: { $0.kind != .space }) else { return nil }
    var index = pending.count - 1
    var widthBefore = pendingWidth - (pending.last?.width ?? 0)
    while index > firstVisible {
      let needed = widthBefore + (pending[index - 1].kind == .softHyphen ? 1 : 0)
      let hangs = pending[index - 1].kind == .space
      if mayBreak(before: index), hangs || needed <= width - indent { return index }
      index -= 1
      widthBefore -= pending[index].width
    }
    return nil
  }

  private mutating func endLine() {
    while let last = pending.last, last.kind == .space { pending.removeLast() }
    var line = StyledLine(indent: indent)
    for item in pending { line.append(item.text, style: item.style) }
    lines.append(line)
    pending.removeAll(keepingCapacity: true)
    pendingWidth = 0
    isTooLong = false
    indent = hangingIndent
  }

  /// Returns whether a line may be broken before an item that is not the first.
  private func mayBreak(before index: Int) -> Bool {
    let before = pending[index - 1]
    let after = pending[index]
    return switch (before.kind, after.kind) {
    case (_, .space), (_, .glue), (.glue, _), (_, .closing), (.opening, _): false
    case (.space, _), (.invisibleSpace, _), (.softHyphen, _): true
    case (.quote, _), (_, .quote): false
    // A break is allowed inside a word, but not after the dash of an option or before a digit.
    case (.hyphen, .word): index > 1 && pending[index - 2].kind == .word && after.scalar.properties.isAlphabetic
    case (.slash, .word): after.scalar.properties.isAlphabetic
    case (_, .hyphen), (_, .slash): false
    case (.ideograph, _), (_, .ideograph): true
    case (.closing, .opening): before.width == 2
    default: false
    }
  }
}

extension StyledText {
  /// Breaks the text into lines.
  ///
  /// Lines are broken at spaces, after hyphens inside words, around East Asian ideographs (but not before closing or
  /// after opening punctuation), at zero-width spaces and at line feeds, but never at a no-break space. A word longer
  /// than a line is broken between clusters. Spaces at the end of a line are omitted, those at the beginning of the
  /// text are kept.
  ///
  /// - Parameters:
  ///   - width: The maximum width of a line in columns, including the indent. Values less than 2 count as 2, so that
  ///     any character fits.
  ///   - indent: The number of blank columns before the first line.
  ///   - hangingIndent: The number of blank columns before each following line. The default is `indent`. An indent that
  ///     leaves less than 2 columns is reduced.
  ///   - overflowing: Whether words that are longer than a line are not broken, so that their lines are too long.
  /// - Returns: At least one line. An empty text results in one empty line.
  ///
  /// Source: Unicode Standard Annex 14, with its classes reduced to those that matter for cells.
  public func wrapped(
    to width: Int, indent: Int = 0, hangingIndent: Int? = nil, overflowing: Bool = false
  ) -> [StyledLine] {
    var breaker = LineBreaker(
      width: width, indent: indent, hangingIndent: hangingIndent ?? indent, overflows: overflowing)
    for run in runs { breaker.add(run) }
    return breaker.finish()
  }
}

extension StringProtocol {
  /// Breaks the text into lines with a maximum width in columns. See
  /// `StyledText.wrapped(to:indent:hangingIndent:overflowing:)`.
  public func wrapped(to width: Int) -> [String] {
    StyledText(String(self)).wrapped(to: width).map(\.text)
  }
}
