import ArgumentParser
import CoursePages
import LinearBrowser
import NavigationKit

/// `waymark review [PLACE]`: `waymark review start`, the default subcommand.
struct ReviewStartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "start", "Answer the cards that wait, one after another.",
    example: "waymark review english-for-business --linear")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var place: ReviewPlace
  @Flag(help: "Ignore the daily limits, and ask cards of later days after those of today.") var ahead = false
  @Flag(help: .setting(.linear)) var linear = false

  func run() throws {
    var look = Settings()
    if linear { _ = look.set(.linear, to: "on") }
    let start = BrowserStart(database: global.database, learner: global.learner, look: look)
    guard let reason = try start.linearReason else {
      let outlook = try ReviewOutlook(of: global.readOnlyService(), in: place.name)
      for sentence in outlook.sentences { Printing.line(sentence) }
      let target = place.place.map { " " + $0 } ?? ""
      return Printing.line(
        outlook.isEmpty
          ? "'waymark review add PLACE' adds the cards of lessons that you have not begun."
          : "'waymark review\(target) --linear' asks the cards; 'waymark review due' lists them by course.")
    }
    let navigation = try start.browserNavigation()
    try start.browseLinear(
      reason, navigation, at: nil, reviewing: LinearReviewRequest(place: place.name, isAhead: ahead))
  }
}
