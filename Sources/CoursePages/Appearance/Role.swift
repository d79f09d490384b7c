package import LearningModel

/// What a piece of text or a line is for. A theme gives each role its colours; screens know roles only.
package enum Role: Int, CaseIterable, Hashable, Sendable {
  /// Running text.
  case ink
  /// Card titles and headings.
  case strong
  /// Summaries, numbers, the trail and the keys.
  case quiet
  /// Lines only; it carries no meaning alone.
  case faint
  /// The hue of courses.
  case course
  /// The hue of goals, and the accent: keys, the active tab, the caret.
  case goal
  /// The hue of lessons.
  case lesson
  /// The hue of activities, and of what is done or right.
  case activity
  /// Code among words; of no level's hue.
  case code
  /// Attention, and the letters that a search found.
  case warn
  /// A wrong answer, an error.
  case bad

  /// Keys, the active tab and the caret.
  package static let accent = Role.goal
  /// Done, and right.
  package static let good = Role.activity

  /// The hue of a level. The root has none, and is strong; so has what only a later version knows.
  package init(_ kind: PlaceKind) {
    switch kind {
    case .root, .other: self = .strong
    case .course: self = .course
    case .goal: self = .goal
    case .lesson: self = .lesson
    case .activity: self = .activity
    }
  }
}
