import LearningModel
import LearningStore

/// Compares a course in the database with a draft by the keys of their nodes. The result is a plan for the store, and a
/// difference to report.
struct CourseComparison {
  /// The course in the database.
  struct StoredCourse {
    /// The course, or `nil` if the database has never contained it.
    var course: Course?
    /// For each node of the draft, the node with the same key in the database, which may be removed. `nil` for new
    /// nodes.
    var nodes: [StoredNode?] = []
    /// The nodes that are not removed and that the draft does not contain.
    var missingFromDraft: [ContentNode] = []
    /// The number of nodes that are not removed.
    var currentCount = 0
    /// For each parent, the slugs of nodes that were moved away from it and that can still be found by these slugs.
    var formerSlugs: [NodeID: [String: NodeID]] = [:]
    /// The slugs of the other courses, without removed ones, and the first position after these courses.
    var courseSlugs: Set<String> = []
    var nextPosition = 0
  }

  /// The changes of a node. One byte, because courses have up to hundreds of thousands of nodes.
  struct NodeChanges: OptionSet {
    let rawValue: UInt8

    static let added = NodeChanges(rawValue: 1)
    static let moved = NodeChanges(rawValue: 2)
    static let renamed = NodeChanges(rawValue: 4)
    static let changed = NodeChanges(rawValue: 8)

    /// All changes with their names in reports, in the order of reports.
    static let all: [(NodeChanges, NodeChange.Change)] = [
      (.added, .added), (.moved, .moved), (.renamed, .renamed), (.changed, .changed),
    ]
  }

  /// The plan for the store. Contains changed contents only after they were added by ``recordChangedContent(at:)``.
  var plan: CoursePlan
  /// The changes of each node of the plan.
  private(set) var nodeChanges: [NodeChanges]
  /// The nodes to remove, the most recently added first.
  let removed: [ContentNode]
  /// The number of nodes of the course in the database that are not removed.
  let currentCount: Int

  init(of draft: CourseDraft, with stored: StoredCourse) {
    currentCount = stored.currentCount
    removed = stored.missingFromDraft.sorted { $0.id > $1.id }

    let placement = NodePlacement(draft: draft, stored: stored)
    var nodes: [PlannedNode] = []
    nodes.reserveCapacity(draft.nodes.count)
    var allReportedChanges: [NodeChanges] = []
    allReportedChanges.reserveCapacity(draft.nodes.count)
    for (index, draftNode) in draft.nodes.enumerated() {
      let before = stored.nodes[index]
      let slug = placement.slug(of: index)
      let position = placement.position(of: index)
      var changes: PlannedNode.Changes = []
      var reportedChanges: NodeChanges = []
      if let before {
        let parent = placement.storedParent(of: index)
        if before.isRenamed || before.hasChangedMetadata { changes.insert(.description) }
        if draftNode.kind == .activity, before.kind != .activity { changes.insert(.content) }
        if before.isRemoved {
          changes.insert([.placement, .returning])
          reportedChanges.insert(.added)
        } else {
          if before.parent != parent || placement.isMoved(index) { reportedChanges.insert(.moved) }
          if before.isRenamed { reportedChanges.insert(.renamed) }
          if before.kind != draftNode.kind || before.hasChangedMetadata { reportedChanges.insert(.changed) }
          let isUnmoved =
            before.parent == parent && before.kind == draftNode.kind && before.position == position
            && before.slug == slug
          if !isUnmoved || placement.hasNewParent(index) { changes.insert(.placement) }
        }
      } else {
        reportedChanges.insert(.added)
      }
      nodes.append(
        PlannedNode(
          id: before?.id, parent: draftNode.parent, key: draftNode.key, kind: draftNode.kind, position: position,
          slug: slug, title: draftNode.title, summary: draftNode.summary, minutes: draftNode.minutes, changes: changes))
      allReportedChanges.append(reportedChanges)
    }
    self.nodeChanges = allReportedChanges
    plan = CoursePlan(
      key: draft.nodes[0].key, base: stored.course?.revision, format: draft.format,
      sourceName: draft.origin ?? draft.sourceName,
      sourceDigest: draft.sourceDigest, language: draft.language, nodes: nodes, removed: removed.map(\.id),
      counts: DifferenceCounts())
  }

  /// Whether the content of a node must be staged without comparing it, because the database has no content for the
  /// node.
  func needsContent(at index: Int) -> Bool {
    let node = plan.nodes[index]
    return node.kind == .activity && (node.id == nil || node.changes.contains(.content))
  }

  /// Records that the content of an activity differs from the content in the database.
  mutating func recordChangedContent(at index: Int) {
    plan.nodes[index].changes.insert(.content)
    if !nodeChanges[index].contains(.added) { nodeChanges[index].insert(.changed) }
  }

  /// Counts the changes and returns the difference. Call this after all contents were compared.
  mutating func finish() -> CourseDifference {
    var counts = DifferenceCounts(removed: removed.count)
    var changes: [NodeChange] = []
    changes.reserveCapacity(nodeChanges.count { !$0.isEmpty } + removed.count)
    for (node, reported) in zip(plan.nodes, nodeChanges) {
      if reported.isEmpty { counts.unchanged += 1 }
      for (kind, change) in NodeChanges.all where reported.contains(kind) {
        changes.append(NodeChange(change: change, kind: node.kind, key: node.key, title: node.title))
      }
      if reported.contains(.added) { counts.added += 1 }
      if reported.contains(.moved) { counts.moved += 1 }
      if reported.contains(.renamed) { counts.renamed += 1 }
      if reported.contains(.changed) { counts.changed += 1 }
    }
    changes += removed.reversed().map {
      NodeChange(change: .removed, kind: $0.kind, key: $0.key, title: $0.title)
    }
    plan.counts = counts
    return CourseDifference(counts: counts, changes: changes)
  }
}

/// A node of the draft in the database. Contains only what a comparison needs, to save memory in large courses.
struct StoredNode {
  let id: NodeID
  let parent: NodeID?
  let kind: ContentKind
  let position: Int
  let slug: String
  let isRemoved: Bool
  /// Whether the author's title differs from the draft's title.
  let isRenamed: Bool
  /// Whether the summary or the estimated duration differs from the draft's.
  let hasChangedMetadata: Bool

  /// Compares a node with a node of the draft.
  ///
  /// - Parameter authorTitle: The author's title, if a user has renamed the node.
  init(_ node: ContentNode, authorTitle: String?, comparedWith draft: DraftNode) {
    id = node.id
    parent = node.parent
    kind = node.kind
    position = node.position
    slug = node.slug
    isRemoved = node.isRemoved
    isRenamed = (authorTitle ?? node.title) != draft.title
    hasChangedMetadata = (node.summary, node.minutes) != (draft.summary, draft.minutes)
  }
}

extension CourseComparison.StoredCourse {
  /// Reads a course and compares it with a draft. Each row is released after it was compared.
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
      if !node.isRemoved { currentCount += 1 }
      if let index = indices[node.key].map(Int.init) {
        nodes[index] = StoredNode(node, authorTitle: authorTitles[node.id], comparedWith: draft.nodes[index])
      } else if !node.isRemoved {
        self.missingFromDraft.append(node)
      }
    }
  }
}

/// Assigns a position and a slug to each node of a draft, and finds the nodes that were moved among their siblings.
struct NodePlacement {
  private let draft: CourseDraft
  private let stored: CourseComparison.StoredCourse
  private var positions: [Int]
  private var slugs: [String]
  private var moved: Set<Int> = []

  init(draft: CourseDraft, stored: CourseComparison.StoredCourse) {
    self.draft = draft
    self.stored = stored
    positions = Array(repeating: 0, count: draft.nodes.count)
    slugs = Array(repeating: "", count: draft.nodes.count)

    var children: [[Int]] = Array(repeating: [], count: draft.nodes.count)
    for (index, node) in draft.nodes.enumerated() {
      guard let parent = node.parent else { continue }
      positions[index] = children[parent].count
      children[parent].append(index)
    }
    placeCourse()
    // Slugs of nodes that move to another parent must still lead to these nodes.
    let leaving = formerSlugs()
    for (parent, children) in children.enumerated() where !children.isEmpty {
      placeChildren(children, of: parent, leaving: leaving)
    }
  }

  /// The index of the node among its siblings.
  func position(of index: Int) -> Int { positions[index] }

  /// The last component of the node's path.
  func slug(of index: Int) -> String { slugs[index] }

  /// Whether the node keeps its parent, but was moved to another position among its siblings.
  func isMoved(_ index: Int) -> Bool { moved.contains(index) }

  /// The node's new parent in the database. `nil` if the parent is new, and for the course.
  func storedParent(of index: Int) -> NodeID? {
    draft.nodes[index].parent.flatMap { stored.nodes[$0]?.id }
  }

  /// Whether the node's new parent is new.
  func hasNewParent(_ index: Int) -> Bool {
    draft.nodes[index].parent != nil && storedParent(of: index) == nil
  }

  private mutating func placeCourse() {
    let node = draft.nodes[0]
    if let before = stored.nodes[0], !before.isRemoved {
      positions[0] = before.position
      slugs[0] = before.slug
    } else {
      let slug = stored.nodes[0]?.slug ?? Slug.make(from: node.title, fallback: node.key)
      positions[0] = stored.nextPosition
      var names = Slug.names(taken: stored.courseSlugs)
      slugs[0] = names.makeUnique(slug)
    }
  }

  private mutating func placeChildren(_ children: [Int], of parent: Int, leaving: [NodeID: [String: NodeID]]) {
    let storedParent = stored.nodes[parent]?.id
    func before(_ index: Int) -> StoredNode? { stored.nodes[index] }
    func stayed(_ index: Int) -> Bool {
      guard let storedParent, let before = before(index) else { return false }
      return !before.isRemoved && before.parent == storedParent
    }

    let remainingChildren = children.filter(stayed)
    let run = LongestIncreasingSubsequence.indices(in: remainingChildren.compactMap { before($0)?.position })
    for (place, index) in remainingChildren.enumerated() where !run.contains(place) { moved.insert(index) }

    // Nodes that stay under this parent keep their slugs. Nodes from other parents choose their slugs next, new nodes
    // last.
    for index in remainingChildren { slugs[index] = before(index)?.slug ?? "" }
    var taken = Set(remainingChildren.map { slugs[$0] })
    var reserved: [String: NodeID] = [:]
    if let storedParent {
      for former in [stored.formerSlugs[storedParent], leaving[storedParent]] {
        reserved.merge(former ?? [:]) { _, newer in newer }
      }
    }
    var names = Slug.names(taken: taken.union(reserved.keys))
    let arriving = children.filter { !stayed($0) }
    for index in arriving.filter({ before($0) != nil }) + arriving.filter({ before($0) == nil }) {
      let node = draft.nodes[index]
      let preferred = before(index)?.slug ?? Slug.make(from: node.title, fallback: node.key)
      let isOwn = reserved[preferred] != nil && reserved[preferred] == before(index)?.id
      slugs[index] = isOwn && !taken.contains(preferred) ? preferred : names.makeUnique(preferred)
      taken.insert(slugs[index])
    }
  }

  /// Returns, for each old parent, the slugs of nodes that this import moves to another parent.
  private func formerSlugs() -> [NodeID: [String: NodeID]] {
    var slugs: [NodeID: [String: NodeID]] = [:]
    for (index, before) in stored.nodes.enumerated() {
      guard let before, !before.isRemoved, let parent = before.parent,
        parent != storedParent(of: index)
      else { continue }
      slugs[parent, default: [:]][before.slug] = before.id
    }
    return slugs
  }
}

/// Finds the moved elements of a list, as opposed to elements whose position changed only because others were moved.
enum LongestIncreasingSubsequence {
  /// Returns the indices of a longest increasing subsequence of values. Its elements need not be adjacent.
  ///
  /// If the values are the old positions in the new order, the elements outside the subsequence were moved.
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
