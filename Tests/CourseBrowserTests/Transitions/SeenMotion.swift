import Testing
import TextCanvas

@testable import CoursePages

/// A visible animation: its place, and the key that begins it.
struct SeenMotion: Sendable, CustomTestStringConvertible {
  let name: String
  let place: String
  /// The keys before it, each pressed after the previous animation has ended.
  let before: [KeyEvent]
  let key: KeyEvent
  /// Differences from the screens before and after that are expected.
  let exceptions: Set<Exception>

  enum Exception {
    /// The key takes effect at once, and only a part of the screen is animated.
    case answersAtOnce
    /// An overlay or a growing frame covers content.
    case covers
    /// The header shows the reading progress only after the text has come to rest.
    case tellsWhatWasRead
  }

  /// Creates an animation.
  ///
  /// - Parameter keys: The keys, written as in a settings file. The last one begins the animation.
  init(_ name: String, at place: String, _ keys: String, _ exceptions: Exception...) {
    let events = keys.split(separator: " ").compactMap { KeyEvent(name: String($0)) }
    self.name = name
    self.place = place
    self.exceptions = Set(exceptions)
    before = events.dropLast()
    key = events[events.count - 1]
  }

  var testDescription: String { name }

  private static let course = "english-for-business"
  private static let goal = course + "/negotiating"
  private static let lesson = goal + "/opening-offers"
  private static let text = lesson + "/who-speaks-first"
  private static let cards = lesson + "/anchors-and-ranges"
  private static let quiz = lesson + "/make-the-first-offer"
  private static let link = goal + "/closing-the-deal/getting-to-yes"

  static let all = down + up + beside + far + tabs + onTop + within

  static let down = [
    SeenMotion("a course opens", at: "/", "Enter"),
    SeenMotion("a goal opens", at: course, "Down Enter"),
    SeenMotion("a goal opens, listed", at: course, "v Down Enter"),
    SeenMotion("a lesson opens", at: goal, "Down Enter"),
    SeenMotion("a text opens", at: lesson, "Enter"),
    SeenMotion("a text that was read before opens", at: text, "Space Left Enter"),
    SeenMotion("flashcards open", at: lesson, "Down Down Enter"),
    SeenMotion("a quiz opens", at: lesson, "End Enter"),
    SeenMotion("a link opens", at: goal + "/closing-the-deal", "End Enter"),
  ]

  static let up = [
    SeenMotion("a course closes", at: course, "Left"),
    SeenMotion("a goal closes", at: goal, "Left"),
    SeenMotion("a goal closes, whose last lesson was chosen", at: goal, "End Left"),
    SeenMotion("a lesson closes", at: lesson, "Left"),
    SeenMotion("a text closes", at: text, "Left"),
    SeenMotion("a text closes that was scrolled", at: text, "Space Left"),
    SeenMotion("flashcards close", at: cards, "Space Left"),
    SeenMotion("a quiz closes", at: quiz, "Left"),
    SeenMotion("a link closes", at: link, "Left"),
  ]

  static let beside = [
    SeenMotion("the next goal", at: goal, "n"),
    SeenMotion("the goal before", at: goal, "p"),
    SeenMotion("the next lesson", at: lesson, "n"),
    SeenMotion("the lesson before", at: lesson, "p"),
    SeenMotion("the next activity", at: text, "n"),
    SeenMotion("the activity before, of a text that was scrolled", at: text, "Space p"),
    SeenMotion("the first activity of the next lesson", at: quiz, "n", .answersAtOnce),
    SeenMotion("the last activity of the lesson before", at: lesson + "/read-the-brief", "p"),
    SeenMotion("the first lesson of the next goal", at: goal + "/closing-the-deal", "n"),
  ]

  static let far = [
    SeenMotion("go on, from the course to an activity", at: course, "."),
    SeenMotion("go on, from another goal", at: course + "/writing", "."),
    SeenMotion("back, from far away", at: course + "/writing", ". H"),
    SeenMotion("back and forward again", at: lesson, "Enter H L"),
    SeenMotion("a path, several levels down", at: course, ": n e g o t Tab o p Enter", .covers),
    SeenMotion("a result that the page behind shows", at: goal, "/ c o u n t e r Enter", .covers),
    SeenMotion("a result of far away", at: course + "/writing", "/ a n c h o r Enter"),
    SeenMotion("a place of the history", at: text, "Left 3 Down Enter"),
  ]

  static let tabs = [
    SeenMotion("Find, from a list", at: goal, "2"),
    SeenMotion("Find, from a text", at: text, "Space 2"),
    SeenMotion("the history, from a list", at: goal, "3"),
    SeenMotion("back to the list, from Find", at: goal, "2 Esc"),
    SeenMotion("back to the text, from the history", at: text, "3 1"),
  ]

  static let onTop = [
    SeenMotion("the keys", at: goal, "?"),
    SeenMotion("the keys go", at: goal, "? Esc"),
    SeenMotion("all about a card", at: goal, "Down i"),
    SeenMotion("all about a card goes", at: goal, "Down i Esc"),
    SeenMotion("all about a text", at: text, "i"),
    SeenMotion("all about a text goes", at: text, "i Esc", .tellsWhatWasRead),
    SeenMotion("the palette", at: goal, ":"),
    SeenMotion("the palette goes", at: goal, ": Esc"),
    SeenMotion("the marks", at: text, "m Left '"),
    SeenMotion("a course to add", at: "/", "a"),
    SeenMotion("a course to add goes", at: "/", "a Esc"),
  ]

  static let within = [
    SeenMotion("the frame goes to the next card", at: course, "Down", .answersAtOnce),
    SeenMotion("the frame goes to the next row", at: lesson, "Down", .answersAtOnce),
    SeenMotion("cards become a list", at: course, "v"),
    SeenMotion("a list becomes cards", at: course, "v Down v"),
    SeenMotion("activities become cards", at: lesson, "Down v"),
    SeenMotion("a page of text", at: text, "Space", .answersAtOnce),
    SeenMotion("a page back", at: text, "Space Space b", .answersAtOnce),
    SeenMotion("a card turns over", at: cards, "Space", .answersAtOnce),
    SeenMotion("a card turns back", at: cards, "Space Space", .answersAtOnce),
    SeenMotion("a card that was known is laid aside", at: cards, "Space Up", .answersAtOnce),
    SeenMotion("a card that was not known is laid aside", at: cards, "Space Down", .answersAtOnce),
    SeenMotion("a right answer", at: quiz, "1 Enter", .answersAtOnce),
    SeenMotion("a wrong answer", at: quiz, "2 Enter", .answersAtOnce),
    SeenMotion("the next question", at: quiz, "1 Enter Enter", .answersAtOnce),
  ]
}
