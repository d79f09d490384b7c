import LearningModel

/// Draws the path of a session as a line: deeper levels are further right, and siblings are straight below each other.
///
/// A step to a deeper level begins below the column of the previous place; a step to a higher level closes the columns
/// of the levels that were left.
package struct HistoryGraph: Hashable {
  /// Whether the list of courses has a column of its own. `false` if the path does not contain it; courses are in the
  /// first column then.
  package let showsRoot: Bool
  /// The columns per level.
  package var level = 3

  package init(showsRoot: Bool, level: Int = 3) {
    self.showsRoot = showsRoot
    self.level = level
  }

  /// The preceding step.
  package struct Before: Hashable {
    /// The depth of the place that the step led to.
    package var depth: Int
    /// Whether the next step led to a place that is not a descendant, ancestor or sibling of this one. Jumps are
    /// dotted.
    package var isJump: Bool

    package init(depth: Int, isJump: Bool = false) {
      self.depth = depth
      self.isJump = isJump
    }
  }

  /// Draws one row of the graph.
  ///
  /// - Parameters:
  ///   - depth: The depth of the place, from 0 for the list of courses.
  ///   - before: The preceding step, or `nil` at the start of a session.
  package func cell(depth: Int, before: Before?, symbols: Symbols) -> String {
    let (own, old) = (column(of: depth), before.map { column(of: $0.depth) } ?? column(of: depth))
    let horizontal = before?.isJump == true ? symbols.dotted : symbols.horizontal
    let place = symbols.place
    let line = String(repeating: horizontal, count: max(0, abs(own - old) - 1))
    if own > old { return blanks(old) + String(symbols.corners[2]) + line + place }
    if own < old { return blanks(own) + place + line + String(symbols.corners[3]) }
    // A jump within one column comes from another parent, which a line from the left shows.
    if before?.isJump == true, own > 0 { return blanks(own - 1) + String(horizontal) + place }
    return blanks(own) + place
  }

  /// Returns the columns of a graph whose deepest place has this depth.
  package func width(depth: Int) -> Int { column(of: depth) + 1 }

  private func column(of depth: Int) -> Int { level * max(0, showsRoot ? depth : depth - 1) }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
