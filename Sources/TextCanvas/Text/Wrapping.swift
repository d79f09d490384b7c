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
  /// - Returns: At least one line; an empty text is one empty line.
  ///
  /// Source: Unicode Standard Annex 14, its classes drawn together into those that matter on cells.
  public func wrapped(to width: Int, indent: Int = 0, hangingIndent: Int? = nil) -> [StyledLine] {
    var breaker = LineBreaker(width: width, indent: indent, hangingIndent: hangingIndent ?? indent)
    for run in runs { breaker.add(run) }
    return breaker.finish()
  }
}

extension StringProtocol {
  /// Breaks this text into lines of at most so many columns; see `StyledText.wrapped(to:indent:hangingIndent:)`.
  public func wrapped(to width: Int) -> [String] {
    StyledText(String(self)).wrapped(to: width).map(\.text)
  }
}

/// Fills lines with clusters, looking back to the last place where a break is allowed.
struct LineBreaker {
  /// One cluster of the line that is being filled.
  private struct Item {
    let text: Substring
    let style: Style
    let width: Int
    let first: ScalarTraits.LineBreak
    let last: ScalarTraits.LineBreak
    let scalar: Unicode.Scalar
  }

  private let width: Int
  private let hangingIndent: Int
  private var indent: Int
  private var lines: [StyledLine] = []
  private var pending: [Item] = []
  private var pendingWidth = 0

  init(width: Int, indent: Int, hangingIndent: Int) {
    self.width = max(2, width)
    self.indent = min(max(0, indent), self.width - 2)
    self.hangingIndent = min(max(0, hangingIndent), self.width - 2)
  }

  mutating func add(_ run: StyledRun) {
    let text = run.text
    var index = text.unicodeScalars.startIndex
    let end = text.unicodeScalars.endIndex
    while index < end {
      let scalar = text.unicodeScalars[index]
      let kind = ScalarTraits(scalar.value).lineBreak
      let after = text.unicodeScalars.index(after: index)
      switch kind {
      case .newline:
        // A carriage return with a line feed is one end of a line.
        if scalar == "\r", after < end, text.unicodeScalars[after] == "\n" {
          index = text.unicodeScalars.index(after: after)
        } else {
          index = after
        }
        endLine(trimming: true)
      case .invisibleSpace, .softHyphen:
        add(Item(text: text[index..<index], style: run.style, width: 0, first: kind, last: kind, scalar: scalar))
        index = after
      default:
        guard let cluster = nextCluster(text.unicodeScalars[index...]) else { return }
        add(
          Item(
            text: text[cluster.start..<cluster.end], style: run.style, width: cluster.width, first: kind, last: kind,
            scalar: scalar))
        index = cluster.end
      }
    }
  }

  mutating func finish() -> [StyledLine] {
    endLine(trimming: false)
    return lines
  }

  private func nextCluster(_ scalars: Substring.UnicodeScalarView) -> Cluster? {
    var clusters = Clusters(scalars)
    return clusters.next()
  }

  private mutating func add(_ item: Item) {
    pending.append(item)
    pendingWidth += item.width
    while pendingWidth > width - indent, item.first != .space || pending.count == 1 {
      breakLine()
    }
  }

  /// Ends a line before the item that no longer fits: at the last place where a break is allowed, or just there.
  private mutating func breakLine() {
    var taken = pending.count - 1
    var hyphen: Style?
    var place = taken
    while place > 0 {
      if LineBreaker.mayBreak(pending[place - 1], pending[place]) {
        let isSoft = pending[place - 1].first == .softHyphen
        if !isSoft || widthOf(first: place) < width - indent {
          taken = place
          if isSoft { hyphen = pending[place - 1].style }
          break
        }
      }
      place -= 1
    }
    var rest = Array(pending[taken...])
    pending.removeSubrange(taken...)
    if let hyphen {
      pending.append(Item(text: "-", style: hyphen, width: 1, first: .hyphen, last: .hyphen, scalar: "-"))
    }
    endLine(trimming: true)
    // Blanks at which a line was broken belong to neither line.
    while let first = rest.first, first.first == .space, rest.count > 1 { rest.removeFirst() }
    pending = rest
    pendingWidth = rest.reduce(0) { $0 + $1.width }
  }

  private func widthOf(first count: Int) -> Int {
    pending[..<count].reduce(0) { $0 + $1.width }
  }

  private mutating func endLine(trimming: Bool) {
    var line = StyledLine(indent: indent)
    if trimming {
      while let last = pending.last, last.first == .space { pending.removeLast() }
    }
    for item in pending { line.append(item.text, style: item.style) }
    lines.append(line)
    pending.removeAll(keepingCapacity: true)
    pendingWidth = 0
    indent = hangingIndent
  }

  /// Whether a line may end between two clusters.
  private static func mayBreak(_ before: Item, _ after: Item) -> Bool {
    switch (before.last, after.first) {
    case (_, .space), (_, .glue), (.glue, _), (_, .closing), (.opening, _): false
    case (.space, _), (.invisibleSpace, _), (.softHyphen, _): true
    case (.hyphen, .word): after.scalar.properties.isAlphabetic
    case (.slash, .word): after.scalar.properties.isAlphabetic
    case (.ideograph, .hyphen), (.word, .hyphen): false
    case (.ideograph, _), (_, .ideograph): true
    case (.closing, .opening): false
    default: false
    }
  }
}
