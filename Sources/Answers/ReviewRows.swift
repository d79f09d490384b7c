import LearningModel
package import NavigationKit

/// A card that is shown next.
package struct NextCardRow: Encodable, Sendable {
  package let card: ReviewCard

  package init(_ card: ReviewCard) {
    self.card = card
  }

  private enum Key: String, CodingKey {
    case card, question, answer, choices, phase, due, retrievability, again, hard, good, easy
  }

  /// Encodes `path`, `kind` and `title` of the activity, followed by the card. Choices are texts. `again`, `hard`,
  /// `good` and `easy` are the seconds until the card is shown again after that answer.
  package func encode(to encoder: any Encoder) throws {
    try card.place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(card.id.key, forKey: .card)
    try container.encode(card.faces.question.plainText, forKey: .question)
    try container.encode(card.faces.answer.plainText, forKey: .answer)
    try container.encode(card.faces.choices.map(\.text.plainText), forKey: .choices)
    try container.encode(card.state.phase, forKey: .phase)
    try container.encode(card.due, forKey: .due)
    try container.encode(card.retrievability, forKey: .retrievability)
    for (rating, key) in [(CardRating.again, Key.again), (.hard, .hard), (.good, .good), (.easy, .easy)] {
      try container.encode(card.intervals[rating]?.seconds, forKey: key)
    }
  }
}

/// The result of an answer.
package struct CardAnswerRow: Encodable, Sendable {
  package let place: NamedPlace
  package let answer: CardAnswer

  package init(place: NamedPlace, answer: CardAnswer) {
    (self.place, self.answer) = (place, answer)
  }

  private enum Key: String, CodingKey { case card, rating, intervalSeconds, phase, lapses, leech, event }

  /// Encodes `path`, `kind` and `title` of the activity, followed by the answer. `event` is its UUID in the log.
  package func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(answer.id.key, forKey: .card)
    try container.encode(answer.rating.name, forKey: .rating)
    try container.encode(answer.interval.seconds, forKey: .intervalSeconds)
    try container.encode(answer.state.phase, forKey: .phase)
    try container.encode(answer.state.lapses, forKey: .lapses)
    try container.encode(answer.isLeech, forKey: .leech)
    try container.encode(answer.event, forKey: .event)
  }
}

/// The result of taking an answer back.
package struct UndoneRow: Encodable, Sendable {
  /// Whether there was an answer to undo.
  package let undone: Bool

  package init(undone: Bool) {
    self.undone = undone
  }
}

/// The result of adding, suspending or resuming cards.
package struct ChangedCardsRow: Encodable, Sendable {
  /// The number of changed cards.
  package let cards: Int

  package init(cards: Int) {
    self.cards = cards
  }
}

extension CSVColumns {
  package static let changedCards = ["cards"]
  package static let reviewUndo = ["undone"]
  package static let reviewDue = place + ["today", "later", "steps", "reviews", "new", "due", "notMet"]
  package static let nextCard =
    place + ["card", "question", "answer", "choices", "phase", "due", "retrievability"]
    + CardRating.allCases.map(\.name)
  package static let cards =
    place
    + [
      "card", "question", "phase", "suspended", "leech", "due", "interval", "stability", "difficulty", "retrievability",
      "answers", "lapses",
    ]
  package static let cardAnswer = place + ["card", "rating", "intervalSeconds", "phase", "lapses", "leech", "event"]
  package static let reviewPeriods = ["period", "answers", "new", "reviews", "retention", "durationMs"]
  package static let reviewForecast = ["date", "cards", "new"]
  package static let reviewLog = place + ["card", "at", "rating", "intervalSeconds", "durationMs", "undone"]
  package static let reviewSettings = [
    "retention", "newCards", "reviews", "hasFourAnswers", "newIgnoreLimit", "waitingSiblings", "learningSteps",
    "relearningSteps", "maximumInterval", "leechLapses", "suspendsLeeches", "dayStart", "weights",
  ]
  package static let reviewFit =
    ["applied", "answers", "lossBefore", "lossAfter", "testLossBefore", "testLossAfter", "weights", "leftOut"]
}
