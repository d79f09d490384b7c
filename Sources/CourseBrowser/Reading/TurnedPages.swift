import CoursePages

/// The pages of a text that somebody has turned: on the way back the same ones are seen.
struct TurnedPages: Hashable {
  private struct Turn: Hashable {
    var from: Int
    var to: Int
  }

  private var turns: [Turn] = []

  /// Keeps that the page was turned that begins with a line, to one that begins with another.
  mutating func turn(from: Int, to: Int) { turns.append(Turn(from: from, to: to)) }

  /// The line that the page before began with; `nil` where nobody has turned to this one, but scrolled.
  mutating func turnBack(from line: Int) -> Int? {
    guard turns.last?.to == line else {
      turns = []
      return nil
    }
    return turns.removeLast().from
  }
}
