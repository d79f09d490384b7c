import LearningModel
import NavigationService
import TextCanvas

/// The cards of a list, of which those are known that are near the view: a list may have ten thousand.
struct CardWindow: Hashable, RandomAccessCollection {
  /// How many cards the list has.
  let count: Int
  /// The cards that are known, one after the other.
  let known: [CardModel]
  /// The number of the first of them.
  let first: Int
  /// The card that was asked for, by its number.
  let focus: Int?
  /// Columns of the widest amount among the known.
  let amountWidth: Int

  /// All the cards of a list.
  init(_ cards: [CardModel]) {
    self.init(cards, from: 0, of: cards.count, focus: nil)
  }

  /// What the service knows of a list.
  init(_ children: ChildCards) {
    self.init(
      children.cards.map { CardModel($0) }, from: children.before, of: children.count, focus: children.focus)
  }

  private init(_ known: [CardModel], from first: Int, of count: Int, focus: Int?) {
    (self.known, self.first, self.count, self.focus) = (known, first, count, focus)
    amountWidth = known.map(\.amount.displayWidth).max() ?? 0
  }

  var startIndex: Int { 0 }
  var endIndex: Int { count }

  /// A card; a blank one where it is not known.
  subscript(index: Int) -> CardModel {
    knownRange.contains(index) ? known[index - first] : .unknown
  }

  private var knownRange: Range<Int> { first..<first + known.count }

  /// How many cards follow the known ones.
  var unreadBelow: Int { count - knownRange.upperBound }

  /// Whether those cards are known, as far as there are so many.
  func knows(_ range: Range<Int>) -> Bool {
    let range = range.clamped(to: 0..<count)
    return range.isEmpty || knownRange.lowerBound <= range.lowerBound && range.upperBound <= knownRange.upperBound
  }

  /// The number of the first known card of which something holds.
  func knownIndex(where holds: (CardModel) -> Bool) -> Int? {
    known.firstIndex(where: holds).map { first + $0 }
  }
}

extension CardModel {
  /// What stands for a card that could not be read.
  static let unknown = CardModel(
    target: .unknown, kind: .activity, title: "", summary: "", mark: .notBegun, topRight: "", bottomRight: "",
    fraction: 0, column: "", amount: "")
}
