import ArgumentParser
import CoursePages
import LearningModel
import NavigationKit

/// `waymark review [PLACE]`: `waymark review start`, the default subcommand.
struct ReviewStartCommand: BrowserCommand {
  static let configuration = CommandConfiguration(
    "start", "Open the browser on the cards that are due.",
    example: "waymark review english-for-business --linear")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var cards: ReviewCards
  @Flag(help: "Ignore the daily limits, and then show cards that are due on later days.") var ahead = false
  @OptionGroup var practice: PracticeOptions

  var start: BrowserStart {
    practice.start(in: cards.name, ahead ? .ahead(reschedules: practice.reschedule) : .due, global)
  }
}

/// `waymark review cram [PLACE]`.
struct ReviewCramCommand: BrowserCommand {
  static let configuration = CommandConfiguration(
    "cram", "Open the browser on all cards of a place, whether they are due or not, without changing the schedule.",
    example: "waymark review cram english-for-business/negotiating --linear")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var cards: ReviewCards
  @OptionGroup var practice: PracticeOptions

  var start: BrowserStart { practice.start(in: cards.name, .cram(reschedules: practice.reschedule), global) }
}

/// The options of a review that may show cards that are not due.
struct PracticeOptions: ParsableArguments {
  @Flag(help: "Let the answers to cards that are not due change their schedule.") var reschedule = false
  @Flag(help: .setting(.linear)) var linear = false

  func start(in place: PlaceName?, _ mode: ReviewMode, _ global: GlobalOptions) -> BrowserStart {
    var look = Settings()
    if linear { _ = look.set(.linear, to: "on") }
    return BrowserStart(
      database: global.database, learner: global.learner, look: look,
      review: ReviewRequest(place: place, mode: mode))
  }
}
