import ArgumentParser
import LearningModel
import NavigationService

/// `waymark history erase --since TIME`.
struct HistoryEraseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase your steps, and the things you did, from a time on. It cannot be taken back.",
    discussion: Example.text("waymark history erase --since 10:15"))

  @OptionGroup var global: GlobalOptions
  @OptionGroup var zone: ZoneOptions
  @Option(
    help: ArgumentHelp("From when on: 2026-11-20, 2026-11-20T10:15, 10:15, yesterday, 7d, 10m.", valueName: "time"))
  var since: String

  func run() throws {
    let service = try global.navigation()
    let moment = try HistoryTime(since, in: zone.zone()).start
    try service.eraseHistory(since: moment).report(copiesMayStay: true)
  }
}
