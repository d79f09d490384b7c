import LearningModel

/// The path through a sitting, drawn as a line: right is deeper, left is up, straight down is a sibling.
///
/// A step down hangs from the column of the place that it left; a step up closes the columns that it leaves.
package struct HistoryGraph: Hashable {
  /// Whether the list of courses has a column of its own; where nobody was there, the courses have the first.
  package let showsRoot: Bool
  /// Columns of one level.
  package var level = 3

  package init(showsRoot: Bool, level: Int = 3) {
    self.showsRoot = showsRoot
    self.level = level
  }

  /// Draws one step.
  ///
  /// - Parameters:
  ///   - depth: How deep the place is: 0 for the list of courses.
  ///   - before: How deep the step before it led; `nil` where a sitting begins.
  package func cell(depth: Int, before: Int?, symbols: Symbols) -> String {
    let (own, old) = (column(of: depth), before.map(column) ?? column(of: depth))
    let place = symbols.place
    let line = String(repeating: symbols.horizontal, count: max(0, abs(own - old) - 1))
    if own > old { return blanks(old) + String(symbols.corners[2]) + line + place }
    if own < old { return blanks(own) + place + line + String(symbols.corners[3]) }
    return blanks(own) + place
  }

  /// Columns of a graph that goes that deep.
  package func width(depth: Int) -> Int { column(of: depth) + 1 }

  private func column(of depth: Int) -> Int { level * max(0, showsRoot ? depth : depth - 1) }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
