import CoursePages
import LearningModel
import NavigationKit

/// The open activity.
enum LinearActivity {
  /// A text. If the activity is a link, `address` is its target, otherwise `nil`.
  case reading(LinearReading, address: String?)
  case cards(LinearCards)
  case quiz(LinearQuiz)
  /// A review of cards, of which most belong to other places than the current one.
  case review(LinearReview)

  /// The links printed so far, in the order of their numbers.
  var links: [LinearText.Link] {
    switch self {
    case .reading(let reading, _): reading.links
    case .cards(let cards): cards.links
    case .quiz(let quiz): quiz.links
    case .review(let review): review.links
    }
  }
}

struct LinearCards {
  var session: FlashcardSession
  var links: [LinearText.Link] = []

  /// Whether every card of the round was graded.
  var isOver: Bool { session.topCard == nil }

  /// Returns the lines of the visible side.
  mutating func side() -> [LinearText.Line] {
    guard let round = session.currentRound, let card = round.card else { return [] }
    let text =
      round.isTurnedOver
      ? LinearText(session.deck[card].back, links: links) : LinearText(session.deck[card].front, links: links)
    links = text.links
    var lines = text.lines
    let prefix = round.isTurnedOver ? "Answer: " : "Card \(round.position + 1) of \(round.cards.count): "
    if !lines.isEmpty { lines[0].text = LinearFormat.ended(prefix + lines[0].text) }
    return lines
  }
}

struct LinearQuiz {
  var session: QuizSession
  var links: [LinearText.Link] = []

  /// The run of the session, or a new run at the first question if the session has none.
  var run: QuizRun { session.run ?? QuizRun(questions: session.questions) }

  /// Returns a question with its right choices, as printed after the last question.
  mutating func result(_ number: Int) -> String {
    let question = session.questions[number]
    let right = question.choices.filter(\.isRight).map { sentence($0.text) }.joined(separator: " ")
    return "Question \(number + 1): \(sentence(question.question))" + (right.isEmpty ? "" : " Correct answer: \(right)")
  }

  /// Returns the lines of the current question with its choices.
  mutating func question() -> [LinearText.Line] {
    guard let question = run.question else { return [] }
    var lines = spokenLines(question.question)
    if !lines.isEmpty {
      lines[0].text = LinearFormat.ended(LinearFormat.capitalised(run.positionText) + ": " + lines[0].text)
    }
    lines += spokenLines(question.details)
    for (number, choice) in question.choices.enumerated() {
      lines.append(LinearText.Line(text: "\(number + 1). " + sentence(choice.text), block: 0))
    }
    return lines
  }

  /// Returns the explanation of a question. If `number` is `nil`, returns the explanation of the current question.
  mutating func explanation(of number: Int? = nil) -> [LinearText.Line] {
    spokenLines((number.map { session.questions[$0] } ?? run.question)?.explanation ?? [])
  }

  /// Returns choices with their numbers: `1. Name a figure.`
  mutating func named(_ choices: some Sequence<Int>) -> String {
    var lines: [String] = []
    for choice in choices.sorted() {
      guard let text = run.question?.choices[choice].text else { continue }
      lines.append("\(choice + 1). " + sentence(text))
    }
    return lines.joined(separator: " ")
  }

  private mutating func sentence(_ inlines: [Inline]) -> String {
    LinearFormat.ended(spokenLines(inlines).map(\.text).joined(separator: " "))
  }

  private mutating func spokenLines(_ inlines: [Inline]) -> [LinearText.Line] { spokenLines([.paragraph(inlines)]) }

  private mutating func spokenLines(_ blocks: [Block]) -> [LinearText.Line] {
    let text = LinearText(blocks, links: links)
    links = text.links
    return text.lines
  }
}
