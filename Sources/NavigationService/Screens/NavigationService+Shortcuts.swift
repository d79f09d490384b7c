public import LearningModel
import LearningStore

/// A place that is offered to whoever looks for one, before a word is typed.
public struct Shortcut: Hashable, Sendable {
  /// The place.
  public let card: Card
  /// The titles of the places above it, its course's first.
  public let breadcrumb: [String]
}

/// What is offered before a word is typed.
public struct Shortcuts: Hashable, Sendable {
  /// What the learner has marked, the newest first.
  public let marked: [Shortcut]
  /// How many places they have marked in all, of those that were asked for.
  public let markedCount: Int
  /// Where they go most and lately, without what is marked.
  public let recents: [Shortcut]
}

extension NavigationService {
  /// Returns what the learner has marked and where they go most, in one read.
  ///
  /// - Parameters:
  ///   - course: In which course; `nil` for all. What is none is in none.
  ///   - kind: For which kind of place; `nil` for all.
  ///   - marks: How many of the marked ones at most, from 0.
  ///   - recents: How many of the others at most, from 0.
  public func shortcuts(
    in course: Place? = nil, kind: ContentKind? = nil, marks: Int = 50, recents: Int = 12
  ) throws -> Shortcuts {
    try read { snapshot in
      guard let learner = try snapshot.learner(named: learner) else {
        return Shortcuts(marked: [], markedCount: 0, recents: [])
      }
      let pages = Pages(snapshot: snapshot, learner: learner)
      func isWanted(_ id: NodeID) throws -> Bool {
        guard let node = try snapshot.node(id), !node.isRemoved else { return false }
        return (course == nil || node.course == course?.node) && (kind == nil || node.kind == kind)
      }
      func shortcut(_ id: NodeID) throws -> Shortcut {
        let chain = try snapshot.chain(to: id)
        return Shortcut(card: try pages.card(of: chain), breadcrumb: chain.dropLast().map(\.title))
      }

      let marked = try snapshot.bookmarks(of: learner.id).map(\.node).filter(isWanted)
      // Somebody may go to thousands of places: those that are asked for are mostly among the first.
      var (others, limit) = ([NodeID](), 2 * recents + marked.count)
      while recents > 0 {
        let scored = try snapshot.scoredPlaces(of: learner.id, limit: limit).map(\.node)
        others = try scored.filter { try !marked.contains($0) && isWanted($0) }
        if others.count >= recents || scored.count < limit { break }
        limit *= 8
      }
      return Shortcuts(
        marked: try marked.prefix(marks).map(shortcut), markedCount: marked.count,
        recents: try others.prefix(recents).map(shortcut))
    }
  }
}
