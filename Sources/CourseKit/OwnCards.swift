import LearningModel
import LearningStore

/// The cards that a learner has made in an activity. An export contains them as a deck of its own, so that every format
/// can contain them.
struct OwnCards {
  let cards: [CardExport]
  let content: ActivityContent

  /// The beginning of the keys of such decks. The key of the activity follows.
  fileprivate static let prefix = "own-cards:"

  /// Returns the own cards of activities.
  static func all(
    in nodes: [ContentNode], of learner: LearnerID, withProgress hasProgress: Bool, _ snapshot: StoreSnapshot
  ) throws -> [NodeID: OwnCards] {
    var all: [NodeID: OwnCards] = [:]
    for node in nodes where node.kind == .activity {
      let made = try snapshot.madeCards(in: node, by: learner, hasProgress: hasProgress)
      guard !made.isEmpty else { continue }
      let cards = made.map { card, front, back in
        Flashcard(
          key: card.key, front: [.text(front)],
          back: back.split(separator: "\n\n").map { .paragraph([.text(String($0))]) }, isLiteral: front.contains("{{"))
      }
      all[node.id] = OwnCards(cards: made.map(\.card), content: .flashcards(introduction: [], cards: cards))
    }
    return all
  }

  /// Returns the deck with the own cards of an activity.
  static func node(of activity: ContentNode, parent: Int?) -> DraftNode {
    DraftNode(
      parent: parent, key: prefix + activity.key, kind: .activity, title: "Own cards: " + activity.title,
      type: .flashcards)
  }
}

extension CourseDraft {
  /// Returns the draft without the decks of own cards that are in the database as own cards.
  func withoutStoredOwnCards(in store: LearningStore) throws -> CourseDraft {
    guard let course = nodes.first?.key else { return self }
    let removed = try store.read { snapshot in
      try nodes.indices.filter { try nodes[$0].isDeck(ofOwnCardsIn: course, snapshot) }
    }
    guard !removed.isEmpty else { return self }
    let kept = nodes.indices.filter { !removed.contains($0) }
    let indices = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    var draft = self
    draft.nodes = kept.map { index in
      var node = nodes[index]
      node.parent = node.parent.flatMap { indices[$0] }
      return node
    }
    draft.contents = RemainingContents(contents: contents, indices: kept)
    return draft
  }
}

extension DraftNode {
  fileprivate func isDeck(ofOwnCardsIn course: String, _ snapshot: StoreSnapshot) throws -> Bool {
    guard kind == .activity, key.hasPrefix(OwnCards.prefix) else { return false }
    return try snapshot.hasMadeCards(inActivity: String(key.dropFirst(OwnCards.prefix.count)), ofCourse: course)
  }
}

/// The contents of a draft from which nodes were removed.
private struct RemainingContents: DraftContents {
  let contents: any DraftContents
  /// The indices of the remaining nodes in the complete draft.
  let indices: [Int]

  func content(at index: Int) throws -> ActivityContent { try contents.content(at: indices[index]) }
  func encoded(at index: Int) throws -> StoredContent { try contents.encoded(at: indices[index]) }
  func image(_ digest: String) throws -> [UInt8]? { try contents.image(digest) }
}
