import CourseKit
import Foundation
import GRDB
import LearningModel
import NavigationKit
import TestSupport
import Testing

struct ErasureTests {
  /// Returns the words that occur in a database's files: the database, its logs, its copies, and the names of its
  /// locks. Compares all encodings of ``forms(of:)``.
  private func found(_ words: [String], in fixture: NavigationFixture) throws -> Set<String> {
    var found: Set<String> = []
    let files = FileManager.default.enumerator(atPath: fixture.folder)?.compactMap { $0 as? String } ?? []
    for file in files {
      let bytes = (FileManager.default.contents(atPath: "\(fixture.folder)/\(file)") ?? Data()) + Data(file.utf8)
      for word in words where forms(of: word).contains(where: bytes.holds) { found.insert(word) }
    }
    return found
  }

  /// Returns a word as UTF-8, in upper and lower case, as UTF-16 in both byte orders, and with JSON escapes. Returns a
  /// UUID also as its 16 bytes and without hyphens.
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

  @Test func `erasing a learner removes all bytes about the learner and no others`() throws {
    let fixture = try NavigationFixture.withCourses()
    let name = "Zacharias Quüxbury"
    let zach = try fixture.service(name)
    let ben = try fixture.service("ben")
    for day in 0..<8 {
      try zach.live(60, seed: UInt64(day), on: fixture)
      try ben.live(20, seed: UInt64(day), on: fixture)
    }
    try zach.set("a secret", forSetting: "quuxnote")
    let events = try fixture.write {
      try String.fetchAll(
        $0,
        sql: """
          SELECT uuid FROM navigationEvent WHERE learner = (SELECT id FROM learner WHERE name = ?1)
          UNION ALL SELECT uuid FROM activityEvent WHERE learner = (SELECT id FROM learner WHERE name = ?1)
          UNION ALL SELECT uuid FROM session WHERE learner = (SELECT id FROM learner WHERE name = ?1)
          """, arguments: [name])
    }
    let texts = events + [name, "quuxnote", "a secret"]
    let before = try found(texts, in: fixture)
    let others = try ben.file(of: "ben")

    let erasure = try ben.learners.erase(name)

    #expect(before == Set(texts))
    #expect(try found(texts, in: fixture) == [])
    #expect(erasure.isSwept && erasure.steps + erasure.activities + erasure.sessions == events.count)
    #expect(try ben.learners.all().map(\.name) == ["ben"])
    #expect(try ben.file(of: "ben") == others)
    #expect(try ben.check() == [])
    #expect(try fixture.write { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
  }

  @Test func `backups lose an erased learner too, and unreadable ones are reported`() throws {
    let fixture = try NavigationFixture.withCourses()
    let name = "Zacharias Quuxbury"
    let zach = try fixture.service(name)
    let ben = try fixture.service("ben")
    try zach.live(100, seed: 1, on: fixture)
    try ben.live(40, seed: 2, on: fixture)
    let library = try CourseLibrary(databaseAt: fixture.database)
    let copy = fixture.database + ".before-0009_later"
    try library.backUp(to: copy)
    // Imitates a copy by an older version: a column is missing, and a table exists that was removed later.
    try DatabaseQueue(path: copy).write {
      try $0.execute(
        sql: """
          DROP VIEW visit; DROP INDEX navigationEventByCause; ALTER TABLE readingPosition DROP COLUMN heading;
          CREATE TABLE streak (learner INTEGER NOT NULL, days INTEGER);
          INSERT INTO streak SELECT id, 3 FROM learner;
          """)
    }
    // A copy made by a version without learners.
    try DatabaseQueue(path: fixture.database + ".before-0002_log").write {
      try $0.execute(sql: "CREATE TABLE course (a)")
    }
    try Data("no database".utf8).write(to: URL(filePath: fixture.database + ".before-0010_broken"))
    let texts = try [name] + zach.history.page().rows.map(\.uuid) + zach.history.sessions().map(\.uuid)

    let erasure = try ben.learners.erase(name)

    #expect(texts.count > 50)
    #expect(try found(texts, in: fixture) == [])
    #expect(erasure.copies == [copy])
    #expect(erasure.untouchedCopies.map(\.path) == [fixture.database + ".before-0010_broken"])
    #expect(erasure.untouchedCopies.first?.reason.hasPrefix("Could not") == true)
    let remaining = try DatabaseQueue(path: copy).read { database in
      try [
        "SELECT name FROM learner", "SELECT count(*) FROM streak", "SELECT count(*) FROM navigationEvent",
        "SELECT count(*) FROM pragma_foreign_key_check", "PRAGMA integrity_check",
      ].map { try String.fetchAll(database, sql: $0).joined() }
    }
    #expect(remaining == ["ben", "1", "\(try ben.history.page().rows.count)", "0", "ok"])
  }

  @Test func `history is not erased while another browser of the learner is open`() throws {
    let fixture = try NavigationFixture.withCourses()
    let browser = try fixture.service(session: .browser)
    try browser.perform(.open("english"))
    let rows = try browser.history.page().rows

    #expect(throws: NavigationError.learnerIsHere(name: "ada")) {
      try fixture.service().learners.eraseHistory(since: fixture.now.advanced(byMilliseconds: -3_600_000).date)
    }

    #expect(try browser.history.page().rows == rows)
    try browser.learners.eraseHistory(since: fixture.now.advanced(byMilliseconds: -3_600_000).date)
    #expect(try browser.history.page().rows.isEmpty)
  }

  @Test func `a learner is erased only after the learner's browser has ended`() throws {
    let fixture = try NavigationFixture.withCourses()
    let ada = try fixture.service(session: .browser)
    try ada.perform(.open("english"))
    let other = try fixture.service("ben")

    #expect(throws: NavigationError.learnerIsHere(name: "ada")) { try other.learners.erase("ada") }
    try ada.endSession()
    try other.learners.erase("ada")

    #expect(try other.learners.all() == [])
    #expect(throws: NavigationError.unknownLearner(name: "ada", nearest: [])) { try other.learners.erase("ada") }
  }

  @Test func `a concurrent reader prevents sweeping the log until it has finished`() throws {
    let fixture = try NavigationFixture.withCourses()
    // Some digits of another learner's UUID might spell a shorter name.
    let zoe = try fixture.service("zoe quux")
    try zoe.perform(.open("english"))
    let ben = try fixture.service("ben")
    try ben.perform(.open("rust"))
    let reader = try DatabaseQueue(path: fixture.database)

    let erasure = try reader.read { database in
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM learner")
      return try ben.learners.erase("zoe quux")
    }
    let before = try found(["zoe quux"], in: fixture)
    let again = try ben.sweep()

    #expect(!erasure.isSwept && again && before == ["zoe quux"])
    #expect(try found(["zoe quux"], in: fixture) == [])
  }

  @Test func `erasing the history since a time keeps everything earlier`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.live(120, seed: 5, on: fixture)
    let time = fixture.now
    let before = try ada.history.page().rows.map(\.uuid)
    let done = try ada.progress.attempts()
    fixture.advance(seconds: 1)
    try ada.live(120, seed: 6, on: fixture)
    let ben = try fixture.service("ben")
    try ben.perform(.open("rust"))

    let erasure = try ada.learners.eraseHistory(since: time.advanced(byMilliseconds: 1).date)

    #expect(erasure.steps > 50)
    #expect(erasure.isSwept)
    #expect(try ada.history.page().rows.map(\.uuid) == before)
    #expect(try ada.progress.attempts() == done)
    #expect(try ada.check() == [])
    #expect(try ben.history.page().rows.count == 2)
    try ada.live(30, seed: 7, on: fixture)
    #expect(try ada.check() == [])
  }

  @Test func `a learner whose last steps were erased continues in a new session`()
    throws
  {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english/meetings"))
    fixture.advance(seconds: 60)
    try ada.perform(.push("opening"))
    try ada.perform(.push("agenda"))

    try ada.learners.eraseHistory(since: fixture.now.date)

    #expect(try ada.currentPlace().path.description == "english/meetings")
    #expect(try ada.perform(.push("closing")).event?.sequence == 2)
    #expect(try ada.perform(.back).to.path.description == "english/meetings")
    #expect(try ada.check() == [])
  }
}
