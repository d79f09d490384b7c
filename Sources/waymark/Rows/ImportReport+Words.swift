import Answers
import CourseLibrary
import LearningModel
import TextCanvas

extension ImportReport {
  /// The most diagnostics that are printed one by one.
  static let longestList = 20

  /// What there is to say about the source, errors first: `file:line: error: …`, at most ``longestList`` of them, then
  /// how many more there are.
  var diagnosticLines: String {
    let sorted = diagnostics.filter { $0.severity == .error } + diagnostics.filter { $0.severity == .warning }
    let lines = sorted.prefix(Self.longestList).map(\.description.harmless)
    let rest = sorted.count - lines.count
    return (lines + (rest > 0 ? ["… and \(rest) more"] : [])).map { $0 + "\n" }.joined()
  }

  /// What an import did, for a person.
  func summary(isDryRun: Bool) -> String {
    // A source with errors was compared with nothing: that nothing has changed would be no answer.
    let isCompared = !difference.isEmpty || !diagnostics.contains { $0.severity == .error }
    guard imported || isDryRun && isCompared else { return "" }
    var lines = [headline(isDryRun: isDryRun)]
    lines.append("  format   " + format)
    lines.append("  has      " + Self.list(counts.words))
    if !difference.isEmpty { lines.append("  changes  " + Self.list(difference.words)) }
    lines += losses.filter { $0.count > 0 }.map { "  lost     \($0.count) × \($0.what): \($0.treatment)" }
    // Of a course that is new, everything is added: the counts have said so.
    if isDryRun, revision > 0 { lines += changes.map(\.line) }
    return lines.map { $0.harmless + "\n" }.joined()
  }

  /// The most changes that are told one by one after a save.
  static let mostChangesAfterSave = 10

  /// What the save of an author has changed: the title with the counts, and the changes; empty where nothing has.
  var changesAfterSave: String {
    guard !difference.isEmpty else { return "" }
    let told = changes.prefix(Self.mostChangesAfterSave)
    let rest = changes.count - told.count
    let lines = ["\(title): \(Self.list(difference.words.filter { !$0.hasSuffix("unchanged") }))"] + told.map(\.line)
    return (lines + (rest > 0 ? ["    … and \(rest) more"] : [])).map { $0.harmless + "\n" }.joined()
  }

  private func headline(isDryRun: Bool) -> String {
    if difference.isEmpty { return "\(title): nothing has changed" }
    return isDryRun ? "\(title): would be imported from \(source)" : "\(title): imported, now at '\(course)'"
  }

  private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}

extension ContentCounts {
  /// `4 goals`, `12 lessons`, …
  var words: [String] {
    [(goal, "goal", "goals"), (lesson, "lesson", "lessons"), (activity, "activity", "activities")]
      .map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
  }
}

extension DifferenceCounts {
  /// `3 added`, `1 renamed`, …: those that are not nought.
  var words: [String] {
    [
      (added, "added"), (moved, "moved"), (renamed, "renamed"), (changed, "changed"), (removed, "removed"),
      (unchanged, "unchanged"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}

extension NodeChange {
  /// `  renamed  lesson    Opening offers`
  fileprivate var line: String {
    "    " + Self.padded(change.rawValue, to: 8) + " " + Self.padded(kind.rawValue, to: 9) + title
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.displayWidth))
  }
}
