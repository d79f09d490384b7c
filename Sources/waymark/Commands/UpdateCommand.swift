import Answers
import ArgumentParser
import CourseKit
import LearningModel

/// `waymark update COURSE`.
struct UpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "update", "Import a course again from the folder, file or Git repository that it was opened from.",
    example: "waymark update my-course --dry-run")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: "The path of a course.", completion: .courses, transform: Given.place) var course: String
  @Flag(help: "Say what would change, and change nothing.") var dryRun = false
  @Flag(help: "Import although most of the course goes, or its format changes.") var replace = false

  func run() throws {
    Interruption.watch()
    let bar = ProgressBar()
    do {
      let report = try global.library().update(
        PlacePath(course), options: ImportOptions(replaces: replace, isDryRun: dryRun),
        cancellation: Interruption.cancellation, progress: bar.show)
      bar.clear()
      StandardError.write(report.diagnosticLines)
      try Printing.list(
        [report.withRemedies], fields: Fields.imports, table: report.summary(isDryRun: dryRun), as: output.format)
    } catch {
      bar.clear()
      if case CourseLibraryError.importRefused(_, let report) = error { StandardError.write(report.diagnosticLines) }
      Interruption.leave()
      throw error
    }
  }
}
