import GRDB
import LearningModel

// Nodes that a learner has been to elsewhere, and that no course has here.

extension StoreTransaction {
  /// Finds the nodes of a record by their keys. One that is not here is kept as removed, with its title and its place, so
  /// that the history reads; it comes to life when a course that has it is imported.
  func adopt(_ nodes: [LearnerRecord.Node], into merged: inout MergedRecord) throws -> NodeList {
    var list = NodeList()
    for node in nodes {
      let course = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT id FROM contentNode WHERE parent IS NULL AND key = ?"),
        arguments: [node.course])
      let known = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT id FROM contentNode WHERE course = ? AND key = ?"),
        arguments: [course, node.key])
      if let known {
        list.ids.append(NodeID(rawValue: known))
        continue
      }
      merged.unknownNodes += 1
      if let course {
        let above = try node.parent.map { try list[$0] } ?? NodeID(rawValue: course)
        list.ids.append(try adopt(node, in: NodeID(rawValue: course), under: above))
      } else {
        guard node.parent == nil else { throw NodeList.NoNode() }
        list.ids.append(try adoptCourse(node))
      }
    }
    return list
  }

  private func adoptCourse(_ node: LearnerRecord.Node) throws -> NodeID {
    let id = 1 + (try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'contentNode'") ?? 0)
    try database.execute(
      sql: """
        INSERT INTO contentNode (id, course, key, kind, position, slug, title, removedInRevision, toldKind)
        VALUES (?1, ?1, ?2, 'course', 0, ?3, ?4, 1, ?5)
        """, arguments: [id, node.key, node.slug, node.title, node.laterKind])
    try database.execute(
      sql: "INSERT INTO course (node, sourceFormat, revision) VALUES (?, 'learner', 1)", arguments: [id])
    try database.execute(
      sql: """
        INSERT INTO courseRevision (course, number, importedAt, added, moved, renamed, changed, removed, unchanged)
        VALUES (?, 1, 0, 0, 0, 0, 0, 0, 0)
        """, arguments: [id])
    return NodeID(rawValue: id)
  }

  private func adopt(_ node: LearnerRecord.Node, in course: NodeID, under parent: NodeID) throws -> NodeID {
    // What was above it may be of another kind here: then the nearest node that it may stand under.
    let chain = try snapshot.chain(to: parent).filter { $0.course == course }
    // One of a kind that is not known stands for a lesson: others may stand under it.
    let told = ContentKind(rawValue: node.kind.rawValue) ?? .lesson
    let above = chain.last { told.mayStand(under: $0.kind) }
    let kind = above == nil ? ContentKind.goal : told
    try database.execute(
      sql: """
        INSERT INTO contentNode (course, parent, key, kind, position, slug, title, removedInRevision, toldKind)
        VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, (SELECT revision FROM course WHERE node = ?1), ?7)
        """,
      arguments: [
        course.rawValue, (above?.id ?? course).rawValue, node.key, kind.rawValue, node.slug, node.title, node.laterKind,
      ])
    return NodeID(rawValue: database.lastInsertedRowID)
  }
}

extension LearnerRecord.Node {
  /// Its kind, where only a later program knows it.
  fileprivate var laterKind: String? {
    if case .other(let word) = kind { word } else { nil }
  }
}
