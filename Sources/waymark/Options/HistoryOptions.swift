public import ArgumentParser
import Foundation
import LearningModel
public import NavigationService

/// The filters of the history, the same for every question that is asked of it.
struct HistoryOptions: ParsableArguments {
  /// A paragraph of the help of every command that has these filters.
  static let everyone = "\n\n--learner all includes every learner."

  @Option(help: ArgumentHelp("In one course.", valueName: "path"), completion: .courses, transform: Given.place)
  var course: String?
  @Option(
    help: ArgumentHelp("At a place and everything in it.", valueName: "path"), completion: .places,
    transform: Given.place) var under: String?
  @Option(help: "At one kind of place.") var kind: PlaceKind?
  @Option(help: "Only one operation.") var operation: NavigationOperation?
  @Option(help: "Only one transition.") var transition: TransitionKind?
  @Option(help: ArgumentHelp("In one session, by its number or name.", valueName: "session"), transform: Given.session)
  var session: String?
  @Option(help: "Only what was asked for in one way.") var cause: NavigationCause?
  @Option(help: ArgumentHelp("Not before: 2026-11-20, 2026-11-20T10:15, 10:15, yesterday, 7d, 10m.", valueName: "time"))
  var since: String?
  @Option(help: ArgumentHelp("Not after, written in the same ways.", valueName: "time")) var until: String?
  @Option(help: ArgumentHelp("At places whose title holds it.", valueName: "words")) var text: String?

  @Option(
    help: ArgumentHelp(
      "Words as the History tab takes them: 'after:monday kind:quiz rust'. An option counts before such a word.",
      valueName: "words"))
  var query: String?

  /// The filter that they make.
  func filter(of scope: LearnerScope, for service: NavigationService) throws -> HistoryFilter {
    var filter = try HistoryFilter(words: query ?? "", now: Timestamp(date: Date()), in: service.timeZone)
    filter.learner = scope
    filter.course = course.map(PlaceName.text)
    filter.under = under.map(PlaceName.text) ?? filter.under
    if let kind { (filter.kind, filter.type) = (kind, nil) }
    filter.operation = operation
    filter.transition = transition
    filter.cause = cause ?? filter.cause
    filter.session = session ?? filter.session
    filter.since = try since.map { try HistoryTime($0, in: service.timeZone).start } ?? filter.since
    filter.until = try until.map { try HistoryTime($0, in: service.timeZone).end } ?? filter.until
    filter.text = text
    return filter
  }
}

/// In which time zone days begin, and times are shown and read.
struct ZoneOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The time zone of days and times (default: yours).", valueName: "zone"))
  var timeZone: String?

  /// The zone of that name, or the system's.
  func zone() throws -> TimeZone { try timeZone.map { try TimeZone(named: $0) } ?? .current }
}

extension HistoryTime {
  /// Reads a time that is written now.
  init(_ text: String, in zone: TimeZone) throws {
    try self.init(text, now: Timestamp(date: Date()), in: zone)
  }
}

// The words of the history that can be given as arguments.

extension StatisticsGroup: ExpressibleByArgument {}

extension HistoryCursor: ExpressibleByArgument {
  /// Reads the written form.
  public init?(argument: String) {
    self.init(argument)
  }
}
