/// One time through some of the cards: which lies on top, which side is seen, and what was known.
package struct FlashcardRound: Hashable {
  /// The cards by their numbers in the deck, in the order in which they are turned.
  package let cards: [Int]
  package private(set) var position = 0
  package private(set) var isTurned = false
  /// By the numbers of the cards, whether each was known.
  package private(set) var grades: [Int: Bool] = [:]

  package init(cards: [Int]) {
    self.cards = cards
  }

  /// The card on top; `nil` when the round is over.
  package var card: Int? { cards.indices.contains(position) ? cards[position] : nil }
  package var isOver: Bool { card == nil }

  package var known: Int { grades.values.count { $0 } }
  package var unknown: [Int] { cards.filter { grades[$0] == false } }
  /// The share of the cards that were graded, 0…1.
  package var fraction: Double { cards.isEmpty ? 1 : Double(position) / Double(cards.count) }

  package mutating func turn() {
    if !isOver { isTurned.toggle() }
  }

  /// Says whether the card on top was known, and lays it aside.
  package mutating func grade(known: Bool) {
    guard let card else { return }
    grades[card] = known
    position += 1
    isTurned = false
  }

  /// Takes the last card up again, with its back in sight.
  package mutating func takeBack() {
    guard position > 0 else { return }
    position -= 1
    isTurned = true
    grades[cards[position]] = nil
  }
}
