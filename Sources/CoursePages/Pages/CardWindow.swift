import LearningModel
package import NavigationKit
import TextCanvas

/// The cards of a list, of which those are known that are near the view: a list may have ten thousand.
package struct CardWindow: Hashable, RandomAccessCollection {
  /// How many cards the list has.
  package let count: Int
  /// The cards that are known, one after the other.
  package let known: [CardModel]
  /// The number of the first of them.
  package let first: Int
  /// The card that was asked for, by its number.
  package let focus: Int?
  /// How wide the columns of a list are in which these stand.
  package let columns: Columns

  /// Columns of the terminal that the widest of a list has.
  package struct Columns: Hashable {
    /// Of what a card is, or how much of it is done.
    var state: Int
    /// Of how much it is.
    var amount: Int

    /// Those of no card.
    package static let none = Columns(state: 0, amount: 0)

    /// Those in which both stand.
    package func union(_ other: Columns) -> Columns {
      Columns(state: Swift.max(state, other.state), amount: Swift.max(amount, other.amount))
    }
  }

  /// All the cards of a list.
  package init(_ cards: [CardModel]) {
    self.init(cards, from: 0, of: cards.count, focus: nil)
  }

  /// What the service knows of a list.
  package init(_ children: ChildCards) {
    self.init(
      children.cards.map { CardModel($0) }, from: children.before, of: children.count, focus: children.focus)
  }

  private init(_ known: [CardModel], from first: Int, of count: Int, focus: Int?) {
    (self.known, self.first, self.count, self.focus) = (known, first, count, focus)
    columns = known.reduce(.none) {
      $0.union(Columns(state: $1.column.displayWidth, amount: $1.amount.displayWidth))
    }
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// A card; a blank one where it is not known.
  package subscript(index: Int) -> CardModel {
    knownRange.contains(index) ? known[index - first] : .unknown
  }

  private var knownRange: Range<Int> { first..<first + known.count }

  /// How many cards follow the known ones.
  package var unreadBelow: Int { count - knownRange.upperBound }

  /// Whether those cards are known, as far as there are so many.
  package func knows(_ range: Range<Int>) -> Bool {
    let range = range.clamped(to: 0..<count)
    return range.isEmpty || knownRange.lowerBound <= range.lowerBound && range.upperBound <= knownRange.upperBound
  }

  /// The number of the first known card of which something holds.
  package func knownIndex(where holds: (CardModel) -> Bool) -> Int? {
    known.firstIndex(where: holds).map { first + $0 }
  }
}

extension CardModel {
  /// What stands for a card that could not be read.
  package static let unknown = CardModel(
    target: .unknown, kind: .activity, title: "", summary: "", mark: .notBegun, topRight: "", bottomRight: "",
    fraction: 0, column: "", amount: "")
}
