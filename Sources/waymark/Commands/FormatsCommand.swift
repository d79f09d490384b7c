import Answers
import ArgumentParser
import CourseKit

/// `waymark formats`.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "formats", "List what can be imported, and what becomes a goal, a lesson and an activity.",
    example: "waymark formats")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let formats = CourseLibrary.formats
    try Printing.list(
      formats, fields: Fields.formats, table: formats.map(\.paragraph).joined(separator: "\n") + Self.rest,
      as: output.format)
  }
}

extension FormatsCommand {
  /// The text that applies to all formats.
  fileprivate static let rest = """

    Each as a folder or a file, or packed as zip, tar or tar.gz. The format is found out by looking inside; --from names
    another one. What cannot be shown is counted in the report of the import.

    """
}

extension FormatDescription {
  /// The description of the format on five lines.
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
