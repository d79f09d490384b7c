import CourseKit
import Foundation
import GRDB
import LearningModel
import NavigationKit
import Testing

// The program of the front page, as it stands there.
func front(of database: String) async throws -> [String] {
  let library = try CourseLibrary(databaseAt: database)
  try library.importBundled()

  let ada = try NavigationService(databaseAt: database, learner: "ada", session: .named("front"))
  var changes = try ada.changes().makeAsyncIterator()
  try ada.perform(.open("english-for-business/meetings/opening"))
  await changes.next()  // also where another program has taken the step

  let page = try ada.page()
  if let first = page.children.first {
    let step = try ada.perform(.push(.place(first.place.place)), cause: .key, animated: true)
    try ada.record(.markedDone, in: .place(step.to.place))
  }
  try ada.perform(.pop)
  let meetings = HistoryFilter(under: "english-for-business/meetings")
  let steps = try ada.history(meetings).rows.map { "\($0.operation) \($0.to.title)" }
  let left = try ada.leaving(meetings).map { "\($0.place.title): done \($0.done) of \($0.left)" }
  return steps + left
}

struct FrontPageTests {
  @Test func `the program of the front page runs and returns the documented lines`() async throws {
    let desk = try Desk()

    let lines = try await front(of: "\(desk.folder)/front.sqlite")

    #expect(
      lines == ["pop Opening", "push Why are we here?", "open Opening", "Why are we here?: done 1 of 1"])
  }

  @Test func `the front page shows the program that runs`() throws {
    let file = URL(filePath: #filePath)
    let source = try String(contentsOf: file, encoding: .utf8)
    let page = try String(
      contentsOf: file.deletingLastPathComponent()
        .appending(path: "../../Sources/NavigationKit/Documentation.docc/NavigationKit.md").standardized,
      encoding: .utf8)
    let program = try #require(
      source.components(separatedBy: "as it stands there.\n").dropFirst().first?
        .components(separatedBy: "\n\nstruct FrontPageTests").first)

    #expect(page.contains("```swift\n\(program)\n```"))
    #expect(program.split(separator: "\n").count <= 22)
  }
}

struct ChangesTests {
  @Test func `changes by any program are reported, several at once only once`() async throws {
    let (desk, ada) = try Desk.withService()
    var changes = try ada.changes(every: .milliseconds(10)).makeAsyncIterator()

    try ada.perform(.open("english"))
    let own: Void? = await changes.next()
    try desk.write { try $0.execute(sql: "UPDATE contentNode SET summary = 'new' WHERE slug = 'agenda'") }
    let others: Void? = await changes.next()

    #expect(own != nil && others != nil)
  }

  @Test func `a stream of changes ends with its task`() async throws {
    let ada = try Desk.withCourses().service()
    let waiting = Task {
      var count = 0
      for await _ in try ada.changes(every: .milliseconds(10)) { count += 1 }
      return count
    }

    waiting.cancel()

    #expect(try await waiting.value == 0)
  }
}
