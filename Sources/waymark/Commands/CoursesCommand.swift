import Answers
import ArgumentParser
import CourseKit
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
        Column("path", omissionRank: 1) { $0.path.description },
        Column("done", alignment: .right) { Percent.text($0.progress) },
        Column("goals", alignment: .right) { String($0.counts.goal) },
        Column("lessons", alignment: .right) { String($0.counts.lesson) },
        Column("activities", alignment: .right) { String($0.counts.activity) },
      ],
      as: output.format,
      whenEmpty: "No courses yet. Import one with 'waymark import SOURCE' or 'waymark import --bundled'.")
  }
}
