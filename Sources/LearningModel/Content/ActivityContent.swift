/// What an activity is made of, parsed once at import.
public enum ActivityContent: Hashable, Sendable {
  /// A text to read.
  case reading([Block])
  /// Cards with a front and a back.
  case flashcards(introduction: [Block], cards: [Flashcard])
  /// Questions with choices, and the share of them that must be right for the quiz to be passed, above 0 up to 1.
  case quiz(introduction: [Block], questions: [QuizQuestion], pass: Double = Self.usualPass)
  /// A way out of the course, with a text that says why to take it.
  case link(destination: String, text: [Block])

  /// The share of a quiz that must be right where its author does not say.
  public static let usualPass = 0.6

  /// Which of the four it is.
  public var type: ActivityType {
    switch self {
    case .reading: .reading
    case .flashcards: .flashcards
    case .quiz: .quiz
    case .link: .link
    }
  }
}

/// The four kinds of activity.
public enum ActivityType: String, Codable, CaseIterable, Hashable, Sendable {
  /// A text to read.
  case reading
  /// Cards to turn over.
  case flashcards
  /// Questions to answer.
  case quiz
  /// An address to visit.
  case link
}

/// A card with two sides.
public struct Flashcard: Hashable, Sendable {
  /// What is asked: one line.
  public let front: [Inline]
  /// What should have been remembered.
  public let back: [Block]

  /// Makes a card.
  public init(front: [Inline], back: [Block]) {
    self.front = front
    self.back = back
  }
}

/// A question with choices, of which one or more are right.
public struct QuizQuestion: Hashable, Sendable {
  /// What is asked: one line.
  public let question: [Inline]
  /// What stands between the question and its choices.
  public let details: [Block]
  /// The choices, in the author's order.
  public let choices: [Choice]
  /// Why the right ones are right; empty where the author does not say.
  public let explanation: [Block]

  /// One possible answer.
  public struct Choice: Hashable, Sendable {
    /// Its words.
    public let text: [Inline]
    /// Whether it is right.
    public let isRight: Bool

    /// Makes a choice.
    public init(text: [Inline], isRight: Bool) {
      self.text = text
      self.isRight = isRight
    }
  }

  /// Makes a question.
  public init(question: [Inline], details: [Block], choices: [Choice], explanation: [Block]) {
    self.question = question
    self.details = details
    self.choices = choices
    self.explanation = explanation
  }
}
