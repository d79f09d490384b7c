import Foundation
import GRDB
import LearningModel
import TestSupport

@testable import LearningStore

/// A course that is edited repeatedly, with the results of all queries about it.
struct EditedCourse {
  let folder: TemporaryFolder
  let store: LearningStore
  let course: NodeID

  /// Writes the outline as a new course next to another one.
  init(_ outline: CourseOutlines) throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try CourseOutlines.sample.write(to: store)
    course = try outline.write(to: store, position: 1)
    try store.indexSearch()
    try store.write { transaction in
      try transaction.database.execute(sql: "INSERT INTO learner (id, name, createdAt) VALUES (1, 'ada', 0)")
    }
  }

  /// Imports the next edition, matching existing nodes by key as a real import does.
  func bring(_ outline: CourseOutlines) throws {
    let (base, storedNodes) = try store.read { (try $0.course(course)?.revision, try $0.everyNode(of: course)) }
    let before = Dictionary(uniqueKeysWithValues: storedNodes.map { ($0.key, $0) })
    var nodes = outline.nodes
    nodes[0].position = 1
    for (index, node) in nodes.enumerated() {
      guard let old = before[node.key] else { continue }
      nodes[index].id = old.id
      if old.isRemoved || old.kind != node.kind {
        nodes[index].changes = [.placement, .description, .content]
      } else if old.parent != node.parent.flatMap({ nodes[$0].id }) || old.position != node.position
        || old.slug != node.slug
      {
        nodes[index].changes = .placement
      }
    }
    let stays = Set(nodes.map(\.key))
    let plan = CoursePlan(
      key: nodes[0].key, base: base, format: "outline", sourceName: "outline", sourceDigest: "2", language: "en",
      nodes: nodes, removed: storedNodes.filter { !$0.isRemoved && !stays.contains($0.key) }.map(\.id),
      counts: DifferenceCounts())
    try store.importing { writer in
      for (index, node) in nodes.enumerated()
      where node.kind == .activity && (node.id == nil || node.changes.contains(.content)) {
        try writer.stage(StoredContent(.reading([.paragraph([.text("Read \(node.title).")])])), at: index)
      }
      _ = try writer.commit(plan, at: Timestamp(milliseconds: 3_000))
    }
  }

  /// Returns the results of all queries about the course.
  ///
  /// - Parameters:
  ///   - paths: Paths to resolve, and for which to find suggestions.
  ///   - queries: Additional search queries.
  func sight(at paths: [String], searchingFor queries: [String] = []) throws -> [String] {
    try store.read { snapshot in
      let nodes = try snapshot.everyNode(of: course).sorted { $0.id < $1.id }
      let ada = LearnerID(rawValue: 1)
      var lines = nodes.map { "node \($0)" }
      lines += try snapshot.courses().map { "course \($0)" } + snapshot.subtree(from: .root).map { "\($0)" }
      let end = Timestamp(milliseconds: .max)
      for node in nodes {
        let label = "of \(node.key):"
        lines.append(
          "path \(label) \(try snapshot.path(of: node.id)), nearest \(try snapshot.nearestExisting(of: node.id))")
        lines.append("card \(label) \(String(describing: try snapshot.card(of: node.id, for: ada, at: end)))")
        lines.append("progress \(label) \(try snapshot.progress(of: node.id, for: nil))")
        guard !node.isRemoved else { continue }
        lines.append("number \(label) \(try snapshot.siblingPosition(of: node))")
        for after in [false, true] {
          let neighbour = try snapshot.neighbour(node, after: after)
          lines.append("beside \(label) \(String(describing: neighbour?.key))")
        }
        guard node.kind != .activity else { continue }
        lines += try snapshot.children(of: .node(node.id)).map { "child \(label) \($0)" }
        lines += try snapshot.cards(under: node.id, for: ada, at: end).map { "card in it \(label) \($0)" }
        lines += try snapshot.cards(under: node.id, for: ada, in: 2..<5, at: end).map { "some cards \(label) \($0)" }
        lines.append("next \(label) \(String(describing: try snapshot.indexOfNextToDo(in: node.id, for: ada)))")
        lines.append("to do \(label) \(String(describing: try snapshot.firstToDo(in: node, for: ada)?.key))")
        lines.append(
          "beginning \(label) \(try snapshot.children(of: .node(node.id), beginningWith: "map1", limit: 3))")
      }
      lines += try paths.map { "at \($0): \(String(describing: try snapshot.place(at: PlacePath($0))))" }
      lines += try paths.map { "near \($0): \(try snapshot.suggestions(for: PlacePath($0)))" }
      lines += try (["map1x1 ", "read ", "maps l1 ", "maps l2 3"] + queries).map { query in
        "found for \(query): \(try snapshot.search(query).hits.map(\.node.key))"
      }
      lines.append("counts \(try snapshot.counts(of: course)) \(String(describing: try snapshot.course(course)))")
      lines.append("all \(try snapshot.progress(of: nil, for: ada))")
      for sql in [
        "SELECT * FROM place", "SELECT * FROM courseRevision", "SELECT id, living, removedInRevision FROM contentNode",
        "SELECT * FROM visit", "SELECT * FROM learnerProgress",
      ] {
        lines += try Row.fetchAll(snapshot.database, sql: sql).map { "\(sql): \($0)" }
      }
      return lines
    }
  }

  /// Returns every row of the tables that an import writes.
  func rows() throws -> [String] {
    try store.read { snapshot in
      try [
        "contentNode", "course", "courseRevision", "activityContent", "formerPath", "placeTotal", "placeProgress",
        "searchQueue",
      ].flatMap { table in
        try Row.fetchAll(snapshot.database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
      }
    }
  }

  /// Returns the problems that the checks of the database and the logs find.
  func problems() throws -> [String] {
    try store.read { try $0.fileProblems() + $0.contentProblems() + $0.miscounted() }
      + store.checkLogs().map(\.description)
  }

  /// Returns the keys of the current nodes in reading order.
  func keys() throws -> [String] {
    try store.read { try $0.subtree(from: .node(course)).map(\.node.key) }
  }
}
