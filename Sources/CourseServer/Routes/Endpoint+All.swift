import LearningModel
import NavigationService

extension Endpoint {
  /// Every route, in the order of the documentation. To add one, write it in a file beside this one, and name it here.
  static let all: [Endpoint] =
    [courses, course, page, picture, search, transitions] + [whereabouts, history, statistics, progress, learners]
    + [steps, acts, bookmarks, bookmark, unmark, position, savePosition, forgetPosition]
    + [events, sync, me, eraseMe, eraseLearner] + [document, live, ready, metrics]

  /// The routes of a hub on PostgreSQL, which has learners and no courses.
  static let hub: [Endpoint] = [sync, eraseFromHub, live, ready, metrics]

  /// What the history is asked by, the same for every question.
  static let historyFilters: [Parameter] = [
    .learner,
    Parameter("course", .text, "In one course: its path."),
    Parameter("under", .text, "At a place and everything in it: its path."),
    Parameter("kind", .word(PlaceKind.allCases.map(\.rawValue)), "At one kind of place."),
    Parameter("operation", .word(NavigationOperation.allCases.map(\.rawValue)), "Only one operation."),
    Parameter("transition", .word(TransitionKind.allCases.map(\.rawValue)), "Only one transition."),
    Parameter("session", .text, "In one session: its number or name."),
    Parameter("cause", .word(NavigationCause.allCases.map(\.rawValue)), "Only what was asked for in one way."),
    Parameter("since", .text, "Not before: 2026-11-20, 2026-11-20T10:15, 10:15, yesterday, 7d, 10m."),
    Parameter("until", .text, "Not after, written in the same ways."),
    Parameter("text", .text, "At places whose title holds it."),
    .timeZone,
  ]
}
