import CourseKit
import Foundation
import GRDB
import LearningModel
import LearningStore
import NavigationKit
import TestSupport
import Testing

// The functions of the articles in the documentation catalog.

func openForBrowsing(_ path: String) throws -> (library: CourseLibrary, navigation: NavigationService) {
  let database = try LearningDatabase(.file(path), busyTimeout: .milliseconds(500))
  let navigation = try NavigationService(database, learner: "ada", session: .process(named: "browser"))
  return (CourseLibrary(database), navigation)
}

func tryStep(_ request: NavigationRequest, with navigation: NavigationService) throws -> NavigationStep? {
  do {
    return try navigation.perform(request, waitingAtMost: .milliseconds(20))
  } catch NavigationError.busy {
    return nil  // repeat it after the next frame
  }
}

@MainActor func follow(_ place: PlaceName, in navigation: NavigationService, show: (PlacePage) -> Void) async throws {
  for try await page in try navigation.places.pages(of: place) {
    show(page)
  }
}

// End of the functions.

struct ArticleTests {
  @Test func `a database is opened for a library and a service`() throws {
    let fixture = try NavigationFixture.withCourses()

    let (library, navigation) = try openForBrowsing(fixture.database)

    #expect(try library.courses().count == 2)
    #expect(try navigation.perform(.open("english")).isPerformed)
    try navigation.endSession()
  }

  @Test func `a step that fails on a locked database can be repeated`() throws {
    let (fixture, ada) = try NavigationFixture.withService()
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: fixture.database, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }

    let first = try tryStep(.open("english"), with: ada)
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    let second = try tryStep(.open("english"), with: ada)

    #expect(first == nil && second?.isPerformed == true)
  }

  @Test func `pages are displayed on the main actor until the task is cancelled`() async throws {
    let (_, ada) = try NavigationFixture.withService()
    let task = Task { @MainActor in
      var titles: [String] = []
      try await follow("english", in: ada) { page in
        titles.append(page.place.title)
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return titles
    }

    #expect(try await bounded { try await task.value } == ["English"])
  }

  @Test func `the articles contain the functions that are tested here`() throws {
    let file = URL(filePath: #filePath)
    let source = try String(contentsOf: file, encoding: .utf8)
    let catalog = file.deletingLastPathComponent()
      .appending(path: "../../Sources/NavigationKit/Documentation.docc").standardized
    let articles = try ["OpeningADatabase", "ThreadsAndBlocking", "ObservingChanges"].map {
      try String(contentsOf: catalog.appending(path: "\($0).md"), encoding: .utf8)
    }
    let functions = try #require(
      source.components(separatedBy: "documentation catalog.\n\n").dropFirst().first?
        .components(separatedBy: "\n\n// End of the functions.").first
    ).components(separatedBy: "\n\n")

    #expect(functions.count == 3)
    #expect(functions.allSatisfy { function in articles.contains { $0.contains(function) } })
  }
}
