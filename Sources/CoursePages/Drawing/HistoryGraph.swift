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

  /// The step that another one follows.
  package struct Before: Hashable {
    /// How deep it led.
    package var depth: Int
    /// Whether the other one leads to a place that is neither in this one, nor around or beside it: it is drawn dotted.
    package var isJump: Bool

    package init(depth: Int, isJump: Bool = false) {
      self.depth = depth
      self.isJump = isJump
    }
  }

  /// Draws one step.
  ///
  /// - Parameters:
  ///   - depth: How deep the place is: 0 for the list of courses.
  ///   - before: The step before it; `nil` where a sitting begins.
  package func cell(depth: Int, before: Before?, symbols: Symbols) -> String {
    let (own, old) = (column(of: depth), before.map { column(of: $0.depth) } ?? column(of: depth))
    let horizontal = before?.isJump == true ? symbols.dotted : symbols.horizontal
    let place = symbols.place
    let line = String(repeating: horizontal, count: max(0, abs(own - old) - 1))
    if own > old { return blanks(old) + String(symbols.corners[2]) + line + place }
    if own < old { return blanks(own) + place + line + String(symbols.corners[3]) }
    // Beside the place it is not: it came from elsewhere.
    if before?.isJump == true, own > 0 { return blanks(own - 1) + String(horizontal) + place }
    return blanks(own) + place
  }

  /// Columns of a graph that goes that deep.
  package func width(depth: Int) -> Int { column(of: depth) + 1 }

  private func column(of depth: Int) -> Int { level * max(0, showsRoot ? depth : depth - 1) }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
