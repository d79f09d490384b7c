import GRDB
import LearningModel
import TestSupport
import Testing

@testable import LearningStore

struct PathTests {
  let folder: TemporaryFolder
  let store: LearningStore

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    try CourseOutlines.sample.write(to: store)
  }

  /// Writes another revision of the course with plain SQL. Removes nodes, or moves them to the end of another parent.
  private func revise(removing removed: [Int64] = [], moving moved: [(node: Int64, parent: Int64)] = []) throws {
    try store.write { transaction in
      let database = transaction.database
      try database.execute(
        sql: """
          INSERT INTO courseRevision
          SELECT course, number + 1, 0, 'x', 'x', 'x', 0, 0, 0, 0, 0, 0 FROM courseRevision ORDER BY number DESC LIMIT 1;
          UPDATE course SET revision = revision + 1;
          """)
      for id in removed {
        try database.execute(
          sql: "UPDATE contentNode SET removedInRevision = (SELECT revision FROM course) WHERE id = ?", arguments: [id])
      }
      for (node, parent) in moved {
        try database.execute(
          sql: "INSERT INTO formerPath (parent, slug, node) SELECT parent, slug, id FROM contentNode WHERE id = ?",
          arguments: [node])
        try database.execute(
          sql: "UPDATE contentNode SET parent = ?, position = 100 + id WHERE id = ?", arguments: [parent, node])
      }
    }
  }

  private func title(at path: String) throws -> String? {
    try store.read { snapshot in
      guard case .node(let id) = try snapshot.place(at: PlacePath(path)) else { return nil }
      return try snapshot.node(id)?.title
    }
  }

  @Test func `a path leads to its place, and the empty path to the root`() throws {
    #expect(try title(at: "english/meetings/lopening/agenda") == "Agenda")
    #expect(try title(at: "/english/meetings/") == "Meetings")
    #expect(try title(at: "english/agenda") == nil)
    #expect(try title(at: "nowhere") == nil)
    #expect(try store.read { try $0.place(at: .root) } == .root)
  }

  @Test func `a moved place and its descendants are found at their former paths`() throws {
    try revise(moving: [(node: 6, parent: 10), (node: 4, parent: 11)])

    #expect(try title(at: "english/meetings/lclosing/lnested/minutes") == "Minutes")
    #expect(try title(at: "english/negotiating/lclosing/lnested/minutes") == "Minutes")
    #expect(try title(at: "english/meetings/lopening/agenda") == "Agenda")
    #expect(try title(at: "english/negotiating/loffers/agenda") == "Agenda")
  }

  @Test func `a path leads to the current place at the path, not to a place that was moved away`() throws {
    try revise(moving: [(node: 4, parent: 11)])
    try store.write {
      try $0.database.execute(sql: "UPDATE contentNode SET slug = 'agenda', title = 'Another agenda' WHERE id = 5")
    }

    #expect(try title(at: "english/meetings/lopening/agenda") == "Another agenda")
  }

  @Test func `former paths below a moved lesson work although another lesson has its slug`() throws {
    try revise(moving: [(node: 6, parent: 10)])
    try store.write {
      try $0.database.execute(sql: "UPDATE contentNode SET slug = 'lclosing' WHERE id = 3")
    }

    #expect(try title(at: "english/meetings/lclosing/agenda") == "Agenda")
    #expect(try title(at: "english/meetings/lclosing/farewell") == "Farewell")
  }

  @Test func `a removed place keeps its path, and its nearest remaining ancestor is found`() throws {
    try revise(removing: [8, 7])

    let place = try store.read { try $0.place(at: PlacePath("english/meetings/lclosing/lnested/minutes")) }
    let survivor = try store.read { try $0.nearestExisting(of: NodeID(rawValue: 8)) }
    let path = try store.read { try $0.path(of: NodeID(rawValue: 8)) }

    #expect(place == .node(NodeID(rawValue: 8)))
    #expect(survivor == .node(NodeID(rawValue: 6)))
    #expect(path.description == "english/meetings/lclosing/lnested/minutes")
  }

  @Test(arguments: [
    ("english/meetings/lopenin/agenda", ["english/meetings/lopening/agenda"]),
    ("englsh/meetigns", ["english/meetings"]),
    ("agenda", ["english/meetings/lopening/agenda"]),
    ("english/lclosing", ["english/meetings/lclosing", "english"]),
    ("english/meetings/lopening/agendas", ["english/meetings/lopening/agenda"]),
    ("english/meet", ["english/meetings"]),
    ("zzz", []),
  ])
  func `similar paths are suggested for a path that does not exist`(path: String, meant: [String]) throws {
    #expect(try store.read { try $0.suggestions(for: PlacePath(path)) }.map(\.description) == meant)
  }
}
