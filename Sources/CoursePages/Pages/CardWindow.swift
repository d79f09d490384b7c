package import LearningModel
package import NavigationKit
import TextCanvas

/// The cards of a list, of which only those near the visible range are loaded, because a list may have ten thousand
/// cards.
package struct CardWindow: Hashable, RandomAccessCollection {
  /// The number of cards in the list.
  package let count: Int
  /// The loaded cards, which are consecutive.
  package let loadedCards: [CardModel]
  /// The index of the first loaded card.
  package let first: Int
  /// The index of the card around which the cards were loaded, or `nil` if no card was requested.
  package let focus: Int?
  /// The column widths that the loaded cards need.
  package let columns: Columns

  /// The widths of a list's columns, in terminal columns.
  package struct Columns: Hashable {
    /// The width of the title.
    var title: Int
    /// The width of the type of an activity.
    var type: Int
    /// The width of the progress, without its symbol.
    var status: Int
    /// The width of the remaining time.
    var time: Int

    /// The widths of an empty list.
    package static let none = Columns(title: 0, type: 0, status: 0, time: 0)

    /// Returns the widths that cards need.
    package init(_ cards: [CardModel]) {
      self = cards.reduce(.none) {
        $0.union(
          Columns(
            title: $1.title.displayWidth, type: $1.type.displayWidth, status: $1.status.displayWidth,
            time: $1.time.displayWidth))
      }
    }

    private init(title: Int, type: Int, status: Int, time: Int) {
      (self.title, self.type, self.status, self.time) = (title, type, status, time)
    }

    /// Returns the widths that are sufficient for both lists.
    package func union(_ other: Columns) -> Columns {
      Columns(
        title: Swift.max(title, other.title), type: Swift.max(type, other.type),
        status: Swift.max(status, other.status), time: Swift.max(time, other.time))
    }
  }

  /// Creates a window with all cards of a list.
  package init(_ cards: [CardModel]) {
    self.init(cards, from: 0, of: cards.count, focus: nil)
  }

  /// Creates a window with the cards that the service loaded.
  package init(_ children: ChildSummaries) {
    self.init(
      children.summaries.map { CardModel($0) }, from: children.before, of: children.count, focus: children.focus)
  }

  private init(_ cards: [CardModel], from first: Int, of count: Int, focus: Int?) {
    (self.loadedCards, self.first, self.count, self.focus) = (cards, first, count, focus)
    columns = Columns(cards)
  }

  /// Returns the same cards with further amounts, such as `3 due`.
  package func adding(amounts: [NodeID: String]) -> CardWindow {
    let cards = loadedCards.map { card in
      var card = card
      card.amount = [card.amount, card.node.flatMap { amounts[$0] } ?? ""].filter { !$0.isEmpty }.joined(
        separator: ", ")
      return card
    }
    return CardWindow(cards, from: first, of: count, focus: focus)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// Returns a card, or ``CardModel/placeholder`` if it is not loaded.
  package subscript(index: Int) -> CardModel {
    loadedRange.contains(index) ? loadedCards[index - first] : .placeholder
  }

  private var loadedRange: Range<Int> { first..<first + loadedCards.count }

  /// The number of cards after the loaded ones.
  package var unloadedBelow: Int { count - loadedRange.upperBound }

  /// Returns whether the cards of a range are loaded. Indices outside the list are ignored.
  package func isLoaded(_ range: Range<Int>) -> Bool {
    let range = range.clamped(to: 0..<count)
    return range.isEmpty || loadedRange.lowerBound <= range.lowerBound && range.upperBound <= loadedRange.upperBound
  }

  /// Returns the index of the first loaded card that satisfies a predicate.
  package func loadedIndex(where holds: (CardModel) -> Bool) -> Int? {
    loadedCards.firstIndex(where: holds).map { first + $0 }
  }
}

extension CardModel {
  /// Replaces a card that is not loaded.
  package static let placeholder = CardModel(
    target: .unknown, kind: .activity, title: "", summary: "")
}
