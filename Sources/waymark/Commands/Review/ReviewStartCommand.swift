import ArgumentParser
import CoursePages

/// `waymark review [PLACE]`: `waymark review start`, the default subcommand.
struct ReviewStartCommand: BrowserCommand {
  static let configuration = CommandConfiguration(
    "start", "Open the browser on the cards that are due.",
    example: "waymark review english-for-business --linear")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var place: ReviewPlace
  @Flag(help: "Ignore the daily limits, and then show cards that are due on later days.") var ahead = false
  @Flag(help: .setting(.linear)) var linear = false

  var start: BrowserStart {
    var look = Settings()
    if linear { _ = look.set(.linear, to: "on") }
    return BrowserStart(
      database: global.database, learner: global.learner, look: look,
      review: ReviewRequest(place: place.name, isAhead: ahead))
  }
}
