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

/// The coded form is what the database stores and what Waymark's own files hold, so what is written today stays
/// readable. Each type has a key of its own:
///
/// ```json
/// {"reading": ["A paragraph.", {"h2": "A heading"}, {"p": ["With ", {"em": "stress"}, "."]}]}
/// {"flashcards": [{"front": "a quote", "back": "A written price."}], "introduction": "Ten words."}
/// {"quiz": [{"question": "Who?", "choices": [{"right": "You."}, {"wrong": "I."}], "explanation": "Because."}], "pass": 0.8}
/// {"link": "https://example.org", "text": "Why to go there."}
/// ```
///
/// An encoder that sorts keys and leaves slashes alone gives equal contents equal bytes.
extension ActivityContent: Codable {
  fileprivate enum Key: String, CodingKey {
    case reading, flashcards, quiz, link, introduction, text, pass
  }

  /// Reads an object with one of `reading`, `flashcards`, `quiz` and `link`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    if object.contains(.reading) {
      self = .reading(try object.blocks(.reading))
    } else if object.contains(.flashcards) {
      self = .flashcards(
        introduction: try object.blocks(.introduction), cards: try object.decode([Flashcard].self, forKey: .flashcards))
    } else if object.contains(.quiz) {
      self = .quiz(
        introduction: try object.blocks(.introduction),
        questions: try object.decode([QuizQuestion].self, forKey: .quiz), pass: try object.pass())
    } else if object.contains(.link) {
      self = .link(destination: try object.decode(String.self, forKey: .link), text: try object.blocks(.text))
    } else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "an activity has one of: reading, flashcards, quiz, link"))
    }
  }

  /// Writes an object with one of `reading`, `flashcards`, `quiz` and `link`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    switch self {
    case .reading(let blocks):
      try object.encode(CodedBlocks(blocks), forKey: .reading)
    case .flashcards(let introduction, let cards):
      try object.encode(cards, forKey: .flashcards)
      try object.encode(blocks: introduction, .introduction)
    case .quiz(let introduction, let questions, let pass):
      try object.encode(questions, forKey: .quiz)
      try object.encode(blocks: introduction, .introduction)
      if pass != Self.usualPass { try object.encode(pass, forKey: .pass) }
    case .link(let destination, let text):
      try object.encode(destination, forKey: .link)
      try object.encode(blocks: text, .text)
    }
  }
}

extension KeyedDecodingContainer<ActivityContent.Key> {
  /// The share that passes a quiz; the usual one where it is left out.
  fileprivate func pass() throws -> Double {
    guard let pass = try decodeIfPresent(Double.self, forKey: .pass) else { return ActivityContent.usualPass }
    guard pass > 0, pass <= 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .pass, in: self, debugDescription: "'pass' is a share above 0 up to 1, such as 0.8")
    }
    return pass
  }
}

/// A card is an object with `front` and `back`.
extension Flashcard: Codable {
  private enum Key: String, CodingKey {
    case front, back
  }

  /// Reads an object with `front` and `back`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(front: try object.line(.front), back: try object.blocks(.back))
  }

  /// Writes an object with `front` and `back`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(line: front, .front)
    try object.encode(blocks: back, .back)
  }
}

/// A question is an object with `question`, `choices` and, where there are any, `details` and `explanation`.
extension QuizQuestion: Codable {
  private enum Key: String, CodingKey {
    case question, details, choices, explanation
  }

  /// Reads an object with `question` and `choices`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      question: try object.line(.question), details: try object.blocks(.details),
      choices: try object.decode([Choice].self, forKey: .choices), explanation: try object.blocks(.explanation))
  }

  /// Writes an object with `question` and `choices`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(line: question, .question)
    try object.encode(blocks: details, .details)
    try object.encode(choices, forKey: .choices)
    try object.encode(blocks: explanation, .explanation)
  }
}

/// A choice is an object whose one key, `right` or `wrong`, says which it is.
extension QuizQuestion.Choice: Codable {
  private enum Key: String, CodingKey {
    case right, wrong
  }

  /// Reads an object with `right` or `wrong`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    let isRight = object.contains(.right)
    self.init(text: try object.line(isRight ? .right : .wrong), isRight: isRight)
  }

  /// Writes an object with `right` or `wrong`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(line: text, isRight ? .right : .wrong)
  }
}
