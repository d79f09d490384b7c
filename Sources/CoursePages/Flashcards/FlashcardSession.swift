package import LearningModel
package import NavigationKit

/// A learner's work on a deck of flashcards: the current round and the last grade of each card.
///
/// Both front ends use it. The session does not draw or store anything: the front end records the activity event that
/// ``grade(isKnown:)`` returns, and stores ``position(at:)``.
package struct FlashcardSession {
  package let introduction: [Block]
  package let deck: [Flashcard]
  /// The last grade of each card, by its index in the deck: `true` if it was known.
  package private(set) var grades: [Int: Bool] = [:]
  /// The current round, or `nil` before the first.
  package private(set) var currentRound: ReviewRound?
  /// The round that was suspended by a lookup, to be continued afterwards.
  package private(set) var suspendedRound: ReviewRound?
  package private(set) var matchingCards: [Int] = []

  package init(_ deck: [Flashcard], introduction: [Block]) {
    self.deck = deck
    self.introduction = introduction
  }

  /// Restores the stored grades. If the deck has neither an introduction nor grades, also begins a round, so that its
  /// first card is visible.
  package mutating func restore(_ grades: [Int: Bool]) {
    self.grades = grades.filter { deck.indices.contains($0.key) }
    if introduction.isEmpty, self.grades.isEmpty { currentRound = ReviewRound(cards: Array(deck.indices)) }
  }

  // MARK: - State

  /// The index of the card on top, or `nil` between rounds.
  package var topCard: Int? { currentRound?.card }
  /// The cards without a grade.
  package var remaining: [Int] { deck.indices.filter { grades[$0] == nil } }
  /// The cards whose last grade is *unknown*.
  package var unknownCards: [Int] { deck.indices.filter { grades[$0] == false } }
  /// The number of cards whose last grade is *known*.
  package var knownCount: Int { grades.values.count { $0 } }
  package var nextRound: [Int] { remaining.isEmpty ? unknownCards : remaining }
  /// Whether the back of the card on top is visible.
  package var isTurnedOver: Bool { currentRound?.isTurnedOver == true }
  /// Whether a card of the round was graded.
  package var isInProgress: Bool { (currentRound?.position ?? 0) > 0 }

  /// Returns the position to store: that of the first card without a grade.
  package func position(at time: Timestamp) -> ReadingPosition {
    guard let next = (suspendedRound ?? currentRound)?.card ?? remaining.first else {
      return ReadingPosition(block: 0, fraction: grades.isEmpty ? 0 : 1, heading: nil, savedAt: time)
    }
    return ReadingPosition(
      block: next, fraction: Double(grades.count) / Double(deck.count),
      heading: grades.isEmpty ? nil : deck[next].front.plainText, savedAt: time)
  }

  /// Returns the estimated time for the remaining cards, in seconds.
  ///
  /// - Parameter seconds: The time for the whole deck, in seconds.
  package func remainingSeconds(of seconds: Int) -> Double {
    Double(seconds) * Double(remaining.count) / Double(deck.count)
  }

  // MARK: - Rounds

  /// Begins a round with the cards of ``nextRound``, or with all cards if that is empty. Cards without a grade continue
  /// the first pass through the deck.
  package mutating func begin() {
    begin(
      nextRound.isEmpty ? Array(deck.indices) : nextRound, gradedBefore: remaining.isEmpty ? 0 : grades.count)
  }

  /// Restarts the current round. If no round is in progress, begins one with the unknown cards, or with all cards if
  /// none is unknown.
  package mutating func restart() {
    if let currentRound, !currentRound.isOver {
      return begin(currentRound.cards, gradedBefore: currentRound.gradedBefore)
    }
    begin(unknownCards.isEmpty || currentRound == nil ? Array(deck.indices) : unknownCards)
  }

  private mutating func begin(_ cards: [Int], gradedBefore: Int = 0) {
    (currentRound, suspendedRound, matchingCards) = (ReviewRound(cards: cards, gradedBefore: gradedBefore), nil, [])
  }

  /// Suspends the round to show the cards that match a lookup.
  package mutating func showMatches(_ cards: [Int]) {
    if let currentRound, !currentRound.isOver,
      currentRound != ReviewRound(cards: currentRound.cards, gradedBefore: currentRound.gradedBefore)
    {
      suspendedRound = currentRound
    }
    (currentRound, matchingCards) = (nil, cards)
  }

  /// Continues the suspended round.
  ///
  /// - Returns: `false` if there was no suspended round.
  package mutating func continueSuspended() -> Bool {
    guard let suspendedRound else { return false }
    (currentRound, self.suspendedRound, matchingCards) = (suspendedRound, nil, [])
    return true
  }

  // MARK: - Cards

  package mutating func turnOver() { currentRound?.turnOver() }

  /// Grades the card on top if its back is visible, and shows the next one.
  ///
  /// - Returns: The activity event to record, or `nil` if the back was not visible.
  package mutating func grade(isKnown: Bool) -> ActivityEventContent? {
    guard let card = topCard, isTurnedOver else { return nil }
    currentRound?.grade(isKnown: isKnown)
    grades[card] = isKnown
    return .cardGraded(card: card, of: deck.count, isKnown: isKnown)
  }

  /// Returns to a card whose grade was undone, with its back visible. If the card is not the previous one of the round,
  /// begins a round with it.
  ///
  /// - Parameter grades: The stored grades after the undo.
  package mutating func show(undone card: Int, grades: [Int: Bool]) {
    guard deck.indices.contains(card) else { return }
    let isPrevious = currentRound?.previousCard == card
    self.grades = grades.filter { deck.indices.contains($0.key) }
    guard !isPrevious else { return currentRound?.undoGrade() ?? () }
    show(card: card)
    turnOver()
  }

  /// Begins a round with a card, followed by the others of ``nextRound``.
  package mutating func show(card: Int) {
    guard deck.indices.contains(card) else { return }
    begin([card] + nextRound.filter { $0 != card }, gradedBefore: remaining.isEmpty ? 0 : grades.count)
  }
}
