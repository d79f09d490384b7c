import LearningModel

/// Draws the path of a session as a graph with one row per step. Each level of the course has its own column: deeper
/// levels are further right, and siblings are in the same column.
///
/// A step to a deeper level is drawn as a line from the previous place's column to the right. A step to a higher level
/// is drawn as a line from that column back to the left.
package struct HistoryGraph: Hashable {
  /// Whether the list of courses has its own column. If the path does not contain the list of courses, this is `false`,
  /// and courses are in the first column.
  package let showsRoot: Bool
  /// The number of columns per level.
  package var level = 3

  package init(showsRoot: Bool, level: Int = 3) {
    self.showsRoot = showsRoot
    self.level = level
  }

  /// The previous place of the path, and how the next step left it.
  package struct PreviousStep: Hashable {
    /// The depth of the previous place.
    package var level: Int
    /// Whether the next step jumped to a place that is not a descendant, ancestor or sibling of the previous place.
    /// Lines of jumps are dotted.
    package var isJump: Bool

    package init(level: Int, isJump: Bool = false) {
      self.level = level
      self.isJump = isJump
    }
  }

  /// Draws one row of the graph.
  ///
  /// - Parameters:
  ///   - depth: The depth of the place, from 0 for the list of courses.
  ///   - previous: The previous place and the kind of step from it, or `nil` at the start of a session.
  package func cell(depth: Int, before previous: PreviousStep?, symbols: Symbols) -> String {
    let (placeColumn, previousColumn) = (column(of: depth), previous.map { column(of: $0.level) } ?? column(of: depth))
    let horizontal = previous?.isJump == true ? symbols.dotted : symbols.horizontal
    let place = symbols.place
    let line = String(repeating: horizontal, count: max(0, abs(placeColumn - previousColumn) - 1))
    if placeColumn > previousColumn { return blanks(previousColumn) + String(symbols.corners[2]) + line + place }
    if placeColumn < previousColumn { return blanks(placeColumn) + place + line + String(symbols.corners[3]) }
    // After a jump to the same depth, the place has a different parent. A short line from the left distinguishes it
    // from a sibling.
    if previous?.isJump == true, placeColumn > 0 { return blanks(placeColumn - 1) + String(horizontal) + place }
    return blanks(placeColumn) + place
  }

  /// Returns the width in columns of a graph whose deepest place has this depth.
  package func width(depth: Int) -> Int { column(of: depth) + 1 }

  private func column(of depth: Int) -> Int { level * max(0, showsRoot ? depth : depth - 1) }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
