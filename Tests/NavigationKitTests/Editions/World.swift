import LearningModel

/// What has been published so far, and where everything ever stood: worked out from the courses as their authors wrote
/// them. Only the slugs are read off the database, where a place gets its first or its next; what they must be like is
/// held here too.
///
/// A place is named by its course's key and its own.
struct World: CourseMap {
  struct Node: Hashable {
    var kind: ContentKind
    var title: String
    var words: String?
    var parent: String?
  }

  /// Where a place stood.
  struct Spot: Hashable {
    let parent: String?
    let slug: String
  }

  /// A path that led to a place.
  struct Link: Hashable {
    let path: PlacePath
    /// The places from the course down, as they were when it did.
    let chain: [String]
    /// In the how-manieth edition that was last so.
    var edition: Int
  }

  private(set) var living: [String: Node] = [:]
  private(set) var gone: [String: Node] = [:]
  private var order: [String?: [String]] = [:]
  private(set) var slugs: [String: String] = [:]
  /// Who left which spot, the last one last.
  private var left: [(spot: Spot, id: String)] = []
  /// In which edition each place was taken out last.
  private var removedIn: [String: Int] = [:]
  private(set) var links: [PlacePath: [Link]] = [:]
  private(set) var edition = 0

  static func id(_ course: String, _ key: String) -> String { "\(course):\(key)" }

  // MARK: - CourseMap

  func kind(of id: String) -> ContentKind? { living[id]?.kind }
  func parent(of id: String) -> String? { (living[id] ?? gone[id])?.parent }
  func children(of id: String?) -> [String] { order[id] ?? [] }

  /// Every place that is in a course, in reading order.
  var readingOrder: [String] { children(of: nil).flatMap(order(from:)) }

  /// A title; of what was taken out the last one.
  func title(of id: String) -> String { (living[id] ?? gone[id])?.title ?? "" }

  /// A path; of what was taken out that of its last spot.
  func path(of id: String?) -> PlacePath { PlacePath(slugs: chain(to: id).map { slugs[$0]! }) }

  func isInside(_ id: String?, _ other: String) -> Bool { chain(to: id).contains(other) }

  /// How many activities there are to do in a place.
  func activities(in id: String) -> [String] { order(from: id).filter { kind(of: $0) == .activity } }

  // MARK: - Publishing

  /// What an edition takes out, brings, and changes of a course; `nil` takes all of it out.
  struct Changes {
    var added: [String] = []
    var removed: [String] = []
    /// Who stands elsewhere now.
    var left: [(spot: Spot, id: String)] = []
    /// Whether anything at all is another.
    var isEmpty = true
  }

  /// Puts an edition of a course in the place of the last one.
  mutating func publish(_ pieces: [AuthoredCourse.Published], of course: String) -> Changes {
    let before = self
    let had = living.keys.filter { $0.hasPrefix(course + ":") }
    let has = Set(pieces.map { Self.id(course, $0.key) })
    var changes = Changes()
    for id in had { order[id] = nil }
    for id in had where !has.contains(id) {
      gone[id] = living.removeValue(forKey: id)
      changes.removed.append(id)
    }
    for piece in pieces {
      let id = Self.id(course, piece.key)
      let parent = piece.parent.map { Self.id(course, $0) }
      if before.living[id] == nil { changes.added.append(id) }
      gone[id] = nil
      living[id] = Node(kind: piece.kind, title: piece.title, words: piece.words, parent: parent)
      if parent != nil || order[nil]?.contains(id) != true { order[parent, default: []].append(id) }
    }
    order[nil]?.removeAll { living[$0] == nil }
    changes.isEmpty = living == before.living && order == before.order
    if !changes.isEmpty { edition += 1 }
    for id in changes.removed { removedIn[id] = edition }
    changes.left = had.filter { living[$0] == nil || living[$0]?.parent != before.living[$0]?.parent }
      .map { (Spot(parent: before.living[$0]?.parent, slug: before.slugs[$0]!), $0) }
    left += changes.left
    return changes
  }

  /// Takes in the slugs that the places have now, in reading order.
  mutating func note(_ slugs: [(id: String, slug: String)]) {
    for (id, slug) in slugs { self.slugs[id] = slug }
    for id in readingOrder {
      let path = path(of: id)
      let link = Link(path: path, chain: chain(to: id), edition: edition)
      links[path, default: []].removeAll { $0.chain == link.chain }
      links[path]?.append(link)
    }
  }

  // MARK: - Where paths lead

  /// Whether every node on the way of a link has been in the course ever since it led there: then it still leads there.
  func mustLead(_ link: Link) -> Bool {
    link.chain.allSatisfy { kind(of: $0) != nil && (removedIn[$0] ?? 0) <= link.edition }
  }

  /// Whether another node has ever stood in that spot.
  func hasBeenTaken(_ spot: Spot, by others: String) -> Bool {
    left.contains { $0.spot == spot && $0.id != others }
      || children(of: spot.parent).contains { $0 != others && slugs[$0] == spot.slug }
  }

  /// Where a path leads: to whoever is there; else to whoever in the courses left a spot on the way last; else to whoever
  /// was there last and is not in the course any more.
  func resolve(_ path: PlacePath) -> String? {
    for depth in 1...3 {
      if let found = resolve(path.slugs[...], below: nil, depth) { return found }
    }
    return nil
  }

  private func resolve(_ slugs: ArraySlice<String>, below parent: String?, _ depth: Int) -> String? {
    guard let slug = slugs.first else { return parent }
    let leavers = left.reversed().filter { $0.spot == Spot(parent: parent, slug: slug) }.map(\.id)
    let steps = [
      children(of: parent).filter { self.slugs[$0] == slug }, leavers.filter { living[$0] != nil },
      leavers.filter { living[$0] == nil },
    ]
    for id in steps.prefix(depth).joined() {
      if let found = resolve(slugs.dropFirst(), below: id, depth) { return found }
    }
    return nil
  }
}
