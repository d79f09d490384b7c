import Answers
import ArgumentParser
import CourseKit
import CoursePages
import LearningModel
import NavigationKit

/// `waymark courses`.
struct CoursesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "courses", "List the courses.", example: "waymark courses --format json")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limit: LimitOption

  func run() throws {
    let courses = try limit.first(of: global.library().courses(for: global.readOnlyService().learner))

    try Printing.list(
      courses, fields: CSVColumns.courses,
      columns: [
        Column("title", mayShrink: true) { $0.title },
        Column("path", mayShrink: true, omissionRank: 2) { $0.path.description },
        Column("done", alignment: .right) { DisplayFormat.percent($0.progress) },
        Column("contents", mayShrink: true, omissionRank: 1) { $0.counts.texts($0.levels).joined(separator: ", ") },
      ],
      as: output.format,
      whenEmpty: "No courses yet. Import one with 'waymark import SOURCE' or 'waymark import --bundled'.")
  }
}
