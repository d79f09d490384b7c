import CourseKit
import Foundation
import GRDB
import LearningModel
import NavigationKit
import TestSupport
import Testing

struct ErasureTests {
  /// Which of those words stand anywhere in the files of a database: the file, its logs, its copies, and the names of its
  /// locks; in whatever form bytes can have that say them.
  private func found(_ words: [String], in desk: Desk) throws -> Set<String> {
    var found: Set<String> = []
    let files = FileManager.default.enumerator(atPath: desk.folder)?.compactMap { $0 as? String } ?? []
    for file in files {
      let bytes = (FileManager.default.contents(atPath: "\(desk.folder)/\(file)") ?? Data()) + Data(file.utf8)
      for word in words where forms(of: word).contains(where: bytes.holds) { found.insert(word) }
    }
    return found
  }

  /// A word as UTF-8, in capitals and small, as UTF-16 both ways, with what JSON escapes; a UUID as its sixteen bytes and
  /// without hyphens too.
  private func forms(of word: String) -> [Data] {
    var forms = [word, word.uppercased(), word.lowercased()].map { Data($0.utf8) }
    forms += [String.Encoding.utf16LittleEndian, .utf16BigEndian].compactMap { word.data(using: $0) }
    let escaped = word.unicodeScalars.map {
      $0.isASCII ? String($0) : "\\u" + String(65536 + $0.value, radix: 16).dropFirst()
    }
    forms.append(Data(escaped.joined().utf8))
    if let uuid = UUID(uuidString: word)?.uuid {
      forms.append(withUnsafeBytes(of: uuid) { Data($0) })
      forms.append(Data(word.replacing("-", with: "").utf8))
    }
    return forms
  }

  @Test func `of a learner who is erased no byte is left, and of the others every one`() throws {
    let desk = try Desk.withCourses()
    let name = "Zacharias Quüxbury"
    let zach = try desk.service(name)
    let ben = try desk.service("ben")
    for day in 0..<8 {
      try zach.live(60, seed: UInt64(day), on: desk)
      try ben.live(20, seed: UInt64(day), on: desk)
    }
    try zach.set("a secret", forSetting: "quuxnote")
    let events = try desk.write {
      try String.fetchAll(
        $0,
        sql: """
          SELECT uuid FROM navigationEvent WHERE learner = (SELECT id FROM learner WHERE name = ?1)
          UNION ALL SELECT uuid FROM activityEvent WHERE learner = (SELECT id FROM learner WHERE name = ?1)
          UNION ALL SELECT uuid FROM session WHERE learner = (SELECT id FROM learner WHERE name = ?1)
          """, arguments: [name])
    }
    let words = events + [name, "quuxnote", "a secret"]
    let before = try found(words, in: desk)
    let others = try ben.file(of: "ben")

    let erasure = try ben.eraseLearner(name)

    #expect(before == Set(words))
    #expect(try found(words, in: desk) == [])
    #expect(erasure.isSwept && erasure.steps + erasure.activities + erasure.sessions == events.count)
    #expect(try ben.learners().map(\.name) == ["ben"])
    #expect(try ben.file(of: "ben") == others)
    #expect(try ben.check() == [])
    #expect(try desk.write { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
  }

  @Test func `the copies from before updates lose the learner too, and one that cannot be read is named`() throws {
    let desk = try Desk.withCourses()
    let name = "Zacharias Quuxbury"
    let zach = try desk.service(name)
    let ben = try desk.service("ben")
    try zach.live(100, seed: 1, on: desk)
    try ben.live(40, seed: 2, on: desk)
    let library = try CourseLibrary(databaseAt: desk.database)
    let copy = desk.database + ".before-0009_later"
    try library.backUp(to: copy)
    // As an older version had made it: a column less, a table that is none any more.
    try DatabaseQueue(path: copy).write {
      try $0.execute(
        sql: """
          DROP VIEW visit; DROP INDEX navigationEventByCause; ALTER TABLE readingPosition DROP COLUMN heading;
          CREATE TABLE streak (learner INTEGER NOT NULL, days INTEGER);
          INSERT INTO streak SELECT id, 3 FROM learner;
          """)
    }
    // From before there were learners.
    try DatabaseQueue(path: desk.database + ".before-0002_log").write { try $0.execute(sql: "CREATE TABLE course (a)") }
    try Data("no database".utf8).write(to: URL(filePath: desk.database + ".before-0010_broken"))
    let words = try [name] + zach.history().rows.map(\.uuid) + zach.sessions().map(\.uuid)

    let erasure = try ben.eraseLearner(name)

    #expect(words.count > 50)
    #expect(try found(words, in: desk) == [])
    #expect(erasure.copies == [copy])
    #expect(erasure.untouchedCopies.map(\.path) == [desk.database + ".before-0010_broken"])
    #expect(erasure.untouchedCopies.first?.reason.hasPrefix("Could not") == true)
    let left = try DatabaseQueue(path: copy).read { database in
      try [
        "SELECT name FROM learner", "SELECT count(*) FROM streak", "SELECT count(*) FROM navigationEvent",
        "SELECT count(*) FROM pragma_foreign_key_check", "PRAGMA integrity_check",
      ].map { try String.fetchAll(database, sql: $0).joined() }
    }
    #expect(left == ["ben", "1", "\(try ben.history().rows.count)", "0", "ok"])
  }

  @Test func `no history is erased while another browser of the learner is open`() throws {
    let desk = try Desk.withCourses()
    let browser = try desk.service(session: .browser)
    try browser.perform(.open("english"))
    let rows = try browser.history().rows

    #expect(throws: NavigationError.learnerIsHere(name: "ada")) {
      try desk.service().eraseHistory(since: desk.now.advanced(byMilliseconds: -3_600_000))
    }

    #expect(try browser.history().rows == rows)
    try browser.eraseHistory(since: desk.now.advanced(byMilliseconds: -3_600_000))
    #expect(try browser.history().rows.isEmpty)
  }

  @Test func `a learner whose browser is open is not erased, one whose browser died is, with its lock`() throws {
    let desk = try Desk.withCourses()
    let ada = try desk.service(session: .browser)
    try ada.perform(.open("english"))
    let other = try desk.service("ben")

    #expect(throws: NavigationError.learnerIsHere(name: "ada")) { try other.eraseLearner("ada") }
    try ada.endSession()
    try other.eraseLearner("ada")

    #expect(try other.learners() == [])
    #expect(throws: NavigationError.unknownLearner(name: "ada", nearest: [])) { try other.eraseLearner("ada") }
  }

  @Test func `somebody who reads meanwhile keeps the log from being swept, until something is erased again`() throws {
    let desk = try Desk.withCourses()
    // No digits of a UUID of somebody else may say the name.
    let zoe = try desk.service("zoe quux")
    try zoe.perform(.open("english"))
    let ben = try desk.service("ben")
    try ben.perform(.open("rust"))
    let reader = try DatabaseQueue(path: desk.database)

    let kept = try reader.read { database in
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM learner")
      return try ben.eraseLearner("zoe quux")
    }
    let before = try found(["zoe quux"], in: desk)
    let again = try ben.sweep()

    #expect(!kept.isSwept && again && before == ["zoe quux"])
    #expect(try found(["zoe quux"], in: desk) == [])
  }

  @Test func `history is erased from a time on, and what is left is whole`() throws {
    let (desk, ada) = try Desk.withService()
    try ada.live(120, seed: 5, on: desk)
    let moment = desk.now
    let before = try ada.history().rows.map(\.uuid)
    let done = try ada.attempts()
    desk.pass(seconds: 1)
    try ada.live(120, seed: 6, on: desk)
    let ben = try desk.service("ben")
    try ben.perform(.open("rust"))

    let erasure = try ada.eraseHistory(since: moment.advanced(byMilliseconds: 1))

    #expect(erasure.steps > 50)
    #expect(erasure.isSwept)
    #expect(try ada.history().rows.map(\.uuid) == before)
    #expect(try ada.attempts() == done)
    #expect(try ada.check() == [])
    #expect(try ben.history().rows.count == 2)
    try ada.live(30, seed: 7, on: desk)
    #expect(try ada.check() == [])
  }

  @Test func `who goes on after their last steps were erased goes on from where they began, in a session of its own`()
    throws
  {
    let (desk, ada) = try Desk.withService()
    try ada.perform(.open("english/meetings"))
    desk.pass(seconds: 60)
    try ada.perform(.push("opening"))
    try ada.perform(.push("agenda"))

    try ada.eraseHistory(since: desk.now)

    #expect(try ada.currentPlace().path.description == "english/meetings")
    #expect(try ada.perform(.push("closing")).event?.sequence == 2)
    #expect(try ada.perform(.back).to.path.description == "english/meetings")
    #expect(try ada.check() == [])
  }
}
