import Foundation
import LearningModel

extension StoreSnapshot {
  /// The nodes that several words name by the way to them, the best first: each word begins a word of the node's title,
  /// or of one above it, and at least one is the node's own. A number at the end is a place among siblings: `neg op 2` is
  /// the second in Negotiating, Opening offers.
  ///
  /// Nodes of which more words are their own come first, then the higher ones. Nothing is found for a single word or for
  /// what is in quotation marks.
  func hits(onTheWayOf query: SearchQuery, scope: SearchScope, limit: Int) throws -> [NodeID] {
    let words = query.words
    guard !query.isQuoted, (2...8).contains(words.count) else { return [] }
    var found = try nodes(named: words, scope: scope, limit: limit)
    if let number = words.last.flatMap({ Int($0) }), number > 0, found.count < limit {
      // The parents are of any kind.
      let above = try nodes(named: words.dropLast(), scope: SearchScope(course: scope.course), limit: 10)
      found += try above.compactMap { try first(Self.numberedText, $0, number - 1) { $0[0] as NodeID } }
        .filter { child in try scope.kind.map { try node(child)?.kind == $0 } ?? true }
    }
    if let preferred = scope.preferred {
      let here = try Set(found.filter { try self.node($0)?.course == preferred })
      found = found.filter(here.contains) + found.filter { !here.contains($0) }
    }
    return Array(found.prefix(limit))
  }

  private static let numberedText = StatementText(
    "SELECT id FROM contentNode WHERE parent = ? AND living = 1 ORDER BY position LIMIT 1 OFFSET ?")

  private func nodes(named words: some Collection<String>, scope: SearchScope, limit: Int) throws -> [NodeID] {
    let words = Array(words)
    var titles = TitlesAbove(snapshot: self)
    var found: [(node: NodeID, own: Int, depth: Int)] = []
    var seen: Set<NodeID> = []
    for word in words.reversed() where found.count < limit {
      try interruption?.check()
      let beginning = try Vocabulary(snapshot: self).expression(ofBeginning: word, in: "title")
      guard let beginning else { continue }
      let candidates = try all(Self.namedText, scope.expression + beginning, Self.candidates) { $0[0] as NodeID }
      for node in candidates where seen.insert(node).inserted {
        guard let way = try titles.way(to: node), words.allSatisfy({ word in way.contains { $0.begins(word) } }) else {
          continue
        }
        found.append((node, words.count { way[0].begins($0) }, way.count))
      }
    }
    return found.sorted { ($1.own, $0.depth, $0.node.rawValue) < ($0.own, $1.depth, $1.node.rawValue) }
      .prefix(limit).map(\.node)
  }

  private static let namedText = StatementText("SELECT rowid FROM nodeSearch WHERE nodeSearch MATCH ? LIMIT ?")
}

/// The words of a title.
private struct TitleWords {
  private let title: String
  private let words: [Substring.UTF8View]

  init(_ title: String) {
    guard title.utf8.allSatisfy({ $0 < 0x80 }) else {
      let folded = title.foldedForSearch
      self.title = folded
      words = folded.split { !($0.isLetter || $0.isNumber) }.map(\.utf8)
      return
    }
    // Most titles are so, and to ask for what kind of letter each is takes longer than all the rest.
    let folded = title.lowercased()
    self.title = folded
    words = folded.utf8.split { !Self.isLetterOrDigit($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }

  /// Whether one of them begins so. In a script without blanks one may begin anywhere.
  func begins(_ word: String) -> Bool {
    words.contains { $0.starts(with: word.utf8) } || LetterPairs.areNeeded(for: word) && title.contains(word)
  }
}

/// The titles above nodes; many stand under the same ones.
private struct TitlesAbove {
  private let snapshot: StoreSnapshot
  private var known: [NodeID: (words: TitleWords, parent: NodeID?)] = [:]

  init(snapshot: StoreSnapshot) { self.snapshot = snapshot }

  /// The words of a node's title, and of all above it, upwards; `nil` where it does not live.
  mutating func way(to node: NodeID) throws -> [TitleWords]? {
    var way: [TitleWords] = []
    var next: NodeID? = node
    while let id = next {
      let step: (words: TitleWords, parent: NodeID?)
      if let known = known[id] {
        step = known
      } else {
        guard
          let found = try snapshot.first(
            Self.titleText, id, as: { (words: TitleWords($0[0]), parent: $0[1] as NodeID?) })
        else { return nil }
        step = found
        if id != node { known[id] = found }
      }
      way.append(step.words)
      next = step.parent
    }
    return way
  }

  private static let titleText = StatementText("SELECT title, parent FROM contentNode WHERE id = ? AND living = 1")
}
