import LearningModel
import Mathematics
import TextCanvas

extension ReadingLayout {
  /// A formula that stands by itself: drawn in rows where they fit, else on a line that is broken as words are.
  func append(_ formula: Formula, to text: inout ReadingText, margin: Margin) {
    let (indent, columns) = room(forFormulasIn: margin)
    guard let rows = rows(of: formula, margin: margin) else {
      let line = symbols.isAscii ? formula.ascii : formula.line
      let lines = wrapped(StyledText(line, style: theme[.ink]), to: columns)
      return append(lines.map { [StyledRun(spaces(indent))] + $0.runs }, to: &text, margin: margin)
    }
    append(rows.map { [StyledRun(spaces(indent)), StyledRun($0, style: theme[.ink])] }, to: &text, margin: margin)
  }

  /// The block of a paragraph that is nothing but a formula of several rows, such as a matrix: it stands by itself, though
  /// it is written as a part of a line. `nil` for any other.
  func formulaInRows(_ paragraph: [Inline], margin: Margin) -> Block? {
    guard case .math(let source)? = paragraph.first, paragraph.count == 1,
      let rows = rows(of: Formula(latex: source), margin: margin), rows.count > 1
    else { return nil }
    return .math(source)
  }

  private func rows(of formula: Formula, margin: Margin) -> [String]? {
    guard !symbols.isAscii else { return nil }
    return formula.rows(columns: room(forFormulasIn: margin).columns) { String($0).displayWidth }?.lines
  }

  private func room(forFormulasIn margin: Margin) -> (indent: Int, columns: Int) {
    let indent = width - margin.width >= 24 ? 4 : 0
    return (indent, max(8, width - margin.width - indent))
  }

  private func append(_ lines: [[StyledRun]], to text: inout ReadingText, margin: Margin) {
    let first = text.lines.count
    for (number, runs) in lines.enumerated() {
      text.lines.append(StyledLine((number == 0 ? margin.first ?? margin.runs : margin.runs) + runs))
    }
    text.keep(first..<text.lines.count)
  }
}
