import Answers
import ArgumentParser
import LearningModel
import NavigationService
import SyncClient

/// `waymark sync URL`.
struct SyncRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Send what the server lacks, and take what is lacking here (the default).",
    discussion: Example.text(
      "waymark sync https://school.example --dry-run    say what would go where",
      "waymark sync https://school.example")
      + "\n\nWhat was exchanged stays when it is interrupted; the same command goes on from there.")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var server: SyncOptions
  @OptionGroup var output: OutputOptions
  @Flag(help: "Say what would go where, and change nothing.") var dryRun = false
  @Flag(help: "The learner here and the one there are one person: let them be one from now on.") var join = false

  func run() throws {
    Interruption.watch()
    let connection: SyncConnection
    let report: SyncReport
    do {
      // The database is closed when this is done.
      let service = try global.navigation(session: .none)
      connection = try server.connect(learner: service.learner)
      report = try exchange(Synchroniser(service, send: connection.send))
    } catch SyncClientError.interrupted {
      StandardError.write(SyncClientError.interrupted.description + "\n")
      Interruption.leave()
      throw ExitCode(FailureKind.tryAgain.exitStatus)
    }
    var out = StandardOutput()
    try output.format.write(
      report, fields: Fields.sync,
      table: report.sentence(with: connection, isDryRun: dryRun) + "\n", to: &out)
    out.flush()
    if let known = report.similarName {
      StandardError.write(SimilarName.notice(report.learner, known) + "\n")
    }
  }

  private func exchange(_ synchroniser: Synchroniser) throws -> SyncReport {
    if dryRun { return try synchroniser.preview(joining: join) }
    let bar = ProgressBar()
    defer { bar.clear() }
    return try synchroniser.run(joining: join) { done, whole in
      bar.show("Synchronising", done: done.all, of: whole.all)
    }
  }
}

extension SyncReport {
  /// How much goes either way, of whatever kind.
  fileprivate var all: Int { sent.all + received.all }

  fileprivate func sentence(with connection: SyncConnection, isDryRun: Bool) -> String {
    if isDryRun { return "Would send \(sent.words), and take \(received.words). Nothing was changed." }
    let parts =
      parted == 0
      ? "" : " \(parted == 1 ? "A session" : "\(parted) sessions") went on here and elsewhere: both are kept."
    return "Sent \(sent.words), took \(received.words): \(connection.bytes.sent) bytes there, "
      + "\(connection.bytes.received) back.\(parts)"
  }
}

extension SyncReport.Count {
  /// `3 steps and 1 other change`, or `nothing`.
  var words: String {
    let counts = [(steps, "step", "steps"), (activities, "thing done", "things done"), (facts, "mark", "marks")]
    let said = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    guard let last = said.last else { return "nothing" }
    return said.count == 1 ? last : said.dropLast().joined(separator: ", ") + " and " + last
  }
}
