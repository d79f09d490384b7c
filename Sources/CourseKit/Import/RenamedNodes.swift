import CourseFormats
public import LearningModel
import LearningStore

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

  package init(kind: ContentKind, title: String, key: String, sourceKey: String) {
    self.kind = kind
    self.title = title
    self.key = key
    self.sourceKey = sourceKey
  }
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
  /// Returns the draft with stored keys in place of the keys in the source, also in its links.
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

/// Finds the activities of a draft that are the removed activities of the stored course under other keys.
struct RenamedNodes {
  /// An added node of a draft and the removed node that it continues.
  struct Pair {
    let index: Int
    let removed: ContentNode
  }

  /// The minimum number of words of an activity that is joined. Shorter texts are often the same by chance.
  static let minimumWords = 20
  /// The maximum number of removed activities that are compared.
  private static let maximumRemoved = 10_000

  private let draft: CourseDraft
  private let known: CourseComparison.StoredCourse
  private let store: LearningStore

  init(in draft: CourseDraft, of known: CourseComparison.StoredCourse, store: LearningStore) {
    self.draft = draft
    self.known = known
    self.store = store
  }

  /// Returns the activities with the same content, and the goals and lessons that contain only such activities.
  ///
  /// - Parameter check: Called for each compared activity. If it throws an error, the search ends with this error.
  func pairs(check: () throws -> Void) throws -> [Pair] {
    let removed = known.missingFromDraft.filter { $0.kind == .activity }
    let added = draft.nodes.indices.filter { draft.nodes[$0].kind == .activity && known.nodes[$0] == nil }
    guard !removed.isEmpty, !added.isEmpty, removed.count <= Self.maximumRemoved else { return [] }

    var removedByContent: [Int: [ContentNode]] = [:]
    for node in removed {
      try check()
      guard let content = try store.read({ try $0.content(of: node.id) }), let text = Self.identity(of: content) else {
        continue
      }
      removedByContent[text.hashValue, default: []].append(node)
    }
    var addedByContent: [Int: [Int]] = [:]
    for index in added where !removedByContent.isEmpty {
      try check()
      guard let text = Self.identity(of: try draft.contents.content(at: index)) else { continue }
      if removedByContent[text.hashValue] != nil { addedByContent[text.hashValue, default: []].append(index) }
    }

    var pairs: [Pair] = []
    for (hash, indices) in addedByContent {
      guard indices.count == 1, let nodes = removedByContent[hash], nodes.count == 1,
        try haveSameContent(indices[0], nodes[0])
      else { continue }
      pairs.append(Pair(index: indices[0], removed: nodes[0]))
    }
    pairs.sort { $0.index < $1.index }
    return try pairs + parents(of: pairs)
  }

  /// Returns the content as JSON without links and without the names of images, which change with the name of a page or
  /// of its folder. Returns `nil` for a text of less than ``minimumWords``.
  private static func identity(of content: ActivityContent) -> String? {
    guard WordCount.count(in: content.plainText) >= minimumWords else { return nil }
    let bare = content.mapLinks { .text($1.plainText) }.mapImages { image in
      guard case .image(_, let description, let stored) = image else { return image }
      return .image(source: "", alternative: description, stored: stored)
    }
    return try? StoredContent(bare).json
  }

  private func haveSameContent(_ index: Int, _ node: ContentNode) throws -> Bool {
    guard let stored = try store.read({ try $0.content(of: node.id) }) else { return false }
    return Self.identity(of: stored) == Self.identity(of: try draft.contents.content(at: index))
  }

  /// Returns the added goals and lessons that continue removed ones: all joined children of both belong together.
  private func parents(of pairs: [Pair]) throws -> [Pair] {
    let removed = Dictionary(known.missingFromDraft.map { ($0.id, $0) }) { first, _ in first }
    var found: [Pair] = []
    var level = pairs
    while !level.isEmpty {
      var removedByParent: [Int: Set<NodeID>] = [:]
      var addedByParent: [NodeID: Set<Int>] = [:]
      for pair in level {
        guard let index = draft.nodes[pair.index].parent, let id = pair.removed.parent else { continue }
        removedByParent[index, default: []].insert(id)
        addedByParent[id, default: []].insert(index)
      }
      level = removedByParent.sorted { $0.key < $1.key }.compactMap { index, ids in
        guard known.nodes[index] == nil, ids.count == 1, let node = ids.first.flatMap({ removed[$0] }),
          addedByParent[node.id]?.count == 1, node.kind == draft.nodes[index].kind, node.kind != .course
        else { return nil }
        return Pair(index: index, removed: node)
      }
      found += level
    }
    return found
  }
}
