import CoursePages
package import NavigationService
import TextCanvas

extension LinearBrowser {
  /// Talks with somebody until they leave or their lines end.
  ///
  /// - Parameters:
  ///   - place: Where to begin; `nil` for where the learner left off.
  ///   - columns: How wide lines may be now; asked before each answer.
  ///   - echoes: Whether typed lines are said again, as they must be where no terminal shows them.
  ///   - read: The next line, without its end; `nil` where there is none.
  ///   - write: Takes text with its line ends.
  /// - Throws: What the services throw at the beginning.
  package func run(
    at place: PlaceName? = nil, columns: () -> Int, echoes: Bool, reading read: () -> String?,
    writing write: (String) -> Void
  ) throws {
    defer { close() }
    width = columns()
    try write(Self.text(begin(at: place)))
    while !isFinished {
      write("> ")
      guard let line = read() else { return write("\n") }
      if echoes { write(line.harmless + "\n") }
      width = columns()
      write(Self.text(answer(to: line)))
    }
  }

  private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
