import Foundation
import GRDB
import LearningModel
import Testing

@testable import NavigationKit

struct LearnerNamesTests {
  private static let digest = String(repeating: "c", count: 64)

  @Test func `no action adds a learner whose name is similar to a known one`() throws {
    let fixture = try NavigationFixture.withCourses()
    try fixture.service("ada").perform(.open("english"))
    let other = try fixture.service(" ADA\u{200B}")
    let expected = NavigationError.similarName(name: "ADA\u{200B}", known: "ada")

    #expect(throws: expected) { try other.perform(.open("rust")) }
    #expect(throws: expected) { try other.notes.setBookmark(true, at: "rust") }
    #expect(throws: expected) { try other.set("dark", forSetting: "theme") }
    #expect(throws: expected) { try other.progress.record(.markedDone, in: "rust/start/hello/world") }
    #expect(throws: expected) {
      try other.progress.setReadingPosition(
        ReadingPosition(block: 0, blockOffset: 0, fraction: 0, heading: nil, savedAt: fixture.now),
        in: .text("rust/start/hello/world"))
    }
    #expect(throws: expected) {
      try other.access.addToken(digest: Self.digest, for: "ADA\u{200B}", .learner, expiresAt: nil)
    }
    #expect(try other.classes.add("7b", at: fixture.now))
    #expect(throws: expected) { try other.classes.join(["ADA\u{200B}"], toClass: "7b", at: fixture.now) }
    #expect(try other.learners.all().map(\.name) == ["ada"] && other.access.tokens() == [])
  }

  @Test func `the learner name of a token counts as known before the learner has connected`() throws {
    let fixture = try NavigationFixture.withCourses()
    let service = try fixture.service("server")
    _ = try service.access.addToken(digest: Self.digest, for: "Ada", .learner, expiresAt: nil)

    #expect(throws: NavigationError.similarName(name: "ada", known: "Ada")) {
      try service.access.addToken(
        digest: String(repeating: "d", count: 64), for: "ada", .learner, expiresAt: nil)
    }
    try fixture.service("Ada").perform(.open("english"))
    #expect(try service.learners.all().map(\.name) == ["Ada"])
  }

  @Test(arguments: ["a\nb", "all", "ALL", "a\u{202E}b", String(repeating: "a", count: 101), "\u{200B}"])
  func `an invalid learner name is refused everywhere`(name: String) throws {
    let fixture = try NavigationFixture.withCourses()
    let service = try fixture.service("server")
    let expected = NavigationError.unusableName(name: name)
    let file =
      Data(
        #"{"format":"waymark-learner","version":2,"uuid":"\#(RandomIdentifier.make())","name":"ben","nodes":[],"#.utf8)
      + Data(#""createdAt":"2026-11-20T10:00:00.000Z","sessions":[],"steps":[],"activities":[],"bookmarks":[],"#.utf8)
      + Data(#""positions":[],"quizzes":[],"passages":[],"changes":[],"settings":{},"#.utf8)
      + Data(#""erased":{"sessions":[],"spans":[]}}"#.utf8)

    #expect(throws: expected) { try fixture.service(name) }
    #expect(throws: expected) {
      try NavigationService(sharingDatabaseOf: service, learner: name, session: .shell, timeZone: .gmt)
    }
    #expect(throws: expected) { try service.access.addToken(digest: Self.digest, for: name, .learner, expiresAt: nil) }
    #expect(try service.classes.add("7b", at: fixture.now))
    #expect(throws: expected) { try service.classes.join([name], toClass: "7b", at: fixture.now) }
    #expect(throws: expected) { try service.learners.import(from: file, named: "ben.json", as: name) }
    #expect(try service.learners.all() == [])
    #expect(try service.learners.import(from: file, named: "ben.json").learner == "ben")
  }

  @Test(arguments: ["a\nb", "all", "Ada", String(repeating: "a", count: 101)])
  func `a name that is already in the database works even if invalid`(name: String) throws {
    let fixture = try NavigationFixture.withCourses()
    try fixture.service("ada").perform(.open("english"))
    try fixture.write { try $0.execute(sql: "INSERT INTO learner (name, createdAt) VALUES (?, 0)", arguments: [name]) }

    let service = try fixture.service(name)
    try service.perform(.open("rust"))
    let file = Data(try service.file(of: name).utf8)
    let again = try service.learners.import(from: file, named: "a.json")
    _ = try service.access.addToken(digest: Self.digest, for: name, .learner, expiresAt: nil)

    #expect(try service.history.page().rows.count == 2)
    #expect(again.learner == name && again.similarName == nil)
  }

  @Test func `an imported learner with a similar name is added and reported`() throws {
    let home = try NavigationFixture.withCourses()
    try home.service("Ada").perform(.open("english"))
    let file = Data(try home.service("Ada").file(of: "Ada").utf8)
    let ada = try NavigationFixture.withCourses().service()
    try ada.perform(.open("rust"))

    let first = try ada.learners.import(from: file, named: "a.json")
    let second = try ada.learners.import(from: file, named: "a.json")

    #expect(first.learner == "Ada" && first.steps == 2 && first.similarName == "ada")
    #expect(second.steps == 0 && second.similarName == nil)
    #expect(try ada.learners.all().map(\.name) == ["Ada", "ada"])
  }

  @Test func `a synchronised learner with a similar name is added and reported`() throws {
    let school = try NavigationFixture.withCourses()
    try school.service("Ada").perform(.open("english"))
    let fixture = try NavigationFixture.withCourses()
    try fixture.service("ada").perform(.open("rust"))

    let first = try SyncPair(fixture.service("Ada"), school.service("Ada")).run()
    let second = try SyncPair(fixture.service("Ada"), school.service("Ada")).run()

    #expect(first.received.steps == 2 && first.similarName == "ada")
    #expect(second.similarName == nil)
  }

  @Test func `names match case-insensitively only on request and if unambiguous`() throws {
    let fixture = try NavigationFixture.withCourses()
    func learner(_ name: String) throws -> String {
      try NavigationService(databaseAt: fixture.database, learner: name, ignoringCase: true).learner
    }
    let nobody = try learner("ada")
    try fixture.service("Ada").perform(.open("english"))
    let similar = try learner("ada")
    try fixture.write { try $0.execute(sql: "INSERT INTO learner (name, createdAt) VALUES ('ADA', 0)") }
    let (several, exact) = try (learner("ada"), learner("ADA"))

    #expect([nobody, similar, several, exact] == ["ada", "Ada", "ada", "ADA"])
    #expect(try fixture.service("ada").learner == "ada")
  }
}
