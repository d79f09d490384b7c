import TestSupport
import GRDB
import LearningModel

@testable import CourseKit
@testable import LearningStore

/// A library in a temporary folder, with short queries for tests.
final class LibraryFixture {
  let folder: TemporaryFolder
  let library: CourseLibrary

  init() throws {
    folder = try TemporaryFolder()
    library = try CourseLibrary(databaseAt: folder.file("waymark.sqlite")) { Timestamp(milliseconds: 1_000) }
  }

  @discardableResult
  func importDraft(_ draft: CourseDraft, _ options: ImportOptions = ImportOptions()) throws -> ImportReport {
    try library.importDraft(draft, options: options)
  }

  @discardableResult
  func importOutline(_ outline: String, _ options: ImportOptions = ImportOptions()) throws -> ImportReport {
    try importDraft(CourseDraft(outline), options)
  }

  /// Returns all existing places in reading order, one per line: the key, the title and, for an activity, the text.
  func drawing() throws -> String {
    try library.store.read { snapshot in
      try snapshot.subtree(from: .root).map { node, depth in
        let text = try snapshot.content(of: node.id).map { ": \($0.plainText)" } ?? ""
        return "\(String(repeating: "  ", count: depth))\(node.key) \"\(node.title)\"\(text)"
      }.joined(separator: "\n")
    }
  }

  func id(_ key: String) throws -> NodeID? {
    try library.store.read { snapshot in
      try snapshot.course(withKey: "english").flatMap { try snapshot.node(withKey: key, inCourse: $0.id)?.id }
    }
  }

  func path(_ key: String) throws -> String? {
    try library.store.read { snapshot in
      guard let course = try snapshot.course(withKey: "english"),
        let node = try snapshot.node(withKey: key, inCourse: course.id)
      else { return nil }
      return try snapshot.path(of: node.id).description
    }
  }

  func key(at path: String) throws -> String? {
    try library.store.read { snapshot in
      guard case .node(let id) = try snapshot.place(at: PlacePath(path)) else { return nil }
      return try snapshot.node(id)?.key
    }
  }

  /// Returns the estimated duration of each place in seconds, by the place's key.
  func seconds() throws -> [String: Int] {
    try library.store.read { snapshot in
      let sql = "SELECT key, seconds FROM placeTotal JOIN contentNode ON id = node"
      let rows = try Row.fetchAll(snapshot.database, sql: sql)
      return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as String, $0[1] as Int) })
    }
  }

  /// Returns every row of the content tables.
  func everything() throws -> [String] {
    try library.store.read { snapshot in
      try ["contentNode", "course", "courseRevision", "formerPath", "activityContent", "searchText", "searchQueue"]
        .flatMap { table in
          try Row.fetchAll(snapshot.database, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
        }
    }
  }
}
