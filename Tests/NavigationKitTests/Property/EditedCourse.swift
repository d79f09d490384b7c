import TestSupport
import LearningModel
import LearningStore

/// A course that is edited at random and imported again.
struct EditedCourse {
  private struct Node {
    var kind: ContentKind
    var title: String
    var children: [String] = []
  }

  let key: String
  private var nodes: [String: Node] = [:]
  private var parents: [String: String] = [:]
  private var removed: [(key: String, node: Node)] = []
  private var count = 0

  init(key: String, random: inout SplitMix64) {
    self.key = key
    nodes[key] = Node(kind: .course, title: key)
    for _ in 0..<40 { add(&random) }
  }

  /// Makes random edits as authors do: adds, renames, moves, reorders, removes and restores nodes, and changes the kind
  /// of a lesson or activity.
  mutating func edit(_ random: inout SplitMix64) {
    for _ in 0...random.below(4) {
      switch random.below(8) {
      case 0, 1: add(&random)
      case 2: if let some = some(&random) { nodes[some]?.title += "!" }
      case 3: move(&random)
      case 4:
        if let some = some(&random), let parent = parents[some] { nodes[parent]?.children.shuffle(using: &random) }
      case 5: if nodes.count > 20, let some = some(&random) { remove(some) }
      case 6: bringBack(&random)
      default: changeKind(&random)
      }
    }
  }

  /// The keys of all nodes in the course in reading order, parents first.
  var keys: [String] {
    func below(_ key: String) -> [String] { [key] + children(of: key).flatMap(below) }
    return below(key)
  }

  /// Returns the kind of a node, or `nil` if it was removed or never existed.
  func kind(of key: String) -> ContentKind? { nodes[key]?.kind }

  /// Returns the keys of a node's children, in order.
  func children(of key: String) -> [String] { nodes[key]?.children ?? [] }

  /// Returns the plan for an import of the current course.
  func plan(in snapshot: StoreSnapshot) throws -> CoursePlan {
    let stored = try snapshot.course(withKey: key)
    let old = try stored.map { try snapshot.everyNode(of: $0.id) } ?? []
    let ids = Dictionary(uniqueKeysWithValues: old.map { ($0.key, $0) })
    var planned: [PlannedNode] = []
    func visit(_ key: String, parent: Int?, position: Int) {
      guard let node = nodes[key] else { return }
      let index = planned.count
      let all: PlannedNode.Changes = [.placement, .description, .content]
      // A restored node may have the same title and kind as before its removal.
      let isBack = ids[key].map { $0.isRemoved && ($0.title, $0.kind) == (node.title, node.kind) } ?? false
      planned.append(
        PlannedNode(
          id: ids[key]?.id, parent: parent, key: key, kind: node.kind,
          position: parent == nil ? ids[key]?.position ?? position : position, slug: key, title: node.title,
          summary: "", minutes: node.kind == .activity ? key.count : nil,
          changes: isBack ? [.placement, .returning] : all))
      for (position, child) in node.children.enumerated() { visit(child, parent: index, position: position) }
    }
    visit(key, parent: nil, position: try snapshot.children(of: .root).count)
    let living = Set(planned.map(\.key))
    return CoursePlan(
      key: key, base: stored?.revision, format: "test", sourceName: key, sourceDigest: "", language: nil,
      nodes: planned,
      removed: old.filter { !$0.isRemoved && !living.contains($0.key) }.map(\.id), counts: DifferenceCounts())
  }

  /// Imports the current course.
  func write(to store: LearningStore, at time: Timestamp) throws {
    let plan = try store.read { snapshot -> CoursePlan in try self.plan(in: snapshot) }
    try store.importing { writer in
      for (index, node) in plan.nodes.enumerated() where node.kind == .activity {
        let text = [Block.paragraph([.text(node.title)])]
        try writer.stage(try StoredContent(.reading(text)), at: index)
      }
      _ = try writer.commit(plan, at: time)
    }
  }

  // MARK: - Edits

  private func some(_ random: inout SplitMix64, of kinds: Set<ContentKind> = [.goal, .lesson, .activity]) -> String? {
    nodes.filter { kinds.contains($0.value.kind) }.keys.sorted().randomElement(using: &random)
  }

  private mutating func add(_ random: inout SplitMix64) {
    count += 1
    let parent = some(&random, of: [.course, .goal, .lesson]) ?? key
    let kind: ContentKind =
      switch nodes[parent]?.kind {
      case .course: .goal
      case .goal: .lesson
      default: random.below(4) == 0 ? .lesson : .activity
      }
    put("\(key)-\(count)", Node(kind: kind, title: "Node \(count)"), under: parent, &random)
  }

  private mutating func put(_ key: String, _ node: Node, under parent: String, _ random: inout SplitMix64) {
    nodes[key] = node
    parents[key] = parent
    let index = random.below((nodes[parent]?.children.count ?? 0) + 1)
    nodes[parent]?.children.insert(key, at: index)
  }

  private func isInside(_ key: String, _ other: String) -> Bool {
    var current: String? = key
    while let place = current {
      if place == other { return true }
      current = parents[place]
    }
    return false
  }

  private mutating func move(_ random: inout SplitMix64) {
    guard let some = some(&random, of: [.lesson, .activity]), let kind = nodes[some]?.kind,
      let parent = self.some(&random, of: kind == .lesson ? [.goal, .lesson] : [.lesson]), !isInside(parent, some)
    else { return }
    let node = nodes[some]!
    nodes[parents[some]!]?.children.removeAll { $0 == some }
    put(some, node, under: parent, &random)
  }

  private mutating func remove(_ key: String) {
    for child in nodes[key]?.children ?? [] { remove(child) }
    guard var node = nodes.removeValue(forKey: key) else { return }
    if let parent = parents.removeValue(forKey: key) { nodes[parent]?.children.removeAll { $0 == key } }
    node.children = []
    removed.append((key, node))
  }

  private mutating func bringBack(_ random: inout SplitMix64) {
    guard !removed.isEmpty else { return }
    let (key, node) = removed[random.below(removed.count)]
    let kinds: Set<ContentKind> = node.kind == .goal ? [.course] : node.kind == .lesson ? [.goal, .lesson] : [.lesson]
    guard let parent = some(&random, of: kinds) else { return }
    removed.removeAll { $0.key == key }
    put(key, node, under: parent, &random)
  }

  private mutating func changeKind(_ random: inout SplitMix64) {
    guard let some = some(&random, of: [.lesson, .activity]), nodes[some]?.children.isEmpty == true,
      let parent = parents[some], nodes[parent]?.kind == .lesson
    else { return }
    let isLesson = nodes[some]?.kind == .lesson
    nodes[some]?.kind = isLesson ? .activity : .lesson
  }
}
