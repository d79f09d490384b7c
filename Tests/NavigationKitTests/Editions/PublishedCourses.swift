import LearningModel

/// All published nodes and every position they ever had, derived from the courses as their authors wrote them. Only
/// slugs are read from the database, when a place gets a new one; ``EditionWalk`` checks them.
///
/// A place is identified by its course's key and its own key.
struct PublishedCourses: CourseMap {
  struct Node: Hashable {
    var kind: ContentKind
    var title: String
    var words: String?
    var parent: String?
  }

  /// A position that a place had.
  struct Position: Hashable {
    let parent: String?
    let slug: String
  }

  /// A path that led to a place.
  struct Link: Hashable {
    let path: PlacePath
    /// The place and its ancestors at that time, starting with the course.
    let chain: [String]
    /// The number of the latest edition in which the link was valid.
    var edition: Int
  }

  private(set) var living: [String: Node] = [:]
  private(set) var gone: [String: Node] = [:]
  private var order: [String?: [String]] = [:]
  private(set) var slugs: [String: String] = [:]
  /// The positions that places have left, the latest last.
  private var left: [(spot: Position, id: String)] = []
  /// The number of the edition in which each place was last removed.
  private var removedIn: [String: Int] = [:]
  private(set) var links: [PlacePath: [Link]] = [:]
  private(set) var edition = 0

  static func id(_ course: String, _ key: String) -> String { "\(course):\(key)" }

  // MARK: - CourseMap

  func kind(of id: String) -> ContentKind? { living[id]?.kind }
  func parent(of id: String) -> String? { (living[id] ?? gone[id])?.parent }
  func children(of id: String?) -> [String] { order[id] ?? [] }

  /// Every place in a course, in reading order.
  var readingOrder: [String] { children(of: nil).flatMap(order(from:)) }

  /// Returns the title of a place, or the last title of a removed place.
  func title(of id: String) -> String { (living[id] ?? gone[id])?.title ?? "" }

  /// Returns the path of a place, or the last path of a removed place.
  func path(of id: String?) -> PlacePath { PlacePath(slugs: chain(to: id).map { slugs[$0]! }) }

  func isInside(_ id: String?, _ other: String) -> Bool { chain(to: id).contains(other) }

  /// Returns the activities in a place.
  func activities(in id: String) -> [String] { order(from: id).filter { kind(of: $0) == .activity } }

  // MARK: - Publishing

  /// The changes that an edition makes to a course.
  struct Changes {
    var added: [String] = []
    var removed: [String] = []
    /// The positions that removed and moved places have left.
    var left: [(spot: Position, id: String)] = []
    /// False if the edition changes anything.
    var isEmpty = true
  }

  /// Publishes an edition of a course. An edition without nodes removes the course.
  mutating func publish(_ nodes: [AuthoredCourse.Published], of course: String) -> Changes {
    let before = self
    let had = living.keys.filter { $0.hasPrefix(course + ":") }
    let has = Set(nodes.map { Self.id(course, $0.key) })
    var changes = Changes()
    for id in had { order[id] = nil }
    for id in had where !has.contains(id) {
      gone[id] = living.removeValue(forKey: id)
      changes.removed.append(id)
    }
    for node in nodes {
      let id = Self.id(course, node.key)
      let parent = node.parent.map { Self.id(course, $0) }
      if before.living[id] == nil { changes.added.append(id) }
      gone[id] = nil
      living[id] = Node(kind: node.kind, title: node.title, words: node.words, parent: parent)
      if parent != nil || order[nil]?.contains(id) != true { order[parent, default: []].append(id) }
    }
    order[nil]?.removeAll { living[$0] == nil }
    changes.isEmpty = living == before.living && order == before.order
    if !changes.isEmpty { edition += 1 }
    for id in changes.removed { removedIn[id] = edition }
    changes.left = had.filter { living[$0] == nil || living[$0]?.parent != before.living[$0]?.parent }
      .map { (Position(parent: before.living[$0]?.parent, slug: before.slugs[$0]!), $0) }
    left += changes.left
    return changes
  }

  /// Updates the slugs of all places, in reading order, and records their links.
  mutating func note(_ slugs: [(id: String, slug: String)]) {
    for (id, slug) in slugs { self.slugs[id] = slug }
    for id in readingOrder {
      let path = path(of: id)
      let link = Link(path: path, chain: chain(to: id), edition: edition)
      links[path, default: []].removeAll { $0.chain == link.chain }
      links[path]?.append(link)
    }
  }

  // MARK: - Resolving paths

  /// Returns whether a link must still lead to its place: all places in its chain have been in the course without
  /// interruption.
  func mustLead(_ link: Link) -> Bool {
    link.chain.allSatisfy { kind(of: $0) != nil && (removedIn[$0] ?? 0) <= link.edition }
  }

  /// Returns whether a place other than `others` has or ever had this position.
  func hasBeenTaken(_ spot: Position, by others: String) -> Bool {
    left.contains { $0.spot == spot && $0.id != others }
      || children(of: spot.parent).contains { $0 != others && slugs[$0] == spot.slug }
  }

  /// Returns the place that a path leads to. An existing place at a position precedes the existing place that left it
  /// last, which precedes the removed place that left it last.
  func resolve(_ path: PlacePath) -> String? {
    for depth in 1...3 {
      if let match = resolve(path.slugs[...], below: nil, depth) { return match }
    }
    return nil
  }

  private func resolve(_ slugs: ArraySlice<String>, below parent: String?, _ depth: Int) -> String? {
    guard let slug = slugs.first else { return parent }
    let leavers = left.reversed().filter { $0.spot == Position(parent: parent, slug: slug) }.map(\.id)
    let steps = [
      children(of: parent).filter { self.slugs[$0] == slug }, leavers.filter { living[$0] != nil },
      leavers.filter { living[$0] == nil },
    ]
    for id in steps.prefix(depth).joined() {
      if let match = resolve(slugs.dropFirst(), below: id, depth) { return match }
    }
    return nil
  }
}
