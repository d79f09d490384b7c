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
