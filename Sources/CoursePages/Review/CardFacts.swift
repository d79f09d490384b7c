import LearningModel
package import NavigationKit

/// What is known about a card of a review, the same in both front ends.
package struct CardFacts {
  package let card: ReviewCard
  /// The facts, each with its name.
  package let rows: [(name: String, value: String)]

  /// The number of answers that are listed.
  private static let maximumAnswers = 5

  /// Reads the facts about a card.
  package init(_ id: CardID, of navigation: NavigationService, days: RelativeDateFormat) throws(NavigationError) {
    let card = try navigation.reviews.card(id)
    self.card = card
    let state = card.state
    let hasFourAnswers = try navigation.reviews.settings().hasFourAnswers
    let answers = try navigation.reviews.lastAnswers(to: id, limit: Self.maximumAnswers).map {
      ReviewSession.name(of: $0.rating, hasFourAnswers) + " " + days.at($0.at)
    }
    let due = card.due.map { (card.stepEndsAt.map(days.at) ?? $0) + (card.isSuspended ? ", suspended" : "") }
    let interval: String? =
      switch state.phase {
      case .new: nil
      case .learning, .relearning:
        (card.stepSeconds.map { ReviewText.interval(.seconds($0)) } ?? "minutes")
          + ", until you have known it in each learning step"
      case .review: ReviewText.interval(.days(state.intervalDays))
      }
    let rows: [(String, String?)] = [
      ("From", DisplayFormat.withoutRepetition(card.ancestorTitles + [card.place.title]).joined(separator: ", ")),
      ("Due", due ?? (card.isSuspended ? "new, suspended" : "new")), ("Interval", interval),
      ("Stability", state.memory.map { "\(Self.tenths($0.stability)) days until the chance to know it is 90 %" }),
      ("Difficulty", state.memory.map { "\(Self.tenths($0.difficulty)) of 10" }),
      ("Recall", card.retrievability.map { "\(DisplayFormat.percent($0)), the chance that you know it now" }),
      ("Lapses", Self.lapses(of: card)),
      (
        "Answers",
        answers.isEmpty ? "none yet" : ReviewText.number(state.answers) + ": " + answers.joined(separator: "; ")
      ),
    ]
    self.rows = rows.compactMap { name, value in value.map { (name, $0) } }
  }

  /// How often a card was forgotten after its first learning steps, or `nil` if it is new.
  private static func lapses(of card: ReviewCard) -> String? {
    let lapses = card.state.lapses
    return switch card.state.phase {
    case .new where lapses == 0: nil
    case .learning where lapses == 0: "not counted in the first learning steps"
    default:
      "forgotten \(ReviewText.count(lapses, "time")) after a day or more" + (card.isLeech ? ": a leech" : "")
    }
  }

  private static func tenths(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}
