import LearningModel
import TextCanvas

/// Code blocks: coloured lines after a faint vertical line, which is dotted for output, with the language at the right edge.
///
/// With ``isPlain``, the lines are indented instead and have neither colours nor a language.
extension ReadingLayout {
  /// Appends a code block. Lines that are too long continue on the next line, at the same indentation.
  func appendCode(_ code: String, in language: String?, to text: inout ReadingText, margin: Margin) {
    var first = margin.first
    let firstLine = text.lines.count
    // A block without a language directly below program text is its output.
    let isOutput = language == nil && text.followsProgram(at: firstLine)
    var overflow = 0
    defer {
      let lines = firstLine..<text.lines.count
      text.codes.append(
        .init(lines: lines, code: ReadingText.typedText(code, in: language), isProgram: language != nil || isOutput))
      text.addBlock(.code(language: language, text: code), from: firstLine, overflow: overflow)
      text.addUnbreakable(lines.prefix(lines.count <= Self.maximumKeptLines ? lines.count : 2))
    }
    let codeColumns =
      overflows ? Self.unlimited : max(8, self.availableColumns - margin.width - (margin.isCodeBar ? 0 : 2))
    let edgeLine = isOutput ? symbols.outputLine : String(symbols.vertical)
    let edge = isPlain ? StyledRun("  ") : StyledRun(edgeLine + " ", style: theme.line(.faint))
    let edges = margin.isCodeBar ? [] : [edge]
    let label = isPlain ? nil : language.flatMap(Self.name)
    let coloured = coloured(code, in: language, isOutput: isOutput)
    overflow = max(0, (coloured.map { $0.indent + $0.text.displayWidth }.max() ?? 0) - codeColumns)
    let column = overflow > 0 ? unwrapped[text.selectableBlocks.count] : nil
    for (number, line) in coloured.enumerated() {
      let indent = min(line.indent, codeColumns / 2)
      var segments =
        column.map { [line.text.line(indent: line.indent).columns(from: $0, width: codeColumns, symbols.ellipsis)] }
        ?? line.text.wrapped(
          to: codeColumns, indent: indent, hangingIndent: min(line.indent + 2, codeColumns / 2), overflowing: overflows)
      if segments.isEmpty { segments = [StyledLine()] }
      for (segmentIndex, segment) in segments.enumerated() {
        var runs = (first ?? margin.runs) + edges
        first = nil
        // The continuation of a line begins with a symbol.
        let isContinuation = segmentIndex > 0 && !isPlain && segment.indent >= 2
        runs.append(StyledRun(spaces(isContinuation ? segment.indent - 2 : segment.indent)))
        if isContinuation { runs.append(StyledRun(symbols.continuation + " ", style: theme[.quiet])) }
        if segment.runs.isEmpty, !isPlain, !margin.isCodeBar {
          runs = runs.dropLast(2) + [StyledRun(edgeLine, style: edge.style)]
        }
        runs += segment.runs
        if number == 0, segmentIndex == 0, let label { append(label, to: &runs) }
        text.lines.append(
          (isPlain || margin.isCodeBar) && segment.runs.isEmpty ? spacingLine(margin) : StyledLine(runs))
      }
    }
  }

  /// Returns the coloured lines of a code block, with the indentation removed from each.
  private func coloured(
    _ code: String, in language: String?, isOutput: Bool
  ) -> [(indent: Int, text: StyledText)] {
    let displayedCode = (code.hasSuffix("\n") ? String(code.dropLast()) : code).replacing("\t", with: "    ")
    let bytes = displayedCode.utf8
    var lines: [(indent: Int, text: StyledText)] = [(0, StyledText())]
    var position = bytes.startIndex
    let runs =
      isPlain ? nil : language.flatMap(Language.named)?.runs(of: displayedCode)
    for run in runs ?? [HighlightedRun(start: 0, count: bytes.count, tokenClass: .plain)] {
      let end = bytes.index(position, offsetBy: run.count)
      let style = isOutput ? theme.programOutput : theme.code(run.tokenClass)
      let segments = displayedCode[position..<end].split(separator: "\n", omittingEmptySubsequences: false)
      for (number, segment) in segments.enumerated() {
        if number > 0 { lines.append((0, StyledText())) }
        var text = segment
        if lines[lines.count - 1].text.runs.isEmpty {
          text = segment.drop { $0 == " " }
          lines[lines.count - 1].indent += segment.count - text.count
        }
        if !text.isEmpty { lines[lines.count - 1].text.append(String(text), style: style) }
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
    let text = line.runs.map(\.text).joined()
    return missingImageText.contains { text.hasPrefix($0) }
  }

  /// Appends the language at the right end of the first line if there is enough space.
  private func append(_ label: String, to runs: inout [StyledRun]) {
    let usedColumns = runs.reduce(0) { $0 + $1.text.displayWidth }
    let gap =
      (usedColumns + label.displayWidth + 2 <= width ? width : availableColumns) - usedColumns - label.displayWidth
    guard gap >= 2 else { return }
    runs += [StyledRun(spaces(gap)), StyledRun(label, style: theme[.quiet])]
  }

  /// Returns the display name of the language that an info string names, or `nil` if it names none.
  private static func name(of infoString: String) -> String? {
    if let language = Language.named(infoString) { return language.name }
    let word = infoString.prefix { $0.isLetter || $0.isNumber || "+#-_".contains($0) }
    return word.isEmpty || word == "text" ? nil : String(word)
  }
}
