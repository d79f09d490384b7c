import CourseKit
import Foundation
import GRDB
import LearningModel
import LearningStore
import NavigationKit
import Testing

/// Tests services on in-memory, read-only and locked databases.
struct DatabaseOptionTests {
  @Test func `a library and services use one database in memory`() throws {
    let database = try LearningDatabase(.memory)
    let library = CourseLibrary(database)
    try library.importBundled()
    let browser = try NavigationService(database, learner: "ada", session: .browser)
    let service = try NavigationService(database, learner: "ada")

    try browser.perform(.open("english-for-business/meetings"))
    try service.perform(.open("english-for-business/negotiating"))

    #expect(try browser.places.page().place.title == "Meetings")
    #expect(try service.places.page().place.title == "Negotiating")
    #expect(try library.search("anchors").hits.isEmpty == false)
    #expect(try library.importBundled().difference.isEmpty)
    try browser.endSession()
    #expect(try service.history.sessions().map { $0.endedAt == nil }.sorted { $0 && !$1 } == [true, false])
    #expect(try library.check() == [] && service.check() == [])
    #expect(!FileManager.default.fileExists(atPath: ":memory:-sessions"))
  }

  @Test func `a read-only database can be read, and its steps are refused or written to a copy`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english"))
    let database = try LearningDatabase(.file(fixture.database), isReadOnly: true)
    let reader = try NavigationService(database, learner: "ada", now: { fixture.now })
    let refusal = NavigationError.database(.openedReadOnly(path: fixture.database))

    #expect(try reader.currentPlace().title == "English")
    #expect(throws: refusal) { try reader.perform(.push("meetings")) }
    #expect(throws: refusal) { try reader.endSession() }
    reader.allowUnrecordedSteps()
    #expect(try reader.perform(.push("meetings")).isPerformed)

    #expect(try ada.currentPlace().title == "English")
    #expect(try reader.currentPlace().title == "Meetings" && reader.unrecordedNotice != nil)
  }

  @Test func `every write uses the busy timeout of its database`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english"))
    let database = try LearningDatabase(.file(fixture.database), busyTimeout: .zero)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: fixture.database, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }

    let service = try NavigationService(database, learner: "ada", now: { fixture.now })
    #expect(try service.currentPlace().title == "English")
    #expect(throws: NavigationError.busy) { try service.perform(.push("meetings")) }
    #expect(throws: NavigationError.busy) { try service.endSession() }
    #expect(throws: NavigationError.busy) { try service.notes.setBookmark(true, at: "english") }
    #expect {
      try CourseLibrary(database).importBundled()
    } throws: { error in
      (error as? any ExplainedError)?.kind == .tryAgain
    }
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }

    #expect(try service.perform(.push("meetings")).isPerformed)
  }

  @Test func `an empty name is refused before a file is created`() throws {
    let fixture = try NavigationFixture()
    let path = fixture.folder + "/new.sqlite"

    #expect(throws: NavigationError.unusableName(name: " ")) { try NavigationService(databaseAt: path, learner: " ") }
    #expect(throws: NavigationError.database(.notAPath(":memory:", reason: .memory))) {
      try NavigationService(databaseAt: ":memory:", learner: "ada")
    }
    #expect(throws: CourseLibraryError.database(.notAPath("file:a", reason: .uri))) {
      try CourseLibrary(databaseAt: "file:a")
    }

    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
