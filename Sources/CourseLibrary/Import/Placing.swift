import LearningModel
import LearningStore

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
