import Answers
import ArgumentParser
import CourseLibrary
import LearningModel
import NavigationService

/// `waymark database check`.
struct DatabaseCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look for damage, and for anything that contradicts itself.",
    discussion: Example.text("waymark database check"))

  private struct Check: Encodable {
    let ok: Bool
    let problems: [String]
  }

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let problems = try global.library().check() + global.history().check()
    var table = problems.isEmpty ? "The database is in order.\n" : problems.map { $0.harmlessLines + "\n" }.joined()
    // Of the screens and not of the database; but this is where one looks when something is wrong.
    let log = IssueLog(path: ProgramEnvironment.current.issueLogPath)
    let count = log.count
    if count > 0 {
      table += "The screens have noted \(count) \(count == 1 ? "fault" : "faults") of the program in "
      table += "\(log.path.harmlessLines): send it with a bug report, then remove it.\n"
    }
    try Printing.value(
      Check(ok: problems.isEmpty, problems: problems), fields: Fields.databaseCheck, table: table, as: output.format)
    if !problems.isEmpty { throw ExitCode(FailureKind.badData.exitStatus) }
  }
}
