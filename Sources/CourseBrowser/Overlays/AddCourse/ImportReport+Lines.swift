import CourseLibrary
import CoursePages
import LearningModel
import TextCanvas

/// What an import would change, in lines that can be read in one look.
extension ImportReport {
  /// The most diagnostics, and the most changes, that are named one by one.
  static let longestList = 5

  /// `4 goals, 12 lessons, 52 activities`.
  var contents: String {
    [
      Words.count(counts.goal, "goal"), Words.count(counts.lesson, "lesson"),
      Words.count(counts.activity, "activity", "activities"),
    ].joined(separator: ", ")
  }

  /// What would happen, what is lost on the way, and what there is to say about the source; with a blank row between.
  func lines(_ theme: Theme, width: Int) -> [StyledLine] {
    Array(parts(theme, width: width).filter { !$0.isEmpty }.joined(separator: [StyledLine()]))
  }

  private func parts(_ theme: Theme, width: Int) -> [[StyledLine]] {
    let heading =
      StyledText(title, style: theme.bold(.course)).wrapped(to: max(12, width))
      + StyledText(contents, style: theme[.quiet]).wrapped(to: max(12, width))
    let isKnown = revision > 0
    let changed =
      isKnown ? fact("changes", difference.isEmpty ? "nothing" : difference.words, theme, width) : []
    let lost = losses.filter { $0.count > 0 }
      .flatMap { fact("lost", "\($0.count) × \($0.what): \($0.treatment)", theme, width) }
    let sorted = diagnostics.filter { $0.severity == .error } + diagnostics.filter { $0.severity == .warning }
    let found = sorted.map { diagnostic in
      let place = diagnostic.line.map { "\(diagnostic.file):\($0)" } ?? diagnostic.file
      let isError = diagnostic.severity == .error
      return (isError ? "error" : "warning", "\(place): \(diagnostic.message)", isError ? Role.bad : .warn)
    }
    // Of a course that is new, everything is added: what it has says so.
    let changes = isKnown ? changes.map { ($0.change.rawValue, "\($0.kind.rawValue) \($0.title)", Role.ink) } : []
    return [title.isEmpty ? [] : heading, changed + lost, list(changes, theme, width), list(found, theme, width)]
  }

  private func list(
    _ rows: [(word: String, text: String, role: Role)], _ theme: Theme, _ width: Int
  ) -> [StyledLine] {
    let shown = rows.prefix(Self.longestList).flatMap { fact($0.word, $0.text, theme, width, role: $0.role) }
    let rest = rows.count - Self.longestList
    return shown + (rest > 0 ? fact("", "and \(rest) more", theme, width, role: .quiet) : [])
  }

  private func fact(
    _ word: String, _ text: String, _ theme: Theme, _ width: Int, role: Role = .ink
  ) -> [StyledLine] {
    var line = StyledText(word, style: theme[role == .ink ? .quiet : role])
    line.append(String(repeating: " ", count: 9 - word.displayWidth))
    line.append(text.map { $0.isNewline ? " " : String($0) }.joined(), style: theme[.ink])
    return line.wrapped(to: max(12, width), hangingIndent: 9)
  }
}

extension DifferenceCounts {
  /// `3 added, 1 renamed`: those that are not nought.
  fileprivate var words: String {
    [
      (added, "added"), (moved, "moved"), (renamed, "renamed"), (changed, "changed"), (removed, "removed"),
      (unchanged, "unchanged"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}
