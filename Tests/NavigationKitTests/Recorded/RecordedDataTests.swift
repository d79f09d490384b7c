import CourseKit
import Foundation
import GRDB
import LearningModel
import NavigationKit
import Testing

/// Compares the data of two learners in the sample courses, one of which was imported again and another removed, with a
/// recording. The recording was made by a version with fifteen migrations, so it shows that later schemas keep the
/// data.
struct RecordedDataTests {
  private let fixture: NavigationFixture
  private let library: CourseLibrary

  init() throws {
    fixture = try NavigationFixture()
    library = try CourseLibrary(databaseAt: fixture.database) { [fixture] in fixture.now }
  }

  private static let recorded = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "answers.txt")
  private static let fixtures = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures")

  /// Queries for all tables whose rows derive from imports and actions, without random identifiers.
  private static let questions = [
    "SELECT * FROM place",
    "SELECT * FROM visit",
    "SELECT * FROM learnerProgress ORDER BY learner, path",
    "SELECT course, number, sourceFormat, added, moved, renamed, changed, removed, unchanged FROM courseRevision",
    "SELECT parent, slug, node FROM formerPath ORDER BY parent, slug, node",
    "SELECT node, type, letters, length(content) FROM activityContent ORDER BY node",
    "SELECT * FROM placeTotal ORDER BY node",
    """
    SELECT learner, node, begun, done, secondsDone FROM placeProgress UNION ALL \
    SELECT learner, node, 1, doneAt IS NOT NULL, iif(doneAt IS NULL, 0, seconds) \
    FROM progress JOIN placeTotal USING (node) WHERE isBegun ORDER BY learner, node
    """,
    "SELECT learner, node, round(score, 6), lastVisitAt, visits FROM placeScore ORDER BY learner, node",
    "SELECT * FROM progress ORDER BY learner, node",
    "SELECT session, depth, node FROM stackEntry ORDER BY session, depth",
    "SELECT session, position, sequence FROM visitEntry ORDER BY session, position",
    "SELECT learner, node, event FROM visitUnder ORDER BY learner, node, event",
    "SELECT learner, node FROM bookmark ORDER BY learner, node",
    "SELECT node, title, scope FROM searchText ORDER BY node",
  ]

  private func perform(_ steps: [NavigationRequest], as learner: String) throws {
    let service = try fixture.service(learner)
    for step in steps {
      fixture.advance(seconds: 40)
      // Some steps are refused, as with real learners.
      _ = try? service.perform(step, cause: .key, animated: true)
    }
  }

  private func record(_ event: ActivityEventContent, at path: String, as learner: String) throws {
    fixture.advance(seconds: 20)
    _ = try fixture.service(learner).progress.record(event, in: .text(path))
  }

  /// Returns an edited course: one goal removed, one lesson moved, one renamed, and one text with a longer duration.
  private func edited() throws -> [UInt8] {
    let text = try library.export(PlacePath("english-for-business"))
    let file = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    var course = try #require(file["course"] as? [String: Any])
    var goals = try #require(course["children"] as? [[String: Any]])
    var lessons = goals.map { $0["children"] as? [[String: Any]] ?? [] }
    lessons[2].insert(lessons[0].remove(at: 1), at: 0)
    lessons[3][0]["title"] = "Another title"
    var activities = try #require(lessons[3][1]["children"] as? [[String: Any]])
    activities[0]["minutes"] = 31
    lessons[3][1]["children"] = activities
    for number in goals.indices { goals[number]["children"] = lessons[number] }
    goals.remove(at: 1)
    course["children"] = goals
    let json = try JSONSerialization.data(withJSONObject: course, options: .sortedKeys)
    return Array("{\"waymark\": 1, \"course\": ".utf8) + json + Array("}".utf8)
  }

  private func live() throws {
    for source in ["english-for-business", "mdbook/without-parts", "mdbook/with-parts"] {
      try library.importCourse(from: Self.fixtures.appending(path: source).path)
    }
    let courses = try library.courses().map(\.path.description)
    try perform(
      [.open("english-for-business/meetings/steering"), .push("the-polite-interruption"), .next, .next, .pop, .back]
        + [.open("english-for-business/negotiating/opening-offers/read-the-brief"), .next, .next, .next, .forward],
      as: "ada")
    try perform(courses.map { .open(.text($0)) } + [.next, .push("hive"), .pop, .popToRoot, .back], as: "ben")
    for event in [ActivityEventContent.seenToEnd, .markedNotDone, .markedDone] {
      try record(event, at: "english-for-business/meetings/steering/the-polite-interruption", as: "ada")
    }
    for path in ["negotiating/preparing/where-do-you-stop", "negotiating/opening-offers/who-speaks-first"] {
      try record(.seenToEnd, at: "english-for-business/\(path)", as: "ada")
    }
    for path in [
      "english-for-business/writing/tone/how-a-full-stop-sounds", "english-for-business/presenting/speaking/the-pause",
    ] {
      try record(.seenToEnd, at: path, as: "ben")
      _ = try fixture.service("ben").notes.setBookmark(true, at: .text(path))
    }

    try library.importCourse(named: "edited.json", bytes: try edited(), options: ImportOptions(replaces: true))
    fixture.advance(seconds: 3_600)
    try perform([.back, .next, .open("english-for-business/meetings/steering/who-is-driving"), .pop], as: "ada")
    try library.remove(try #require(library.courses().last).path)
    // Another course now has the position of the removed course, which is therefore restored at the end of the list.
    try library.importBundled()
    try library.importCourse(from: Self.fixtures.appending(path: "mdbook/with-parts").path)
    try perform([.resume, .open("english-for-business/negotiating"), .next, .popToRoot], as: "ben")
  }

  private func answers() throws -> [String] {
    try DatabaseQueue(path: fixture.database).read { database in
      try Self.questions.flatMap { sql in
        [sql]
          + (try Row.fetchAll(database, sql: sql).map { row in
            "  " + row.databaseValues.map { $0.isNull ? "-" : "\($0.storage.value!)" }.joined(separator: " | ")
          })
      }
    }
  }

  @Test func `the data of two learners in edited courses equals the recording`() throws {
    let recorded = try String(contentsOf: Self.recorded, encoding: .utf8).split(separator: "\n").map(String.init)

    try live()

    let answers = try answers()
    #expect(answers == recorded, "\(answers.difference(from: recorded))")
    #expect(try library.check() == [])
    #expect(try fixture.service().check() == [])
  }
}
