import CourseFormats
public import LearningModel
import LearningStore

/// The reason for which an import recognises a place under another key. The first reason that applies is used.
public enum JoinEvidence: String, Hashable, Codable, Sendable {
  /// The source declares the former address of the page.
  case declared
  /// The path is the same, regardless of case, extensions and the folder with all pages.
  case path
  /// The name of the file is the same, regardless of its number.
  case name
  /// The title is the same, and so is the parent.
  case title
  /// The texts are alike.
  case text
  /// Most places below are the same.
  case contents
}

/// A place that an import found under another key, because its page was renamed or moved. The place keeps its history.
public struct JoinedPlace: Hashable, Codable, Sendable {
  /// The kind of the place.
  public let kind: ContentKind
  /// The title in the source.
  public let title: String
  /// The key of the place.
  public let key: String
  /// The key under which the source contains the place now.
  public let sourceKey: String
  /// The reason for which the place was recognised.
  public let evidence: JoinEvidence
}

/// A place that an import removes although a learner has records there.
public struct RemovedPlace: Hashable, Codable, Sendable {
  /// The kind of the place.
  public let kind: ContentKind
  /// The title of the place.
  public let title: String
  /// The path before the import, which still leads to the removed place.
  public let path: PlacePath
  /// The key of the place.
  public let key: String
  /// The kinds of records, in a fixed order.
  public let records: [PlaceRecord]
}

/// The keys that a source uses now for nodes that are stored under other keys.
struct SourceKeys {
  /// The stored nodes by the keys in the source.
  private(set) var nodes: [String: NodeID] = [:]
  /// The stored keys by the keys in the source, of the nodes in the draft.
  private(set) var translations: [String: String] = [:]

  /// Reads the keys that earlier imports of a course have recorded.
  ///
  /// A recorded key is used only if the draft contains it and does not contain the key of the stored node. If the draft
  /// contains both, they belong to different pages again, and the recorded key is forgotten.
  init(of draft: CourseDraft, in snapshot: StoreSnapshot) throws {
    guard let course = try snapshot.course(withKey: draft.nodes[0].key) else { return }
    let recorded = try snapshot.sourceKeys(of: course.id)
    guard !recorded.isEmpty else { return }
    let keys = Set(draft.nodes.map(\.key))
    for (sourceKey, node) in recorded {
      guard keys.contains(sourceKey) else {
        nodes[sourceKey] = node.id
        continue
      }
      guard !keys.contains(node.key) else { continue }
      nodes[sourceKey] = node.id
      translations[sourceKey] = node.key
    }
  }

  /// Records that a key in the source leads to a stored node. Another recorded key of the node is forgotten.
  mutating func record(_ sourceKey: String, for node: ContentNode) {
    for (other, id) in nodes where id == node.id { nodes[other] = nil }
    nodes[sourceKey] = node.id
    translations[sourceKey] = node.key
  }
}

extension CourseDraft {
  /// Returns the draft with stored keys in place of the keys in the source, also in its links and its progress.
  ///
  /// - Parameter translations: The stored keys by the keys in the source.
  func translated(_ translations: [String: String]) -> CourseDraft {
    guard !translations.isEmpty else { return self }
    var draft = self
    let keys = Set(nodes.map(\.key)).subtracting(translations.keys)
    draft.contents = TranslatedContents(contents: contents, translations: translations, keys: keys)
    for index in draft.nodes.indices {
      if let key = translations[draft.nodes[index].key] { draft.nodes[index].key = key }
    }
    for index in draft.progress.cards.indices where draft.progress.cards[index].course == nil {
      if let key = translations[draft.progress.cards[index].activity] { draft.progress.cards[index].activity = key }
    }
    draft.progress.passedExercises = draft.progress.passedExercises.map { translations[$0] ?? $0 }
    return draft
  }
}

/// The contents of a draft with stored keys in their links.
private struct TranslatedContents: DraftContents {
  let contents: any DraftContents
  let translations: [String: String]
  /// The keys of the draft that are not translated.
  let keys: Set<String>

  func content(at index: Int) throws -> ActivityContent {
    let content = try contents.content(at: index)
    guard content.hasLinks else { return content }
    return content.mapLinks { .link(destination: translated($0), text: $1) }
  }

  func image(_ digest: String) throws -> [UInt8]? { try contents.image(digest) }

  private func translated(_ destination: String) -> String {
    guard !CourseLink.leadsToOtherCourse(destination) else { return destination }
    for link in CourseLink.interpretations(of: destination) {
      if let key = translations[link.key] { return CourseLink(key: key, anchor: link.anchor).destination }
      if keys.contains(link.key) { return destination }
    }
    return destination
  }
}

/// Finds the places of a draft that are removed places of the stored course under other keys.
///
/// Each removed place is joined to at most one place. Evidence that several places share joins none of them, and texts
/// that are long enough must not contradict it. The result depends only on the two editions, so that it is the same in
/// every database.
struct RenamedNodes {
  /// An added node of a draft and the removed node that it continues.
  struct Pair {
    let index: Int
    let removed: ContentNode
    let evidence: JoinEvidence
  }

  /// The minimum share of equal text if the text is the only evidence.
  static let minimumShare = 0.4
  /// The minimum share of equal text of two places with the same title or name.
  static let minimumNamesakeShare = 0.15
  /// The minimum difference between the score of a place and that of any other place with a similar text.
  private static let margin = 0.1
  /// The maximum number of shingles that are compared. If the texts have more, a sample is compared.
  private static let maximumShingles = 2_000_000

  private let draft: CourseDraft
  private let known: CourseComparison.StoredCourse
  private let store: LearningStore
  /// The stored node of each node of the draft. `nil` if the node is new and not joined yet.
  private var nodes: [NodeID?]
  /// The removed nodes that are not joined yet.
  private var removed: [NodeID: ContentNode]
  private var removedTypes: [NodeID: ActivityType] = [:]
  private var pairs: [Int: Pair] = [:]
  /// The number of times that a shingle of an added text was found in a removed text.
  private(set) var comparisons = 0

  init(in draft: CourseDraft, of known: CourseComparison.StoredCourse, store: LearningStore) {
    self.draft = draft
    self.known = known
    self.store = store
    nodes = known.nodes.map { $0?.id }
    removed = Dictionary(uniqueKeysWithValues: known.missingFromDraft.map { ($0.id, $0) })
  }

  /// Returns the joined nodes in reading order.
  ///
  /// - Parameter check: Called for each compared activity. If it throws an error, the search ends with this error.
  mutating func find(check: () throws -> Void) throws -> [Pair] {
    guard !removed.isEmpty, nodes.contains(nil) else { return [] }
    let (old, new, interval) = try texts(check: check)
    let sections = TextShares(old, new, interval: interval)
    let pages = TextShares(
      Self.joined(old.sorted { position($0.key) < position($1.key) }) { removed[$0]?.parent },
      Self.joined(new.sorted { $0.key < $1.key }) { draft.nodes[$0].parent }, interval: interval)
    comparisons = sections.comparisons + pages.comparisons

    joinDeclared(pages)
    for (kind, shares) in [(ContentKind.lesson, pages), (.activity, sections), (.goal, pages)] {
      join(kind, by: .path, shares) { _, key, _ in PageAddress(key: key)?.path }
      let kept = Set(
        draft.nodes.indices.filter { nodes[$0] != nil }.map { PageAddress(key: draft.nodes[$0].key)?.name })
      join(kind, by: .name, shares) { _, key, _ in PageAddress(key: key)?.name.flatMap { kept.contains($0) ? nil : $0 }
      }
    }
    var count: Int
    repeat {
      count = pairs.count
      joinParents(pages)
      for (kind, shares) in [(ContentKind.goal, pages), (.lesson, pages), (.activity, sections)] {
        if kind == .activity {
          join(kind, by: .path, shares) { parent, key, _ in Section(parent, Self.anchor(of: key)) }
        }
        join(kind, by: .title, shares) { parent, _, title in Section(parent, Self.title(title)[...]) }
        joinTexts(kind, shares)
      }
    } while pairs.count > count
    return pairs.values.sorted { $0.index < $1.index }
  }

  private func position(_ id: NodeID) -> Int { removed[id]?.position ?? 0 }

  // MARK: - Texts

  /// Returns the shingles of all removed and added activities, without those that stored activities of the draft contain
  /// too, which are no evidence for a renaming.
  private mutating func texts(
    check: () throws -> Void
  ) throws -> (removed: [NodeID: Shingles], added: [Int: Shingles], interval: UInt64) {
    var (old, new): ([NodeID: Shingles], [Int: Shingles]) = ([:], [:])
    var (interval, count) = (UInt64(1), 0)
    func shingles(of content: ActivityContent) -> Shingles {
      var shingles = Shingles(content.plainText)
      shingles.sample(interval)
      count += shingles.hashes.count
      return shingles
    }
    func limit() {
      while count > Self.maximumShingles {
        interval *= 2
        for id in old.keys { old[id]!.sample(interval) }
        for index in new.keys { new[index]!.sample(interval) }
        count = [old.values.map(\.hashes.count), new.values.map(\.hashes.count)].joined().reduce(0, +)
      }
    }
    for node in removed.values where node.kind == .activity {
      try check()
      guard let content = try store.read({ try $0.content(of: node.id) }) else { continue }
      removedTypes[node.id] = content.type
      old[node.id] = shingles(of: content)
      limit()
    }
    let activities = draft.nodes.indices.filter { draft.nodes[$0].kind == .activity }
    for index in activities where nodes[index] == nil {
      try check()
      new[index] = shingles(of: try draft.contents.content(at: index))
      limit()
    }
    let compared = old.values.reduce(into: Set<UInt64>()) { $0.formUnion($1.hashes) }
    var (common, moved): (Set<UInt64>, Set<UInt64>) = ([], [])
    for index in activities where !compared.isEmpty {
      guard let id = nodes[index] else { continue }
      try check()
      let found = Shingles(try draft.contents.content(at: index).plainText).hashes.intersection(compared)
      guard !found.isEmpty else { continue }
      common.formUnion(found)
      let former = try store.read { try $0.content(of: id) }?.plainText ?? ""
      moved.formUnion(found.subtracting(Shingles(former).hashes))
    }
    for id in old.keys { old[id]!.remove(common, moved: moved) }
    for index in new.keys { new[index]!.remove(common) }
    return (old, new, interval)
  }

  /// Returns the texts of pages, made from the texts of their sections.
  private static func joined<ID, Page: Hashable>(
    _ sections: [(key: ID, value: Shingles)], page: (ID) -> Page?
  ) -> [Page: Shingles] {
    sections.reduce(into: [:]) { pages, section in
      if let page = page(section.key) { pages[page, default: Shingles()].append(section.value) }
    }
  }

  // MARK: - Evidence

  /// A property of a node among the children of its stored parent.
  private struct Section: Hashable {
    let parent: NodeID
    let name: Substring

    init?(_ parent: NodeID?, _ name: Substring?) {
      guard let parent, let name else { return nil }
      (self.parent, self.name) = (parent, name)
    }
  }

  /// Joins two nodes unless their texts contradict the evidence: they have little text in common, or one of them has
  /// much more in common with another node.
  private mutating func join(_ index: Int, to id: NodeID, by evidence: JoinEvidence, _ shares: TextShares) {
    let added = draft.nodes[index]
    guard nodes[index] == nil, let node = removed[id], node.kind == added.kind,
      node.kind != .activity || removedTypes[id] == added.type
    else { return }
    // The sections of a page are joined by the evidence for the page.
    let page = node.kind == .activity ? added.parent.flatMap { pairs[$0] } : nil
    let isElsewhere = evidence == .name && PageAddress(key: node.key)?.folder != PageAddress(key: added.key)?.folder
    switch (evidence, shares.share(index, id)) {
    case (.declared, _), (.contents, _): break
    case (.path, _) where page == nil: break
    case (_, nil): guard !isElsewhere || Self.title(node.title) == Self.title(added.title) else { return }
    case (_, let share?):
      let isChecked = page == nil && (evidence == .title || isElsewhere)
      guard share >= (isChecked ? Self.minimumNamesakeShare : 0), shares.best(index, id) <= share + 3 * Self.margin
      else { return }
    }
    nodes[index] = id
    removed[id] = nil
    pairs[index] = Pair(index: index, removed: node, evidence: evidence == .text ? .text : page?.evidence ?? evidence)
  }

  /// Joins the nodes of a kind that are the only ones on both sides with a property.
  ///
  /// - Parameter property: Returns the property of a node with a stored parent, a key and a title, or `nil` if the node
  ///   is not joined by it.
  private mutating func join<Property: Hashable>(
    _ kind: ContentKind, by evidence: JoinEvidence, _ shares: TextShares,
    _ property: (_ parent: NodeID?, _ key: String, _ title: String) -> Property?
  ) {
    var added: [Property: [Int]] = [:]
    for (index, node) in draft.nodes.enumerated() where node.kind == kind && nodes[index] == nil {
      guard let property = property(node.parent.flatMap { nodes[$0] }, node.key, node.title) else { continue }
      added[property, default: []].append(index)
    }
    var stored: [Property: [NodeID]] = [:]
    for node in removed.values where node.kind == kind {
      if let property = property(node.parent, node.key, node.title) { stored[property, default: []].append(node.id) }
    }
    for (property, ids) in stored where ids.count == 1 {
      guard let indices = added[property], indices.count == 1 else { continue }
      join(indices[0], to: ids[0], by: evidence, shares)
    }
  }

  /// Joins the pages whose former addresses the source declares. If a page declares several, the most similar one is
  /// joined.
  private mutating func joinDeclared(_ shares: TextShares) {
    guard !draft.formerAddresses.isEmpty else { return }
    let lessons = draft.nodes.indices.filter { draft.nodes[$0].kind == .lesson }
    let current = PageIndex(lessons.map { (draft.nodes[$0].key, $0) })
    // A folder has no page that another one could declare.
    let former = PageIndex(
      removed.values.filter { $0.kind == .lesson && !$0.key.hasSuffix("/") }.map { ($0.key, $0.id) }
        + lessons.compactMap { index in nodes[index].map { (draft.nodes[index].key, $0) } })
    let next = Dictionary(draft.formerAddresses.map { (PageAddress($0.former)?.path, $0.current) }) { first, _ in first
    }
    let paths = Set(removed.values.filter { $0.kind == .lesson }.map { PageAddress(key: $0.key)?.path })
    var found: [(index: Int, node: ContentNode, share: Double, prefix: Int)] = []
    for address in draft.formerAddresses {
      guard let node = former[address.former].flatMap({ removed[$0] }) else { continue }
      var target = address.current
      // An address may lead to another former address.
      for _ in 0..<8 where current[target] == nil { target = next[PageAddress(target)?.path] ?? target }
      // A page that keeps its path also declares the addresses of pages that were merged into it.
      guard let index = current[target], !paths.contains(PageAddress(key: draft.nodes[index].key)?.path) else {
        continue
      }
      found.append(
        (
          index, node, shares.share(index, node.id) ?? 0,
          zip(draft.nodes[index].key, node.key).prefix { $0 == $1 }.count
        ))
    }
    found.sort { ($1.share, $1.prefix, $0.index, $0.node.key) < ($0.share, $0.prefix, $1.index, $1.node.key) }
    for candidate in found { join(candidate.index, to: candidate.node.id, by: .declared, shares) }
  }

  /// Joins goals and lessons that have most of the same places below them, the innermost first.
  private mutating func joinParents(_ pages: TextShares) {
    var formerParents: [Int: [NodeID: Int]] = [:]
    var survivors: [NodeID: Int] = [:]
    func count(_ index: Int) {
      guard let parent = draft.nodes[index].parent,
        let former = pairs[index]?.removed.parent ?? known.nodes[index]?.parent
      else { return }
      formerParents[parent, default: [:]][former, default: 0] += 1
      survivors[former, default: 0] += 1
    }
    for index in draft.nodes.indices where nodes[index] != nil { count(index) }
    for index in draft.nodes.indices.reversed() where nodes[index] == nil {
      let former = formerParents[index] ?? [:]
      let all = former.values.reduce(0, +)
      guard let (id, number) = former.first(where: { $1 * 2 > all && $1 * 2 > survivors[$0]! }), number > 0 else {
        continue
      }
      join(index, to: id, by: .contents, pages)
      if nodes[index] != nil { count(index) }
    }
  }

  /// Joins nodes by their texts. A node is not joined if another one is nearly as similar.
  private mutating func joinTexts(_ kind: ContentKind, _ shares: TextShares) {
    var candidates: [(index: Int, id: NodeID, score: Double)] = []
    var scores: (added: [Int: [Double]], removed: [NodeID: [Double]]) = ([:], [:])
    for (index, list) in shares.shares where nodes[index] == nil && draft.nodes[index].kind == kind {
      for (id, share) in list {
        guard let node = removed[id] else { continue }
        let isNamesake = isNamesake(node, index)
        guard share >= (isNamesake ? Self.minimumNamesakeShare : Self.minimumShare) else { continue }
        let score = share + (isNamesake ? 2 * Self.margin : 0)
        candidates.append((index, id, score))
        scores.added[index, default: []].append(score)
        scores.removed[id, default: []].append(score)
      }
    }
    for (index, id, score) in candidates {
      func isBest(_ scores: [Double]) -> Bool { scores.count { $0 > score - Self.margin } == 1 }
      if isBest(scores.added[index]!), isBest(scores.removed[id]!) { join(index, to: id, by: .text, shares) }
    }
  }

  private func isNamesake(_ node: ContentNode, _ index: Int) -> Bool {
    let name = PageAddress(key: node.key)?.name
    return Self.title(node.title) == Self.title(draft.nodes[index].title)
      || name != nil && name == PageAddress(key: draft.nodes[index].key)?.name
  }

  /// Returns the anchor of a section in its page, or `nil` if the key is not that of a section.
  private static func anchor(of key: String) -> Substring? {
    key.lastIndex(of: "#").map { key[key.index(after: $0)...] }
  }

  private static func title(_ title: String) -> String { Slug.make(from: title, fallback: title) }
}
