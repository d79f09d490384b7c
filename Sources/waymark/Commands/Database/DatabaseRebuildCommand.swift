import ArgumentParser
import CourseLibrary
import NavigationService

/// `waymark database rebuild`.
struct DatabaseRebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Work out anew what follows from the logs and the courses: stacks, scores, progress, the search index.",
    discussion: Example.text("waymark database rebuild"))

  @OptionGroup var global: GlobalOptions

  func run() throws {
    try global.library().rebuildSearch()
    let service = try global.history()
    try service.rebuild()
    let isSwept = try service.sweep()
    Printing.line("Everything that follows from the logs and the courses was worked out anew.")
    if !isSwept {
      Printing.line("Another program is reading the database, so its file was not swept of what was erased.")
    }
  }
}
