import Testing
import TextCanvas

@testable import CoursePages

/// A visible animation: its place, and the key that begins it.
struct AnimationCase: Sendable, CustomTestStringConvertible {
  let name: String
  let place: String
  /// The keys before it, each pressed after the previous animation has ended.
  let before: [KeyEvent]
  let key: KeyEvent
  /// Expected differences between the animation's first or last frame and the screen before or after it.
  let exceptions: Set<Exception>

  enum Exception {
    /// The key takes effect at once, and only a part of the screen is animated.
    case respondsImmediately
    /// An overlay or a growing frame covers content.
    case covers
    /// The header shows the reading progress only after the text has come to rest.
    case changesProgress
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

  static let all = down + up + sibling + distant + tabs + onTop + within

  static let down = [
    AnimationCase("a course opens", at: "/", "Enter"),
    AnimationCase("a goal opens", at: course, "Down Enter"),
    AnimationCase("a goal opens, listed", at: course, "v Down Enter"),
    AnimationCase("a lesson opens", at: goal, "Down Enter"),
    AnimationCase("a text opens", at: lesson, "Enter"),
    AnimationCase("a text that was read before opens", at: text, "Space Left Enter"),
    AnimationCase("flashcards open", at: lesson, "Down Down Enter"),
    AnimationCase("a quiz opens", at: lesson, "End Enter"),
    AnimationCase("a link opens", at: goal + "/closing-the-deal", "End Enter"),
  ]

  static let up = [
    AnimationCase("a course closes", at: course, "Left"),
    AnimationCase("a goal closes", at: goal, "Left"),
    AnimationCase("a goal closes, whose last lesson was chosen", at: goal, "End Left"),
    AnimationCase("a lesson closes", at: lesson, "Left"),
    AnimationCase("a text closes", at: text, "Left"),
    AnimationCase("a text closes that was scrolled", at: text, "Space Left"),
    AnimationCase("flashcards close", at: cards, "Space Left"),
    AnimationCase("a quiz closes", at: quiz, "Left"),
    AnimationCase("a link closes", at: link, "Left"),
  ]

  static let sibling = [
    AnimationCase("the next goal", at: goal, "n"),
    AnimationCase("the goal before", at: goal, "p"),
    AnimationCase("the next lesson", at: lesson, "n"),
    AnimationCase("the lesson before", at: lesson, "p"),
    AnimationCase("the next activity", at: text, "n"),
    AnimationCase("the activity before, of a text that was scrolled", at: text, "Space p"),
    AnimationCase("the first activity of the next lesson", at: quiz, "n", .respondsImmediately),
    AnimationCase("the last activity of the lesson before", at: lesson + "/read-the-brief", "p"),
    AnimationCase("the first lesson of the next goal", at: goal + "/closing-the-deal", "n"),
  ]

  static let distant = [
    AnimationCase("go on, from the course to an activity", at: course, "."),
    AnimationCase("go on, from another goal", at: course + "/writing", "."),
    AnimationCase("back, from far away", at: course + "/writing", ". H"),
    AnimationCase("back and forward again", at: lesson, "Enter H L"),
    AnimationCase("a path, several levels down", at: course, ": n e g o t Tab o p Enter", .covers),
    AnimationCase("a result that the page behind shows", at: goal, "/ c o u n t e r Enter", .covers),
    AnimationCase("a result of far away", at: course + "/writing", "/ a n c h o r Enter"),
    AnimationCase("a place of the history", at: text, "Left 3 Down Enter"),
  ]

  static let tabs = [
    AnimationCase("Find, from a list", at: goal, "2"),
    AnimationCase("Find, from a text", at: text, "Space 2"),
    AnimationCase("the history, from a list", at: goal, "3"),
    AnimationCase("back to the list, from Find", at: goal, "2 Esc"),
    AnimationCase("back to the text, from the history", at: text, "3 1"),
  ]

  static let onTop = [
    AnimationCase("the keys", at: goal, "?"),
    AnimationCase("the keys go", at: goal, "? Esc"),
    AnimationCase("all about a card", at: goal, "Down i"),
    AnimationCase("all about a card goes", at: goal, "Down i Esc"),
    AnimationCase("all about a text", at: text, "i"),
    AnimationCase("all about a text goes", at: text, "i Esc", .changesProgress),
    AnimationCase("the palette", at: goal, ":"),
    AnimationCase("the palette goes", at: goal, ": Esc"),
    AnimationCase("the marks", at: text, "m Left '"),
    AnimationCase("a course to add", at: "/", "a"),
    AnimationCase("a course to add goes", at: "/", "a Esc"),
  ]

  static let within = [
    AnimationCase("the frame goes to the next card", at: course, "Down", .respondsImmediately),
    AnimationCase("the frame goes to the next row", at: lesson, "Down", .respondsImmediately),
    AnimationCase("cards become a list", at: course, "v"),
    AnimationCase("a list becomes cards", at: course, "v Down v"),
    AnimationCase("activities become cards", at: lesson, "Down v"),
    AnimationCase("a page of text", at: text, "Space", .respondsImmediately),
    AnimationCase("a page back", at: text, "Space Space b", .respondsImmediately),
    AnimationCase("a card turns over", at: cards, "Space", .respondsImmediately),
    AnimationCase("a card turns back", at: cards, "Space Space", .respondsImmediately),
    AnimationCase("a card that was known is laid aside", at: cards, "Space Up", .respondsImmediately),
    AnimationCase("a card that was not known is laid aside", at: cards, "Space Down", .respondsImmediately),
    AnimationCase("a right answer", at: quiz, "1 Enter", .respondsImmediately),
    AnimationCase("a wrong answer", at: quiz, "2 Enter", .respondsImmediately),
    AnimationCase("the next question", at: quiz, "1 Enter Enter", .respondsImmediately),
  ]
}
