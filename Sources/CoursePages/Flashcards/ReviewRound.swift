/// One pass through some of the cards: the card on top, the visible side and the grades.
package struct ReviewRound: Hashable {
  /// The indices of the cards in the deck, in the order of the round.
  package let cards: [Int]
  /// The number of cards that were graded before the round, if the round continues an unfinished pass through the deck.
  package let gradedBefore: Int
  package private(set) var position = 0
  package private(set) var isTurnedOver = false
  /// The grades of this round by the card's index in the deck: `true` if the card was known.
  package private(set) var grades: [Int: Bool] = [:]

  package init(cards: [Int], gradedBefore: Int = 0) {
    self.cards = cards
    self.gradedBefore = gradedBefore
  }

  /// The index of the card on top, or `nil` if the round is over.
  package var card: Int? { cards.indices.contains(position) ? cards[position] : nil }
  package var isOver: Bool { card == nil }
  /// The index of the card that was graded last, or `nil` before the first.
  package var previousCard: Int? { position == 0 ? nil : cards[position - 1] }

  package var knownCount: Int { grades.values.count { $0 } }
  package var unknownCards: [Int] { cards.filter { grades[$0] == false } }
  /// The number of cards of the round, including those that were graded before it.
  package var count: Int { gradedBefore + cards.count }
  /// The fraction of the cards that have been graded, 0…1.
  package var fraction: Double { count == 0 ? 1 : Double(gradedBefore + position) / Double(count) }
  /// The position of the card on top: `card 4 of 10`.
  package var positionText: String { "card \(gradedBefore + position + 1) of \(count)" }

  package mutating func turnOver() {
    if !isOver { isTurnedOver.toggle() }
  }

  /// Grades the card on top and shows the front of the next one.
  package mutating func grade(isKnown: Bool) {
    guard let card else { return }
    grades[card] = isKnown
    position += 1
    isTurnedOver = false
  }

  /// Returns to the previous card, with its back up, and removes its grade.
  package mutating func undoGrade() {
    guard position > 0 else { return }
    position -= 1
    isTurnedOver = true
    grades[cards[position]] = nil
  }
}
