import LearningModel
import LearningStore

/// What the database has of a course, and what a draft would make of it: the plan for the store and the difference for
/// people, by keys.
struct CourseComparison {
  /// What the database has.
  struct Known {
    /// The course; `nil` where the database has never had it.
    var course: Course?
    /// What it has, or has had, of each node of the draft, by the index there; `nil` for new ones.
    var nodes: [KnownNode?] = []
    /// The living nodes that the draft does not have.
    var others: [ContentNode] = []
    /// How many nodes the course has now.
    var livingCount = 0
    /// The slugs under each parent by which living nodes can still be found that were moved away.
    var formerSlugs: [NodeID: [String: NodeID]] = [:]
    /// The slugs of the other living courses, and the first position behind them.
    var courseSlugs: Set<String> = []
    var nextPosition = 0
  }

  /// What happens to a node, in one byte: a course has many.
  struct Happening: OptionSet {
    let rawValue: UInt8

    static let added = Happening(rawValue: 1)
    static let moved = Happening(rawValue: 2)
    static let renamed = Happening(rawValue: 4)
    static let changed = Happening(rawValue: 8)

    /// Each with its word, in the order in which they are told.
    static let all: [(Happening, NodeChange.Change)] = [
      (.added, .added), (.moved, .moved), (.renamed, .renamed), (.changed, .changed),
    ]
  }

  /// What the store writes. Changes of contents are not in it until ``noteOtherContent(at:)`` is told of them.
  private(set) var plan: CoursePlan
  /// What happens to each node of the plan.
  private(set) var happenings: [Happening]
  /// The nodes that go, deepest and last first.
  let removed: [ContentNode]
  /// How many nodes the course has now.
  let livingCount: Int

  init(of draft: CourseDraft, with known: Known) {
    livingCount = known.livingCount
    removed = known.others.sorted { $0.id > $1.id }

    let placing = Placing(draft: draft, known: known)
    var nodes: [PlannedNode] = []
    nodes.reserveCapacity(draft.nodes.count)
    var happenings: [Happening] = []
    happenings.reserveCapacity(draft.nodes.count)
    for (index, draftNode) in draft.nodes.enumerated() {
      let before = known.nodes[index]
      let slug = placing.slug(of: index)
      let position = placing.position(of: index)
      var changes: PlannedNode.Changes = []
      var happens: Happening = []
      if let before {
        let parent = placing.knownParent(of: index)
        if before.isRenamed || before.saysOther { changes.insert(.description) }
        if draftNode.kind == .activity, before.kind != .activity { changes.insert(.content) }
        if before.isRemoved {
          changes.insert([.placement, .returning])
          happens.insert(.added)
        } else {
          if before.parent != parent || placing.isMoved(index) { happens.insert(.moved) }
          if before.isRenamed { happens.insert(.renamed) }
          if before.kind != draftNode.kind || before.saysOther { happens.insert(.changed) }
          let stays =
            before.parent == parent && before.kind == draftNode.kind && before.position == position
            && before.slug == slug
          if !stays || placing.hasNewParent(index) { changes.insert(.placement) }
        }
      } else {
        happens.insert(.added)
      }
      nodes.append(
        PlannedNode(
          id: before?.id, parent: draftNode.parent, key: draftNode.key, kind: draftNode.kind, position: position,
          slug: slug, title: draftNode.title, summary: draftNode.summary, minutes: draftNode.minutes, changes: changes))
      happenings.append(happens)
    }
    self.happenings = happenings
    plan = CoursePlan(
      key: draft.nodes[0].key, base: known.course?.revision, format: draft.format, sourceName: draft.sourceName,
      sourceDigest: draft.sourceDigest, language: draft.language, nodes: nodes, removed: removed.map(\.id),
      counts: DifferenceCounts())
  }

  /// Whether the content of the node at that index must be staged whatever it is: the database has none of it now.
  func needsContent(at index: Int) -> Bool {
    let node = plan.nodes[index]
    return node.kind == .activity && (node.id == nil || node.changes.contains(.content))
  }

  /// Takes note that the activity at that index has another content than before.
  mutating func noteOtherContent(at index: Int) {
    plan.nodes[index].changes.insert(.content)
    if !happenings[index].contains(.added) { happenings[index].insert(.changed) }
  }

  /// Counts what happens; to be called when all contents are compared.
  mutating func finish() -> CourseDifference {
    var counts = DifferenceCounts(removed: removed.count)
    var changes: [NodeChange] = []
    changes.reserveCapacity(happenings.count { !$0.isEmpty } + removed.count)
    for (node, happens) in zip(plan.nodes, happenings) {
      if happens.isEmpty { counts.unchanged += 1 }
      for (happening, change) in Happening.all where happens.contains(happening) {
        changes.append(NodeChange(change: change, kind: node.kind, key: node.key, title: node.title))
      }
      if happens.contains(.added) { counts.added += 1 }
      if happens.contains(.moved) { counts.moved += 1 }
      if happens.contains(.renamed) { counts.renamed += 1 }
      if happens.contains(.changed) { counts.changed += 1 }
    }
    changes += removed.reversed().map {
      NodeChange(change: .removed, kind: $0.kind, key: $0.key, title: $0.title)
    }
    plan.counts = counts
    return CourseDifference(counts: counts, changes: changes)
  }
}

/// What the database has of one node of a draft: as little as a comparison needs, since a course has many.
struct KnownNode {
  let id: NodeID
  let parent: NodeID?
  let kind: ContentKind
  let position: Int
  let slug: String
  let isRemoved: Bool
  /// Whether its title is another one.
  let isRenamed: Bool
  /// Whether its summary or its estimate is another one.
  let saysOther: Bool

  /// - Parameter authorTitle: What its author called it, where a person gave it another name.
  init(_ node: ContentNode, authorTitle: String?, comparedWith draft: DraftNode) {
    id = node.id
    parent = node.parent
    kind = node.kind
    position = node.position
    slug = node.slug
    isRemoved = node.isRemoved
    isRenamed = (authorTitle ?? node.title) != draft.title
    saysOther = (node.summary, node.minutes) != (draft.summary, draft.minutes)
  }
}

extension CourseComparison.Known {
  /// Looks up what a database has of a draft. Each row is let go as soon as it is compared.
  init(of draft: CourseDraft, in snapshot: StoreSnapshot) throws {
    course = try snapshot.course(withKey: draft.nodes[0].key)
    let others = try snapshot.children(of: .root).filter { $0.id != course?.id }
    courseSlugs = Set(others.map(\.slug))
    nextPosition = (others.map(\.position).max() ?? -1) + 1
    nodes = Array(repeating: nil, count: draft.nodes.count)
    guard let course = course?.id else { return }

    formerSlugs = try snapshot.formerSlugs(in: course)
    var indices = [String: Int32](minimumCapacity: draft.nodes.count)
    for (index, node) in draft.nodes.enumerated() { indices[node.key] = Int32(index) }
    let authorTitles = try snapshot.authorTitles(in: course)
    try snapshot.forEachNode(of: course) { node in
      if !node.isRemoved { livingCount += 1 }
      if let index = indices[node.key].map(Int.init) {
        nodes[index] = KnownNode(node, authorTitle: authorTitles[node.id], comparedWith: draft.nodes[index])
      } else if !node.isRemoved {
        self.others.append(node)
      }
    }
  }
}

/// Where each node of a draft will stand: its position and slug among its siblings, and whether it was moved there.
struct Placing {
  private let draft: CourseDraft
  private let known: CourseComparison.Known
  private var positions: [Int]
  private var slugs: [String]
  private var moved: Set<Int> = []

  init(draft: CourseDraft, known: CourseComparison.Known) {
    self.draft = draft
    self.known = known
    positions = Array(repeating: 0, count: draft.nodes.count)
    slugs = Array(repeating: "", count: draft.nodes.count)

    var children: [[Int]] = Array(repeating: [], count: draft.nodes.count)
    for (index, node) in draft.nodes.enumerated() {
      guard let parent = node.parent else { continue }
      positions[index] = children[parent].count
      children[parent].append(index)
    }
    placeCourse()
    // The slugs that nodes leave behind must keep leading to them.
    let leaving = slugsLeftBehind()
    for (parent, children) in children.enumerated() where !children.isEmpty {
      placeChildren(children, of: parent, leaving: leaving)
    }
  }

  /// The place among its siblings.
  func position(of index: Int) -> Int { positions[index] }

  /// The part of the path.
  func slug(of index: Int) -> String { slugs[index] }

  /// Whether it stood among the same siblings before, and they have changed their order around it.
  func isMoved(_ index: Int) -> Bool { moved.contains(index) }

  /// The node that will be above it; `nil` where that one is new, and for the course.
  func knownParent(of index: Int) -> NodeID? {
    draft.nodes[index].parent.flatMap { known.nodes[$0]?.id }
  }

  /// Whether the node that will be above it is new.
  func hasNewParent(_ index: Int) -> Bool {
    draft.nodes[index].parent != nil && knownParent(of: index) == nil
  }

  private mutating func placeCourse() {
    let node = draft.nodes[0]
    if let before = known.nodes[0], !before.isRemoved {
      positions[0] = before.position
      slugs[0] = before.slug
    } else {
      let slug = known.nodes[0]?.slug ?? Slug.make(from: node.title, fallback: node.key)
      positions[0] = known.nextPosition
      var names = Slug.names(taken: known.courseSlugs)
      slugs[0] = names.take(slug)
    }
  }

  private mutating func placeChildren(_ children: [Int], of parent: Int, leaving: [NodeID: [String: NodeID]]) {
    let above = known.nodes[parent]?.id
    func before(_ index: Int) -> KnownNode? { known.nodes[index] }
    func stayed(_ index: Int) -> Bool {
      guard let above, let before = before(index) else { return false }
      return !before.isRemoved && before.parent == above
    }

    let staying = children.filter(stayed)
    let run = LongestIncrease.indices(in: staying.compactMap { before($0)?.position })
    for (place, index) in staying.enumerated() where !run.contains(place) { moved.insert(index) }

    // A node that stays keeps its slug; then come those that bring one; then those that get their first.
    for index in staying { slugs[index] = before(index)?.slug ?? "" }
    var taken = Set(staying.map { slugs[$0] })
    var reserved: [String: NodeID] = [:]
    if let above {
      for former in [known.formerSlugs[above], leaving[above]] {
        reserved.merge(former ?? [:]) { _, newer in newer }
      }
    }
    var names = Slug.names(taken: taken.union(reserved.keys))
    let arriving = children.filter { !stayed($0) }
    for index in arriving.filter({ before($0) != nil }) + arriving.filter({ before($0) == nil }) {
      let node = draft.nodes[index]
      let wish = before(index)?.slug ?? Slug.make(from: node.title, fallback: node.key)
      let isOwn = reserved[wish] != nil && reserved[wish] == before(index)?.id
      slugs[index] = isOwn && !taken.contains(wish) ? wish : names.take(wish)
      taken.insert(slugs[index])
    }
  }

  /// The slugs under their old parents of nodes that this import moves elsewhere.
  private func slugsLeftBehind() -> [NodeID: [String: NodeID]] {
    var left: [NodeID: [String: NodeID]] = [:]
    for (index, before) in known.nodes.enumerated() {
      guard let before, !before.isRemoved, let parent = before.parent,
        parent != knownParent(of: index)
      else { continue }
      left[parent, default: [:]][before.slug] = before.id
    }
    return left
  }
}

/// Tells what was moved in a list from what only made room.
enum LongestIncrease {
  /// Returns the indices of a longest run of values that increase from left to right, not necessarily side by side.
  ///
  /// Where the values are old positions in their new order, what is not in the run was moved.
  ///
  /// Source: Schensted, "Longest increasing and decreasing subsequences", 1961, by patience sorting.
  static func indices(in values: [Int]) -> Set<Int> {
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for (index, value) in values.enumerated() {
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var run: Set<Int> = []
    var next = tails.last
    while let index = next {
      run.insert(index)
      next = previous[index]
    }
    return run
  }
}
