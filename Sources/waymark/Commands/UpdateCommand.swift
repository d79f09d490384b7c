import Answers
import ArgumentParser
import CourseKit
import LearningModel

/// `waymark update COURSE`.
struct UpdateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Import a course again from the folder, file or Git repository that it came from.",
    discussion: Example.text(
      "waymark ~/my-course                   open a folder",
      "waymark update my-course --dry-run    show what would change"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: "The path of a course.", completion: .courses, transform: ArgumentParsers.place) var course: String
  @Flag(help: "Print what would change, without changing anything.") var dryRun = false
  @Flag(help: "Import even if this removes most of the course or changes its format.") var replace = false
  @Flag(help: "Fail if a page cannot be read, instead of leaving the page out.") var strict = false
  @Flag(help: "Treat renamed pages as removed and added, instead of keeping their history.") var noJoin = false

  private var options: ImportOptions {
    ImportOptions(replaces: replace, isDryRun: dryRun, isStrict: strict, joinsRenamed: !noJoin)
  }

  func run() throws {
    Interruption.startObserving()
    let bar = ProgressBar()
    do {
      let report = try global.library().update(
        PlacePath(course), options: options,
        cancellation: Interruption.cancellation, progress: bar.show)
      bar.clear()
      StandardError.write(report.diagnosticLines)
      try Printing.list(
        [report.withRemedies], fields: CSVColumns.imports, table: report.summary(isDryRun: dryRun), as: output.format)
    } catch {
      bar.clear()
      if case CourseLibraryError.importRefused(_, let report) = error { StandardError.write(report.diagnosticLines) }
      Interruption.leave()
      throw error
    }
  }
}
