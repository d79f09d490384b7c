import LearningModel
import TestSupport
import Testing

@testable import CourseKit
@testable import LearningStore

/// Tests that random edits between imports are applied to the database.
struct RandomEditTests {
  /// The nodes of a course while it is edited, with their texts.
  private struct EditedCourseModel {
    final class Node {
      let key: String
      var title: String
      var words: String?
      var children: [Node] = []

      init(key: String, title: String, words: String?) {
        self.key = key
        self.title = title
        self.words = words
      }
    }

    let top = Node(key: "english", title: "English", words: nil)
    private var random: SplitMix64
    private var made = 0
    private var gone: [Node] = []

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
    }

    /// Creates a node. Few different titles are used, so that slugs collide.
    private mutating func node(_ kind: ContentKind) -> Node {
      made += 1
      let title = ["Agenda", "Opening", "Closing", "Words", "Practice"].randomElement(using: &random)!
      return Node(key: "k\(made)", title: title, words: kind == .activity ? "Text \(made)" : nil)
    }

    private func everyone(below node: Node, depth: Int = 0) -> [(node: Node, parent: Node, depth: Int)] {
      node.children.flatMap { [($0, node, depth + 1)] + everyone(below: $0, depth: depth + 1) }
    }

    /// Returns the lessons that can be the parent of an activity or a lesson, outside of `node`.
    private func lessons(outside node: Node? = nil) -> [Node] {
      everyone(below: top).filter { $0.depth > 1 && $0.node.words == nil }.map(\.node).filter { lesson in
        guard let node else { return true }
        return lesson !== node && !everyone(below: node).contains { $0.node === lesson }
      }
    }

    private mutating func insert(_ node: Node, into parent: Node) {
      parent.children.insert(node, at: Int.random(in: 0...parent.children.count, using: &random))
    }

    mutating func edit() {
      let all = everyone(below: top)
      let any = all.randomElement(using: &random)
      switch Int.random(in: 0..<11, using: &random) {
      case 0: insert(node(.goal), into: top)
      case 1:
        if let goal = top.children.randomElement(using: &random) { insert(node(.lesson), into: goal) }
      case 2, 3, 4:
        if let lesson = lessons().randomElement(using: &random) {
          insert(node(Bool.random(using: &random) ? .activity : .lesson), into: lesson)
        }
      case 5: any?.node.title = "Renamed \(made)"
      case 6:
        if let any, any.node.words != nil { any.node.words = "Other text \(made)" }
      case 7:
        any?.parent.children.shuffle(using: &random)
      case 8:
        // Moves a lesson or activity with its descendants.
        if let any, any.depth > 1, let lesson = lessons(outside: any.node).randomElement(using: &random) {
          any.parent.children.removeAll { $0 === any.node }
          insert(any.node, into: lesson)
        }
      case 9:
        if let any {
          any.parent.children.removeAll { $0 === any.node }
          gone.append(any.node)
        }
      default:
        // Restores a removed node at another place: a goal as a lesson, and an activity sometimes as a lesson.
        if let back = gone.popLast(), let lesson = lessons().randomElement(using: &random) {
          if back.words != nil, Bool.random(using: &random) { back.words = nil }
          insert(back, into: lesson)
        }
      }
    }

    var outline: String {
      func lines(_ node: Node, _ depth: Int) -> [String] {
        let line = "\(String(repeating: "  ", count: depth))\(node.key) \"\(node.title)\""
        return [line + (node.words.map { ": \($0)" } ?? "")] + node.children.flatMap { lines($0, depth + 1) }
      }
      return lines(top, 0).joined(separator: "\n")
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `after every random edit and import the database equals the source`(seed: UInt64) throws {
    let fixture = try LibraryFixture()
    var course = EditedCourseModel(seed: seed)
    var ids: [String: NodeID] = [:]
    var paths: [String: String] = [:]

    for round in 0..<25 {
      for _ in 0..<(round == 0 ? 60 : 6) { course.edit() }
      let outline = course.outline
      let report = try fixture.importOutline(outline, ImportOptions(replaces: true))

      try #require(try fixture.drawing() == outline, "round \(round)")
      let problems = try fixture.library.check()
      try #require(problems == [], "round \(round): \(problems)")
      #expect(try fixture.importOutline(outline).difference == DifferenceCounts(unchanged: report.counts.total))
      #expect(report.changes.count { $0.change == .added } == report.difference.added)

      // A node keeps its identifier forever, and an existing node is also found at its former path.
      try fixture.library.store.read { snapshot in
        let top = try #require(try snapshot.course(withKey: "english"))
        let nodes = try snapshot.everyNode(of: top.id)
        for node in nodes {
          #expect(ids.updateValue(node.id, forKey: node.key) ?? node.id == node.id)
        }
        for node in nodes where !node.isRemoved {
          if let path = paths[node.key] {
            #expect(try snapshot.place(at: PlacePath(path)) == .node(node.id), "round \(round): \(path)")
          }
        }
        paths = [:]
        for node in nodes where !node.isRemoved { paths[node.key] = try snapshot.path(of: node.id).description }
      }
    }
  }
}
