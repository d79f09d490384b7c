import LearningModel
import TestSupport

@testable import LearningStore

/// A store for tests of the search. Each course has one goal with one lesson of activities.
struct SearchFixture {
  let folder: TemporaryFolder
  let store: LearningStore

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
  }

  /// Writes a course whose activities have the given titles and texts.
  @discardableResult
  func write(
    _ key: String, position: Int = 0, goal: String = "First steps", lesson: String = "Basics",
    _ activities: [(title: String, text: String)]
  ) throws -> NodeID {
    func node(_ parent: Int?, _ kind: ContentKind, _ position: Int, _ title: String) -> PlannedNode {
      PlannedNode(
        id: nil, parent: parent, key: "\(kind)-\(position)", kind: kind, position: position,
        slug: "\(Slug.make(from: title, fallback: "x"))-\(position)", title: title, summary: "", minutes: nil,
        changes: [])
    }
    let nodes =
      [node(nil, .course, position, key), node(0, .goal, 0, goal), node(1, .lesson, 0, lesson)]
      + activities.enumerated().map { node(2, .activity, $0, $1.title) }
    var plan = CoursePlan(
      key: key, base: nil, format: "test", sourceName: key, sourceDigest: "", language: nil, nodes: nodes,
      removed: [], counts: DifferenceCounts(added: nodes.count))
    plan.nodes[0].key = key
    let course = try store.importing { writer in
      for (index, activity) in activities.enumerated() where !activity.text.isEmpty {
        try writer.stage(StoredContent(.reading([.paragraph([.text(activity.text)])])), at: index + 3)
      }
      return try writer.commit(plan, at: Timestamp(milliseconds: 0)).course
    }
    try store.indexSearch()
    return course
  }

  func titles(
    _ text: String, course: NodeID? = nil, kind: ContentKind? = nil, limit: Int = 20
  ) throws -> [String] {
    try store.read { try $0.search(text, course: course, kind: kind, limit: limit) }.hits.map(\.node.title)
  }

  /// Returns the passage of the first hit with matches in brackets and `…` where the text is cut, or `nil` if there are
  /// no hits.
  func passage(_ text: String, length: Int = 16) throws -> String? {
    try store.read { snapshot in
      let findings = try snapshot.search(text)
      let nodes = findings.hits.prefix(1).map(\.node.id)
      return try snapshot.snippets(of: nodes, for: findings.searchedFor, length: length).first?.marked
    }
  }
}

extension Snippet {
  /// The text with matches in brackets, and `…` where the text is cut.
  var marked: String {
    (isTruncatedAtStart ? "…" : "") + runs.map { $0.isMatch ? "[\($0.text)]" : $0.text }.joined()
      + (isTruncatedAtEnd ? "…" : "")
  }
}
