/// Fills lines with clusters, looking back to the last place where a break is allowed.
struct LineBreaker {
  /// One cluster of the line that is being filled, or a place of no width where a break is allowed.
  private struct Item {
    let text: Substring
    let style: Style
    let width: Int
    let kind: ScalarTraits.LineBreak
    let scalar: Unicode.Scalar
  }

  private let width: Int
  private let hangingIndent: Int
  /// Whether a word that is too long stays whole.
  private let overflows: Bool
  /// Whether nothing that is pending can be broken any more: then only what comes may begin another line.
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
      // Nothing joins two signs of ASCII, which nearly all of most texts are.
      if (0x20...0x7E).contains(scalar.value), after == scalars.endIndex || scalars[after].isASCII {
        let kind = isGlued ? .glue : traits.lineBreak
        add(Item(text: run.text[index..<after], style: run.style, width: 1, kind: kind, scalar: scalar))
        isGlued = false
        index = after
        continue
      }
      switch traits.lineBreak {
      case .newline:
        // A carriage return with a line feed is one end of a line.
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
      // A space that carries a mark is something to be seen.
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
    // Spaces may hang over the edge; they are left out when the line ends.
    guard item.kind != .space else { return }
    while pendingWidth > width - indent, pending.count > 1, let place = nextBreak() { breakLine(before: place) }
  }

  /// Where a line ends that has become too long: at the last place where that is allowed, or else before what no longer
  /// fits; `nil` where that stays with it.
  private mutating func nextBreak() -> Int? {
    if !isTooLong, let place = lastBreak() { return place }
    guard overflows else { return pending.count - 1 }
    isTooLong = true
    return mayBreak(before: pending.count - 1) ? pending.count - 1 : nil
  }

  private mutating func breakLine(before place: Int) {
    var rest = Array(pending[place...])
    pending.removeSubrange(place...)
    if let last = pending.last, last.kind == .softHyphen {
      pending.append(Item(text: "-", style: last.style, width: 1, kind: .hyphen, scalar: "-"))
    }
    endLine()
    while rest.count > 1, rest[0].kind == .space { rest.removeFirst() }
    pending = rest
    pendingWidth = rest.reduce(0) { $0 + $1.width }
  }

  /// The last place that leaves something visible on the line and room for a hyphen where one is to be shown.
  private func lastBreak() -> Int? {
    guard let firstVisible = pending.firstIndex(where: { $0.kind != .space }) else { return nil }
    var place = pending.count - 1
    var widthBefore = pendingWidth - (pending.last?.width ?? 0)
    while place > firstVisible {
      let needed = widthBefore + (pending[place - 1].kind == .softHyphen ? 1 : 0)
      let hangs = pending[place - 1].kind == .space
      if mayBreak(before: place), hangs || needed <= width - indent { return place }
      place -= 1
      widthBefore -= pending[place].width
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

  /// Whether a line may end before an item that has another before it.
  private func mayBreak(before index: Int) -> Bool {
    let before = pending[index - 1]
    let after = pending[index]
    return switch (before.kind, after.kind) {
    case (_, .space), (_, .glue), (.glue, _), (_, .closing), (.opening, _): false
    case (.space, _), (.invisibleSpace, _), (.softHyphen, _): true
    case (.quote, _), (_, .quote): false
    // Inside a word, and not behind the dash of an option or before the digits of a number.
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
  /// Breaks this text into lines of at most so many columns.
  ///
  /// Lines break at spaces, behind hyphens inside words, around East Asian ideographs (but not before closing
  /// punctuation or behind opening punctuation), at invisible break places, and at line feeds; never at a no-break
  /// space. A word longer than a line breaks between clusters. Spaces at the end of a line are left out, those at the
  /// beginning of the text stay.
  ///
  /// - Parameters:
  ///   - width: Columns of a line, indent included; less than 2 counts as 2, so that any character fits.
  ///   - indent: Blank columns before the first line.
  ///   - hangingIndent: Blank columns before each line after it, and `indent` by default. An indent that leaves less
  ///     than 2 columns is shortened.
  ///   - overflowing: Whether a word that is longer than a line stays whole, and its line is longer then.
  /// - Returns: At least one line; an empty text is one empty line.
  ///
  /// Source: Unicode Standard Annex 14, its classes drawn together into those that matter on cells.
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
  /// Breaks this text into lines of at most so many columns; see `StyledText.wrapped(to:indent:hangingIndent:overflowing:)`.
  public func wrapped(to width: Int) -> [String] {
    StyledText(String(self)).wrapped(to: width).map(\.text)
  }
}
