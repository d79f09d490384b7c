package import LearningModel
package import NavigationKit

/// A learner's work on a deck of flashcards: the current round, and the last grade of each card.
///
/// Both front ends use it. It knows no presentation and writes nothing: the front end records the act that
/// ``grade(known:)`` returns, and stores ``position(at:)``.
package struct FlashcardSession {
  package let introduction: [Block]
  package let deck: [Flashcard]
  /// Whether each card was known when it was turned last, by its index in the deck.
  package private(set) var grades: [Int: Bool] = [:]
  /// The round on screen; `nil` before the first.
  package private(set) var round: FlashcardRound?
  /// The round that was interrupted to look something up; it continues next.
  package private(set) var suspendedRound: FlashcardRound?
  /// The indices of the cards that match a lookup.
  package private(set) var found: [Int] = []

  /// Creates a session before the first round.
  package init(_ deck: [Flashcard], introduction: [Block]) {
    self.deck = deck
    self.introduction = introduction
  }

  /// Takes the grades that are stored. A deck without introduction and grades begins with its first card.
  package mutating func restore(_ grades: [Int: Bool]) {
    self.grades = grades.filter { deck.indices.contains($0.key) }
    if introduction.isEmpty, self.grades.isEmpty { round = FlashcardRound(cards: Array(deck.indices)) }
  }

  // MARK: - State

  /// The card on top; `nil` between rounds.
  package var topCard: Int? { round?.card }
  /// The cards that were never turned.
  package var remaining: [Int] { deck.indices.filter { grades[$0] == nil } }
  /// The cards that were not known when they were turned last.
  package var unknown: [Int] { deck.indices.filter { grades[$0] == false } }
  /// The number of cards that were known when they were turned last.
  package var known: Int { grades.values.count { $0 } }
  /// The cards of the next round; empty if all are known.
  package var nextRound: [Int] { remaining.isEmpty ? unknown : remaining }
  /// Whether the back of the card on top is up.
  package var isTurned: Bool { round?.isTurned == true }
  /// Whether a card of the round was graded.
  package var isUnderWay: Bool { (round?.position ?? 0) > 0 }

  /// The position to store for the card of the deck.
  package func position(at moment: Timestamp) -> ReadingPosition {
    guard let next = (suspendedRound ?? round)?.card ?? remaining.first else {
      return ReadingPosition(block: 0, fraction: grades.isEmpty ? 0 : 1, heading: nil, savedAt: moment)
    }
    return ReadingPosition(
      block: next, fraction: Double(grades.count) / Double(deck.count),
      heading: grades.isEmpty ? nil : deck[next].front.plainText, savedAt: moment)
  }

  /// The seconds that the remaining cards take.
  ///
  /// - Parameter seconds: The seconds that the whole deck takes.
  package func secondsLeft(of seconds: Int) -> Double {
    Double(seconds) * Double(remaining.count) / Double(deck.count)
  }

  // MARK: - Rounds

  /// Begins a round with the cards of ``nextRound``, or with all cards if all are known.
  package mutating func begin() { begin(nextRound.isEmpty ? Array(deck.indices) : nextRound) }

  /// Begins again: with the cards of the round during one, after one with the unknown cards, otherwise with all cards.
  package mutating func beginAgain() {
    if let round, !round.isOver { return begin(round.cards) }
    begin(unknown.isEmpty || round == nil ? Array(deck.indices) : unknown)
  }

  private mutating func begin(_ cards: [Int]) {
    (round, suspendedRound, found) = (FlashcardRound(cards: cards), nil, [])
  }

  /// Suspends the round to show the cards that match a lookup.
  package mutating func lookUp(_ cards: [Int]) {
    if let round, !round.isOver, round != FlashcardRound(cards: round.cards) { suspendedRound = round }
    (round, found) = (nil, cards)
  }

  /// Continues the suspended round.
  ///
  /// - Returns: Whether there was one.
  package mutating func continueSuspended() -> Bool {
    guard let suspendedRound else { return false }
    (round, self.suspendedRound, found) = (suspendedRound, nil, [])
    return true
  }

  // MARK: - Cards

  /// Turns the card on top over.
  package mutating func turn() { round?.turn() }

  /// Grades the card on top if its back is up, and shows the next one.
  ///
  /// - Returns: The act to record; `nil` if no back is up.
  package mutating func grade(known: Bool) -> LearningAct? {
    guard let card = topCard, isTurned else { return nil }
    round?.grade(known: known)
    grades[card] = known
    return .cardGraded(card: card, of: deck.count, known: known)
  }

  /// Returns the card that was graded last to the top, with its back up.
  package mutating func takeBack() { round?.takeBack() }
}
