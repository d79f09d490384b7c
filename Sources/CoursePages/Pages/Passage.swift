package import LearningModel
package import TextCanvas

/// A text around what was searched for, on one line of any width: what was searched for is in view.
package struct Passage: Hashable {
  private let line: StyledLine
  /// The columns of the line that are to be in view.
  private let matches: [Range<Int>]
  private let ellipsis: String

  /// Makes one in which nothing was searched for.
  package init(_ text: String, style: Style) {
    line = StyledLine(text, style: style)
    matches = []
    ellipsis = ""
  }

  /// Makes one of what a search has read.
  package init(_ snippet: Snippet, appearance: Appearance) {
    ellipsis = appearance.symbols.ellipsis
    var runs: [StyledRun] = []
    var matches: [Range<Int>] = []
    var column = 0
    func add(_ text: String, isMatch: Bool = false) {
      let width = text.displayWidth
      if isMatch { matches.append(column..<column + width) }
      runs.append(StyledRun(text, style: isMatch ? appearance.theme.hit(bold: false) : appearance.theme[.quiet]))
      column += width
    }
    if snippet.isCutBefore { add(ellipsis) }
    for part in snippet.parts { add(part.text, isMatch: part.isMatch) }
    if snippet.isCutAfter { add(ellipsis) }
    line = StyledLine(runs)
    self.matches = matches
  }

  /// The passage in at most so many columns: the first of what was searched for is in view, with words on both sides, and
  /// as much of the rest as that leaves room for.
  package func line(in width: Int) -> StyledLine {
    guard let first = matches.first else { return line.truncated(to: width, ellipsis: ellipsis) }
    let end = matches.last { $0.upperBound - first.lowerBound <= 2 * width / 3 }?.upperBound ?? first.upperBound
    return line.window(width, around: first.lowerBound..<end, ellipsis: ellipsis)
  }
}
