import LearningModel
import TextCanvas

/// Code blocks: coloured lines after a faint vertical line, with the language at the right edge.
///
/// With ``isPlain``, the lines are indented instead and have neither colours nor a language.
extension ReadingLayout {
  /// Appends a code block. Lines that are too long continue on the next line, at the same indentation.
  func appendCode(_ code: String, in language: String?, to text: inout ReadingText, margin: Margin) {
    var first = margin.first
    let firstLine = text.lines.count
    var overflow = 0
    defer {
      let lines = firstLine..<text.lines.count
      text.codes.append(.init(lines: lines, code: ReadingText.typedText(code, in: language)))
      text.addBlock(.code(language: language, text: code), from: firstLine, overflow: overflow)
      text.addUnbreakable(lines.prefix(lines.count <= Self.maximumKeptLines ? lines.count : 2))
    }
    let room = overflows ? Self.unlimited : max(8, self.availableColumns - margin.width - (margin.isCodeBar ? 0 : 2))
    let edge = isPlain ? StyledRun("  ") : StyledRun("\(symbols.vertical) ", style: theme.line(.faint))
    let edges = margin.isCodeBar ? [] : [edge]
    let label = isPlain ? nil : language.flatMap(Self.name)
    let coloured = coloured(code, in: language)
    overflow = max(0, (coloured.map { $0.indent + $0.text.displayWidth }.max() ?? 0) - room)
    let column = overflow > 0 ? unwrapped[text.selectableBlocks.count] : nil
    for (number, line) in coloured.enumerated() {
      let indent = min(line.indent, room / 2)
      var pieces =
        column.map { [line.text.line(indent: line.indent).columns(from: $0, width: room, symbols.ellipsis)] }
        ?? line.text.wrapped(
          to: room, indent: indent, hangingIndent: min(line.indent + 2, room / 2), overflowing: overflows)
      if pieces.isEmpty { pieces = [StyledLine()] }
      for (part, piece) in pieces.enumerated() {
        var runs = (first ?? margin.runs) + edges
        first = nil
        // The continuation of a line begins with a symbol.
        let goesOn = part > 0 && !isPlain && piece.indent >= 2
        runs.append(StyledRun(spaces(goesOn ? piece.indent - 2 : piece.indent)))
        if goesOn { runs.append(StyledRun(symbols.continuation + " ", style: theme[.quiet])) }
        if piece.runs.isEmpty, !isPlain, !margin.isCodeBar {
          runs = runs.dropLast(2) + [StyledRun(String(symbols.vertical), style: edge.style)]
        }
        runs += piece.runs
        if number == 0, part == 0, let label { append(label, to: &runs) }
        text.lines.append((isPlain || margin.isCodeBar) && piece.runs.isEmpty ? spacingLine(margin) : StyledLine(runs))
      }
    }
  }

  /// Returns the coloured lines of a code block, with the indentation removed from each.
  private func coloured(_ code: String, in language: String?) -> [(indent: Int, text: StyledText)] {
    let shown = (code.hasSuffix("\n") ? String(code.dropLast()) : code).replacing("\t", with: "    ")
    let bytes = shown.utf8
    var lines: [(indent: Int, text: StyledText)] = [(0, StyledText())]
    var position = bytes.startIndex
    let runs =
      isPlain ? nil : language.flatMap(Language.named)?.runs(of: shown)
    for run in runs ?? [HighlightedRun(start: 0, count: bytes.count, tokenClass: .plain)] {
      let end = bytes.index(position, offsetBy: run.count)
      let style = theme.code(run.tokenClass)
      let parts = shown[position..<end].split(separator: "\n", omittingEmptySubsequences: false)
      for (number, part) in parts.enumerated() {
        if number > 0 { lines.append((0, StyledText())) }
        var words = part
        if lines[lines.count - 1].text.runs.isEmpty {
          words = part.drop { $0 == " " }
          lines[lines.count - 1].indent += part.count - words.count
        }
        if !words.isEmpty { lines[lines.count - 1].text.append(String(words), style: style) }
      }
      position = end
    }
    for number in lines.indices where Self.isMissingImageLine(lines[number].text) {
      lines[number].text = StyledText(lines[number].text.runs.map(\.text).joined(), style: theme[.warn])
    }
    return lines
  }

  /// The prefixes of lines that an importer inserts in place of missing program text.
  private static let missingImageText = [
    "[missing include: ", "[include from outside the book: ", "[include that includes itself: ",
  ]

  private static func isMissingImageLine(_ line: StyledText) -> Bool {
    guard line.runs.first?.text.first == "[", line.runs.last?.text.last == "]" else { return false }
    let words = line.runs.map(\.text).joined()
    return missingImageText.contains { words.hasPrefix($0) }
  }

  /// Appends the language at the right end of the first line if there is enough space.
  private func append(_ label: String, to runs: inout [StyledRun]) {
    let used = runs.reduce(0) { $0 + $1.text.displayWidth }
    let gap = (used + label.displayWidth + 2 <= width ? width : availableColumns) - used - label.displayWidth
    guard gap >= 2 else { return }
    runs += [StyledRun(spaces(gap)), StyledRun(label, style: theme[.quiet])]
  }

  /// Returns the display name of the language that an info string names, or `nil` if it names none.
  private static func name(of words: String) -> String? {
    if let language = Language.named(words) { return language.name }
    let word = words.prefix { $0.isLetter || $0.isNumber || "+#-_".contains($0) }
    return word.isEmpty || word == "text" ? nil : String(word)
  }
}
