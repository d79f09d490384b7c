import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history erase --since TIME`.
struct HistoryEraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase your steps, and the things you did, from a time on. It cannot be taken back.",
    discussion: Example.text("waymark history erase --since 10:15 --yes"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var zone: ZoneOptions
  @Option(
    help: ArgumentHelp("From when on: 2026-11-20, 2026-11-20T10:15, 10:15, yesterday, 7d, 10m.", valueName: "time"))
  var since: String
  @Flag(help: "Do not ask.") var yes = false

  func run() throws {
    let service = try global.navigation()
    let timeZone = try zone.zone()
    let moment = try HistoryTime(since, in: timeZone).start
    // Nobody is asked about somebody that there is not.
    _ = try service.sessions(of: .named(service.learner))
    if !yes {
      let time = LocalTime.text(moment, in: timeZone)
      let question = "Erase what learner “\(service.learner)” did since \(time)? It cannot be taken back."
      guard try Question.ask(question, orFail: "erase the history since \(time)") else { return }
    }
    try service.eraseHistory(since: moment).report(copiesMayStay: true)
  }
}
