public import LearningModel
import LearningStore

/// The cards of what a place holds, in reading order: all of them, or some that follow one another.
public struct ChildCards: Hashable, Sendable {
  /// The cards.
  public let cards: [Card]
  /// How many stand before the first of them.
  public let before: Int
  /// How many there are in all.
  public let count: Int
  /// The one that they were asked around, counted from 0 among all; `nil` where there is none.
  public let focus: Int?

  /// Which cards are asked for: a place may hold ten thousand.
  public enum Part: Hashable, Sendable {
    /// All.
    case all
    /// So many at most, about as many before as after one of them.
    case some(Int, around: Focus)
  }

  /// One card.
  public enum Focus: Hashable, Sendable {
    /// The one with that many before it; the last where there are not so many.
    case index(Int)
    /// That node's; where it is no child, the cards are the first, and there is no focus.
    case node(NodeID)
    /// What there is to do: the first that was begun and is not done, or else the first that is not done.
    case nextToDo
  }
}

extension Pages {
  /// Returns the cards of what a place holds. The list of courses always has all: what it says of itself is their sum.
  func childCards(of chain: [ContentNode], _ part: ChildCards.Part) throws -> ChildCards {
    func cards(_ range: Range<Int>?) throws -> [Card] {
      try snapshot.cards(under: chain.last?.id, for: learner?.id, in: range).map {
        Card($0, at: NamedPlace(chain + [$0.node]))
      }
    }
    let parent = chain.last?.id
    guard case .some(let limit, let around) = part else {
      let all = try cards(nil)
      return ChildCards(cards: all, before: 0, count: all.count, focus: nil)
    }
    let focus =
      switch around {
      case .index(let index): index
      case .node(let node): try snapshot.index(of: node, in: parent)
      case .nextToDo: try snapshot.indexOfNextToDo(in: parent, for: learner?.id)
      }
    let count = try snapshot.childCount(of: parent)
    let last = max(0, count - 1)
    let middle = focus.map { max(0, min($0, last)) }
    let first = parent == nil ? 0 : max(0, min((middle ?? 0) - limit / 2, count - limit))
    let range = parent == nil ? nil : first..<first + max(0, limit)
    return ChildCards(cards: try cards(range), before: first, count: count, focus: count == 0 ? nil : middle)
  }
}
