import Mathematics
import TextCanvas

extension ReadingLayout {
  /// A formula that stands by itself: drawn in rows where they fit, else on a line that is broken as words are.
  func append(_ formula: Formula, to text: inout ReadingText, margin: Margin) {
    let indent = width - margin.width >= 24 ? 4 : 0
    let columns = max(8, width - margin.width - indent)
    guard !symbols.isAscii, let rows = formula.rows(columns: columns, width: { String($0).displayWidth }) else {
      let line = symbols.isAscii ? formula.ascii : formula.line
      let lines = wrapped(StyledText(line, style: theme[.ink]), to: columns)
      return append(lines.map { [StyledRun(spaces(indent))] + $0.runs }, to: &text, margin: margin)
    }
    append(
      rows.lines.map { [StyledRun(spaces(indent)), StyledRun($0, style: theme[.ink])] }, to: &text, margin: margin)
  }

  private func append(_ lines: [[StyledRun]], to text: inout ReadingText, margin: Margin) {
    let first = text.lines.count
    for (number, runs) in lines.enumerated() {
      text.lines.append(StyledLine((number == 0 ? margin.first ?? margin.runs : margin.runs) + runs))
    }
    text.keep(first..<text.lines.count)
  }
}
