import CoursePages
import LearningModel
import NavigationService

/// What is being done in an activity.
enum LinearActivity {
  /// Something to read; the address where it is a way out of the course.
  case reading(LinearReading, address: String?)
  case cards(LinearCards)
  case quiz(LinearQuiz)

  /// The links that were said so far.
  var links: [SpokenText.Link] {
    switch self {
    case .reading(let reading, _): reading.links
    case .cards(let cards): cards.links
    case .quiz(let quiz): quiz.links
    }
  }
}

/// Cards that are turned over, with what was known of them before.
struct LinearCards {
  let deck: [Flashcard]
  var round: FlashcardRound
  /// By the numbers of the cards, whether each was known the last time.
  var grades: [Int: Bool]
  var links: [SpokenText.Link] = []

  /// Begins with the cards that were not turned yet, else with those that were not known, else with all.
  init(_ deck: [Flashcard], grades: [Int: Bool]) {
    self.deck = deck
    self.grades = grades
    let new = deck.indices.filter { grades[$0] == nil }
    let unknown = deck.indices.filter { grades[$0] == false }
    round = FlashcardRound(cards: !new.isEmpty ? new : !unknown.isEmpty ? unknown : Array(deck.indices))
  }

  /// Those that were not known, else all of them.
  var again: [Int] {
    let unknown = deck.indices.filter { grades[$0] == false }
    return unknown.isEmpty ? Array(deck.indices) : unknown
  }

  /// How far they have come, as it is kept for their card.
  func position(at moment: Timestamp) -> ReadingPosition {
    let next = round.card ?? deck.indices.first { grades[$0] == nil }
    return ReadingPosition(deck, grades: grades, next: next, at: moment)
  }

  /// What stands on the side that is up.
  mutating func side() -> [SpokenText.Line] {
    guard let card = round.card else { return [] }
    let text =
      round.isTurned
      ? SpokenText(deck[card].back, links: links) : SpokenText(deck[card].front, links: links)
    links = text.links
    var lines = text.lines
    let prefix = round.isTurned ? "Back: " : "Card \(round.position + 1) of \(round.cards.count): "
    if !lines.isEmpty { lines[0].text = SpokenWords.ended(prefix + lines[0].text) }
    return lines
  }
}

/// A quiz that is answered by numbers.
struct LinearQuiz {
  var run: QuizRun
  /// The share that must be right.
  let pass: Double
  var links: [SpokenText.Link] = []

  init(_ run: QuizRun, pass: Double) {
    self.run = run
    self.pass = pass
  }

  /// A question as it is asked once all are answered: its words, and what is right.
  mutating func result(_ number: Int) -> String {
    let question = run.questions[number]
    let right = question.choices.filter(\.isRight).map { sentence($0.text) }.joined(separator: " ")
    return "Question \(number + 1): \(sentence(question.question))" + (right.isEmpty ? "" : " Right: \(right)")
  }

  /// The question with its choices.
  mutating func question() -> [SpokenText.Line] {
    guard let question = run.question else { return [] }
    var lines = said(question.question)
    if !lines.isEmpty {
      lines[0].text = SpokenWords.ended(SpokenWords.capitalised(run.place) + ": " + lines[0].text)
    }
    lines += said(question.details)
    for (number, choice) in question.choices.enumerated() {
      lines.append(SpokenText.Line(text: "\(number + 1). " + sentence(choice.text), block: 0))
    }
    return lines
  }

  /// Why the right answer is right.
  mutating func explanation() -> [SpokenText.Line] { said(run.question?.explanation ?? []) }

  /// Chooses exactly those, by their numbers from 1.
  ///
  /// - Returns: Whether there are such choices.
  mutating func choose(_ numbers: [Int]) -> Bool {
    guard let question = run.question, numbers.allSatisfy({ (1...max(1, question.choices.count)).contains($0) }),
      numbers.count == 1 || run.asksForSeveral
    else { return false }
    let chosen = Set(numbers.map { $0 - 1 })
    for choice in question.choices.indices where run.ticked.contains(choice) != chosen.contains(choice) {
      // Where one is right, ticking it is enough: the other loses its tick.
      if run.asksForSeveral || chosen.contains(choice) { run.tick(choice) }
    }
    return true
  }

  /// Choices with their numbers: `1. Name a figure.`
  mutating func named(_ choices: some Sequence<Int>) -> String {
    var lines: [String] = []
    for choice in choices.sorted() {
      guard let text = run.question?.choices[choice].text else { continue }
      lines.append("\(choice + 1). " + sentence(text))
    }
    return lines.joined(separator: " ")
  }

  private mutating func sentence(_ inlines: [Inline]) -> String {
    SpokenWords.ended(said(inlines).map(\.text).joined(separator: " "))
  }

  private mutating func said(_ inlines: [Inline]) -> [SpokenText.Line] { said([.paragraph(inlines)]) }

  private mutating func said(_ blocks: [Block]) -> [SpokenText.Line] {
    let text = SpokenText(blocks, links: links)
    links = text.links
    return text.lines
  }
}
