import Answers
import ArgumentParser
import CourseKit

/// `waymark formats`.
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "formats", "List the formats that can be imported, and how they map to goals, lessons and activities.",
    example: "waymark formats")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let formats = CourseLibrary.formats
    try Printing.list(
      formats, fields: CSVColumns.formats, table: formats.map(\.paragraph).joined(separator: "\n") + Self.commonNotes,
      as: output.format)
  }
}

extension FormatsCommand {
  /// The text that applies to all formats.
  fileprivate static let commonNotes = """

    A source is a folder, a file, or a zip, tar or tar.gz archive. Its format is detected from its content, or selected
    with --from. An import reports content that cannot be shown completely as "reduced".

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
