/// The content of an activity, parsed when the course is imported.
public enum ActivityContent: Hashable, Sendable {
  /// A text to read.
  case reading([Block])
  /// Cards with a front and a back, after an introduction.
  case flashcards(introduction: [Block], cards: [Flashcard])
  /// Questions with choices, after an introduction. `pass` is the share of right answers that is needed to pass,
  /// greater than 0 and at most 1.
  case quiz(introduction: [Block], questions: [QuizQuestion], pass: Double = Self.defaultPassingShare)
  /// A link to an address outside the course, with a text that explains it.
  case link(destination: String, text: [Block])
  /// Code to write, which commands check.
  case exercise(Exercise)

  /// The share of right answers that is needed to pass a quiz if its author does not specify one.
  public static let defaultPassingShare = 0.6

  /// The type of the content.
  public var type: ActivityType {
    switch self {
    case .reading: .reading
    case .flashcards: .flashcards
    case .quiz: .quiz
    case .link: .link
    case .exercise: .exercise
    }
  }

  /// The text of the activity without its cards or questions, or the task of an exercise.
  package var text: [Block] {
    switch self {
    case .reading(let text), .flashcards(let text, _), .quiz(let text, _, _), .link(_, let text): text
    case .exercise(let exercise): exercise.task
    }
  }

  /// The fronts of the cards or the questions, in order. `nil` for types without cards and questions.
  package var itemLines: [[Inline]]? {
    switch self {
    case .flashcards(_, let cards): cards.map(\.front)
    case .quiz(_, let questions, _): questions.map(\.question)
    case .reading, .link, .exercise: nil
    }
  }
}

extension ActivityContent {
  /// The lines and texts of the activity in reading order.
  package var children: [Block.Child] { .init { _ = mapChildren(line: $0, blocks: $1) } }

  /// Returns the content with each of its lines and each of its texts replaced, like
  /// ``Block/mapChildren(line:blocks:)``.
  package func mapChildren(
    line: ([Inline]) throws -> [Inline], blocks: ([Block]) throws -> [Block]
  ) rethrows -> ActivityContent {
    switch self {
    case .reading(let text): .reading(try blocks(text))
    case .link(let destination, let text): .link(destination: destination, text: try blocks(text))
    case .flashcards(let introduction, let cards):
      .flashcards(
        introduction: try blocks(introduction),
        cards: try cards.map {
          Flashcard(
            key: $0.key, front: try line($0.front), back: try blocks($0.back), tags: $0.tags,
            isReversed: $0.isReversed, isLiteral: $0.isLiteral, typed: $0.typed)
        })
    case .quiz(let introduction, let questions, let pass):
      .quiz(
        introduction: try blocks(introduction),
        questions: try questions.map {
          QuizQuestion(
            question: try line($0.question), details: try blocks($0.details),
            choices: try $0.choices.map { QuizQuestion.Choice(text: try line($0.text), isRight: $0.isRight) },
            explanation: try blocks($0.explanation))
        }, pass: pass)
    case .exercise(let exercise):
      .exercise(
        exercise.with(
          task: try blocks(exercise.task), hints: try exercise.hints.map(blocks),
          solution: try blocks(exercise.solution)))
    }
  }
}

/// The types of activities.
public enum ActivityType: String, Codable, CaseIterable, Hashable, Sendable {
  /// A text to read.
  case reading
  /// Flashcards to turn over.
  case flashcards
  /// Questions to answer.
  case quiz
  /// An address to visit.
  case link
  /// Code to write, which is checked.
  case exercise

  /// Whether an attempt at the activity gets a score.
  package var hasScore: Bool { self == .quiz }
  /// Whether reading a part of the text counts as a part of the activity's duration. An address is visited as a whole, and
  /// reading the task of an exercise solves no part of it.
  package var isReadInParts: Bool { self != .link && self != .exercise }
  /// The word for one of the cards or questions of an activity, and for what a learner does with it. `nil` for types
  /// without cards and questions.
  package var itemWords: (noun: String, participle: String)? {
    switch self {
    case .flashcards: ("card", "turned")
    case .quiz: ("question", "answered")
    case .reading, .link, .exercise: nil
    }
  }
}

/// A card with two sides.
public struct Flashcard: Hashable, Sendable {
  /// The name that identifies the card in its course when its text changes. `nil` if the source defines none.
  public let key: String?
  /// The front: one line with a question or a term.
  public let front: [Inline]
  /// The back: the answer.
  public let back: [Block]
  /// The author's tags, in the author's order.
  public let tags: [String]
  /// Whether a review also asks for the front of the card by its back.
  public let isReversed: Bool
  /// Whether `{{c1::…}}` in the front is text, and not a gap.
  public let isLiteral: Bool
  /// The text that the learner types in a review, or `nil` if the learner types nothing.
  public let typed: String?

  /// Creates a card.
  public init(
    key: String? = nil, front: [Inline], back: [Block], tags: [String] = [], isReversed: Bool = false,
    isLiteral: Bool = false, typed: String? = nil
  ) {
    self.typed = typed
    self.key = key
    self.front = front
    self.back = back
    self.tags = tags
    self.isReversed = isReversed
    self.isLiteral = isLiteral
  }
}

/// A question with choices, one or more of which are right.
public struct QuizQuestion: Hashable, Sendable {
  /// The question, one line.
  public let question: [Inline]
  /// The content between the question and its choices.
  public let details: [Block]
  /// The choices, in the author's order.
  public let choices: [Choice]
  /// The reason why the right choices are right. Empty if the author does not give one.
  public let explanation: [Block]

  /// A choice of a question.
  public struct Choice: Hashable, Sendable {
    /// The text of the choice.
    public let text: [Inline]
    /// Whether the choice is right.
    public let isRight: Bool

    /// Creates a choice.
    public init(text: [Inline], isRight: Bool) {
      self.text = text
      self.isRight = isRight
    }
  }

  /// Creates a question.
  public init(question: [Inline], details: [Block], choices: [Choice], explanation: [Block]) {
    self.question = question
    self.details = details
    self.choices = choices
    self.explanation = explanation
  }
}

/// The coded form is stored in the database and in Waymark's own files, so every version must be able to read the forms
/// of all earlier versions. Each type has a key of its own:
///
/// ```json
/// {"reading": ["A paragraph.", {"h2": "A heading"}, {"p": ["With ", {"em": "stress"}, "."]}]}
/// {"flashcards": [{"front": "a quote", "back": "A written price."}], "introduction": "Ten words."}
/// {"quiz": [{"question": "Who?", "choices": [{"right": "You."}, {"wrong": "I."}], "explanation": "Because."}], "pass": 0.8}
/// {"link": "https://example.org", "text": "Why to go there."}
/// {"exercise": {"task": "Add two numbers.", "files": [{"path": "add.py", "role": "edit", "digest": "…"}]}}
/// ```
///
/// With sorted keys and without escaped slashes, equal contents are encoded as equal bytes.
extension ActivityContent: Codable {
  fileprivate enum Key: String, CodingKey {
    case reading, flashcards, quiz, link, exercise, introduction, text, pass
  }

  /// Decodes an object with one of the keys `reading`, `flashcards`, `quiz`, `link` and `exercise`.
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
        questions: try object.decode([QuizQuestion].self, forKey: .quiz), pass: try object.passingShare())
    } else if object.contains(.link) {
      self = .link(destination: try object.decode(String.self, forKey: .link), text: try object.blocks(.text))
    } else if object.contains(.exercise) {
      self = .exercise(try object.decode(Exercise.self, forKey: .exercise))
    } else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "an activity must have one of: reading, flashcards, quiz, link, exercise"))
    }
  }

  /// Encodes an object with one of the keys `reading`, `flashcards`, `quiz`, `link` and `exercise`.
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
      if pass != Self.defaultPassingShare { try object.encode(pass, forKey: .pass) }
    case .link(let destination, let text):
      try object.encode(destination, forKey: .link)
      try object.encode(blocks: text, .text)
    case .exercise(let exercise): try object.encode(exercise, forKey: .exercise)
    }
  }
}

extension KeyedDecodingContainer<ActivityContent.Key> {
  /// Decodes the share that is needed to pass a quiz. A missing value is ``ActivityContent/defaultPassingShare``.
  fileprivate func passingShare() throws -> Double {
    guard let pass = try decodeIfPresent(Double.self, forKey: .pass) else { return ActivityContent.defaultPassingShare }
    guard pass > 0, pass <= 1 else {
      throw DecodingError.dataCorruptedError(
        forKey: .pass, in: self, debugDescription: "'pass' must be a share above 0 and at most 1, such as 0.8")
    }
    return pass
  }
}

/// A card is coded as an object with `front` and `back` and, unless they are empty or
/// `false`, `key`, `tags`, `reversed`, `literal` and `typed`.
extension Flashcard: Codable {
  private enum Key: String, CodingKey {
    case key, front, back, tags, reversed, literal, typed
  }

  /// Decodes an object with `front` and `back`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      key: try object.decodeIfPresent(String.self, forKey: .key), front: try object.line(.front),
      back: try object.blocks(.back), tags: try object.decodeIfPresent([String].self, forKey: .tags) ?? [],
      isReversed: try object.decodeIfPresent(Bool.self, forKey: .reversed) ?? false,
      isLiteral: try object.decodeIfPresent(Bool.self, forKey: .literal) ?? false,
      typed: try object.decodeIfPresent(String.self, forKey: .typed))
  }

  /// Encodes an object with `front` and `back`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encodeIfPresent(key, forKey: .key)
    try object.encode(line: front, .front)
    try object.encode(blocks: back, .back)
    if !tags.isEmpty { try object.encode(tags, forKey: .tags) }
    if isReversed { try object.encode(true, forKey: .reversed) }
    if isLiteral { try object.encode(true, forKey: .literal) }
    try object.encodeIfPresent(typed, forKey: .typed)
  }
}

/// A question is coded as an object with `question`, `choices` and, unless they are empty, `details` and `explanation`.
extension QuizQuestion: Codable {
  private enum Key: String, CodingKey {
    case question, details, choices, explanation
  }

  /// Decodes an object with `question` and `choices`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      question: try object.line(.question), details: try object.blocks(.details),
      choices: try object.decode([Choice].self, forKey: .choices), explanation: try object.blocks(.explanation))
  }

  /// Encodes an object with `question` and `choices`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(line: question, .question)
    try object.encode(blocks: details, .details)
    try object.encode(choices, forKey: .choices)
    try object.encode(blocks: explanation, .explanation)
  }
}

/// A choice is coded as an object with one key, `right` or `wrong`.
extension QuizQuestion.Choice: Codable {
  private enum Key: String, CodingKey {
    case right, wrong
  }

  /// Decodes an object with `right` or `wrong`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    let isRight = object.contains(.right)
    self.init(text: try object.line(isRight ? .right : .wrong), isRight: isRight)
  }

  /// Encodes an object with `right` or `wrong`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(line: text, isRight ? .right : .wrong)
  }
}
