import Answers
import ArgumentParser
import CourseLibrary

/// `waymark formats`.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "List what can be imported, and what becomes a goal, a lesson and an activity.",
    discussion: Example.text("waymark formats"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    var out = StandardOutput()
    let formats = CourseLibrary.formats
    try output.format.write(
      formats, fields: Fields.formats, table: formats.map(\.paragraph).joined(separator: "\n"), to: &out)
    out.flush()
  }
}

extension FormatDescription {
  /// The format on five lines.
  fileprivate var paragraph: String {
    """
    \(name)
      \(summary)
      goal      \(goal)
      lesson    \(lesson)
      activity  \(activity)

    """
  }
}
