/// Assigns keys to the flashcards or questions of an activity, so that a card keeps its key, and with it the learner's
/// memory, when its text is edited.
package enum CardKeys {
  /// A flashcard or question that an earlier revision of the activity contained.
  package struct Known: Hashable, Sendable {
    package let key: String
    /// The position in the last revision, or `nil` if that revision did not contain it.
    package let item: Int?
    package let front: String
    package let back: String

    package init(key: String, item: Int?, front: String, back: String) {
      self.key = key
      self.item = item
      self.front = front
      self.back = back
    }
  }

  /// Returns the keys of the items, in their order.
  ///
  /// An item has the author's key. Without one, it is recognised by its question and answer, then by its question, then
  /// by its answer, and finally by its position if the number of items is unchanged. An item that is not recognised
  /// gets the digest of its question as its key.
  ///
  /// - Parameters:
  ///   - items: The flashcards or questions of the new revision.
  ///   - known: Those of all earlier revisions, in any order.
  package static func keys(of items: [CardOutline], knowing known: [Known]) -> [String] {
    var keys: [String?] = items.map(\.authorKey)
    // The same author's key on two cards identifies only the first of them.
    var used: Set<String> = []
    for (index, key) in keys.enumerated() {
      guard let key else { continue }
      if !used.insert(key).inserted { keys[index] = nil }
    }
    // Items of the last revision take precedence over those that were removed before.
    let candidates = known.filter { !used.contains($0.key) }.sorted {
      ($0.item ?? .max, $0.key) < ($1.item ?? .max, $1.key)
    }

    func match(by criterion: (CardOutline, Known) -> String?, of property: (Known) -> String?) {
      var byProperty: [String: [Known]] = [:]
      for candidate in candidates where !used.contains(candidate.key) {
        if let value = property(candidate) { byProperty[value, default: []].append(candidate) }
      }
      for value in byProperty.keys { byProperty[value]?.reverse() }
      for (index, item) in items.enumerated() where keys[index] == nil {
        guard let probe = criterion(item, Known(key: "", item: index, front: item.front, back: item.back)),
          let match = byProperty[probe]?.popLast()
        else { continue }
        keys[index] = match.key
        used.insert(match.key)
      }
    }
    match(by: { item, _ in item.front + item.back }, of: { $0.front + $0.back })
    match(by: { item, _ in item.front }, of: \.front)
    let empty = CardDigest.digest("")
    match(by: { item, _ in item.back == empty ? nil : item.back }, of: \.back)
    if candidates.count(where: { $0.item != nil }) + items.count(where: { $0.authorKey != nil }) == items.count {
      match(by: { _, probe in probe.item.map(String.init) }, of: { $0.item.map(String.init) })
    }

    let taken = Set(known.map(\.key))
    return items.indices.map { index in
      if let key = keys[index] { return key }
      var key = items[index].front
      var number = 2
      while used.contains(key) || taken.contains(key) {
        key = "\(items[index].front)-\(number)"
        number += 1
      }
      used.insert(key)
      return key
    }
  }

  /// Returns what the cards of a note have in common: the key of their flashcard or question. An Anki package has a flashcard for
  /// each card of a note, whose key is the note's identity, `/`, and the number of the card.
  package static func note(of base: String, isFromAnki: Bool) -> String {
    guard isFromAnki, let slash = base.lastIndex(of: "/"), (1...2).contains(base[slash...].count - 1),
      base[slash...].dropFirst().allSatisfy({ $0.isASCII && $0.isNumber })
    else { return base }
    return String(base[..<slash])
  }
}
