import Foundation
import GRDB
import LearningModel
import LearningStore
import NavigationKit
import Synchronization

/// A database in a temporary folder, with courses that a test describes as text and a clock that the test sets.
final class NavigationFixture: Sendable {
  let folder: String
  let clock = Mutex(Timestamp("2026-11-20T10:00:00Z")!)
  /// The connection is opened once: every new connection has to read the schema, which takes longer than most queries
  /// of the tests.
  private let shell: DatabaseQueue

  var database: String { "\(folder)/waymark.sqlite" }

  /// - Parameters:
  ///   - original: The contents of the database file. If `nil`, an empty database.
  ///   - replica: The contents of the file with the UUID of the database, or `nil` if the file is missing.
  init(copying original: Data? = nil, replica: Data? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = "\(folder)/waymark.sqlite"
    if let original {
      try original.write(to: URL(filePath: path))
    } else {
      try LearningStore.open(at: path).write { _ in }
    }
    if let replica {
      try FileManager.default.createDirectory(atPath: path + "-sessions", withIntermediateDirectories: true)
      try replica.write(to: URL(filePath: path + "-sessions/replica"))
    }
    var configuration = Configuration()
    // The previous process may still be closing the file.
    configuration.busyMode = .timeout(10)
    shell = try DatabaseQueue(path: path, configuration: configuration)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Creates a fixture with the courses that most tests use.
  ///
  /// The first course has two goals. The first goal has three lessons, of which the second contains a lesson. The
  /// second course has one activity.
  static func withCourses() throws -> NavigationFixture {
    try NavigationFixture(copying: planted.get())
  }

  /// Creates a fixture with the same courses, and opens a service for the learner `ada`.
  static func withService() throws -> (fixture: NavigationFixture, service: NavigationService) {
    let fixture = try withCourses()
    return (fixture, try fixture.service())
  }

  private static let planted = Result {
    let fixture = try NavigationFixture()
    try fixture.insertCourse(
      """
      english
        meetings
          opening
            agenda*
            hello*
          middle
            turns*
            rounds
              circle*
            votes*
          closing
            thanks*
        negotiating
          offers
            anchor*
            range*
      """)
    try fixture.insertCourse(
      """
      rust
        start
          hello
            world*
      """)
    try fixture.shell.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    return try Data(contentsOf: URL(filePath: fixture.database))
  }

  /// Opens the service for a learner.
  func service(
    _ learner: String = "ada", session: SessionChoice = .shell, timeZone: String = "UTC"
  ) throws -> NavigationService {
    try NavigationService(
      databaseAt: database, learner: learner, session: session, timeZone: TimeZone(identifier: timeZone)!,
      // The closure retains the fixture, so the folder exists as long as the service.
      now: { self.clock.withLock { $0 } })
  }

  /// The current time of the clock.
  var now: Timestamp { clock.withLock { $0 } }

  /// Moves the clock forward.
  func advance(seconds: Double) {
    clock.withLock { $0 = $0.advanced(byMilliseconds: Int64(seconds * 1000)) }
  }

  /// Changes the database directly, without the service.
  func write<Answer>(_ body: (Database) throws -> Answer) throws -> Answer { try shell.write(body) }

  /// The contents of the file with the UUID of the database, or `nil` if the file is missing.
  var replica: Data? { try? Data(contentsOf: URL(filePath: database + "-sessions/replica")) }

  /// Creates a fixture with a copy of the current database.
  ///
  /// - Parameters:
  ///   - withFolder: Whether the file with the UUID of the database is copied too.
  ///   - other: The contents of such a file of another state of the database, over which the copy is written.
  func copied(withFolder: Bool, replica other: Data? = nil) throws -> NavigationFixture {
    let path = try backup()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let copy = try NavigationFixture(
      copying: Data(contentsOf: URL(filePath: path)), replica: withFolder ? replica : other)
    copy.clock.withLock { $0 = now }
    return copy
  }

  /// Copies the current database and returns the path of the copy.
  func backup() throws -> String {
    let path = "\(folder)/copy.sqlite"
    try write { _ in }
    let queue = try DatabaseQueue(path: database)
    try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [path]) }
    try queue.close()
    return path
  }

  /// Returns the identifier of the node at a path.
  func node(_ path: String) throws -> NodeID {
    try write {
      NodeID(rawValue: try Int64.fetchOne($0, sql: "SELECT id FROM place WHERE path = ?", arguments: [path])!)
    }
  }

  /// Inserts a course that is described by indented slugs. A star follows the slug of an activity. The titles are the
  /// capitalised slugs. The second level contains the goals, the levels below it the lessons.
  func insertCourse(_ drawing: String, format: String = "test") throws {
    try write { database in
      var stack: [(indent: Int, id: Int64)] = []
      var count: [Int64: Int] = [:]
      var course: Int64 = 0
      for line in drawing.split(separator: "\n") {
        let indent = line.prefix { $0 == " " }.count
        stack.removeAll { $0.indent >= indent }
        let isActivity = line.hasSuffix("*")
        let slug = String(line.drop { $0 == " " }.replacing("*", with: ""))
        let kind = ["course", "goal"].dropFirst(stack.count).first ?? (isActivity ? "activity" : "lesson")
        let next = try Int64.fetchOne(database, sql: "SELECT ifnull(max(id), 0) + 1 FROM contentNode")!
        let position =
          try stack.last.map { count[$0.id, default: 0] }
          ?? Int.fetchOne(database, sql: "SELECT count(*) FROM contentNode WHERE parent IS NULL")!
        if let parent = stack.last { count[parent.id, default: 0] += 1 } else { course = next }
        try database.execute(
          sql: """
            INSERT INTO contentNode (id, course, parent, key, kind, position, slug, title, summary, minutes)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            next, course, stack.last?.id, "\(next)", kind, position, slug, slug.capitalized, "About \(slug).",
            isActivity ? 5 : nil,
          ])
        if isActivity {
          try database.execute(
            sql: "INSERT INTO activityContent (node, type, content) VALUES (?, 'reading', '{}')", arguments: [next])
        }
        stack.append((indent, next))
      }
      try database.execute(
        sql: """
          INSERT INTO course (node, sourceFormat, revision) VALUES (?1, ?2, 1);
          """, arguments: [course, format])
      try database.execute(
        sql: """
          INSERT INTO courseRevision (course, number, importedAt, added, moved, renamed, changed, removed, unchanged)
          VALUES (?, 1, 0, 0, 0, 0, 0, 0, 0)
          """, arguments: [course])
    }
    try LearningStore.open(at: database).write { try $0.rebuildProjections() }
  }
}

extension NavigationService {
  /// Opens an activity and moves the reading position beyond its start, which begins it.
  func begin(_ name: PlaceName) throws {
    let place = try perform(.open(name)).to.place
    let time = Timestamp("2026-11-20T10:00:00Z")!
    try progress.save(ReadingPosition(block: 1, fraction: 0, heading: nil, savedAt: time), in: place)
  }
}
