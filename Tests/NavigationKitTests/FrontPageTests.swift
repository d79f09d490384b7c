import CourseKit
import Foundation
import GRDB
import LearningModel
import LearningStore
import NavigationKit
import Testing

// The program on the front page of the documentation, copied literally.
func front(of path: String) async throws -> [String] {
  let database = try LearningDatabase(.file(path))
  try CourseLibrary(database).importBundled()

  let ada = try NavigationService(database, learner: "ada", session: .named("front"))
  var changes = try ada.changes().makeAsyncIterator()
  try await ada.perform(.open("english-for-business/meetings/opening"))
  _ = try await changes.next()  // also after a step by another program

  let page = try ada.places.page()
  if let first = page.children.first {
    let step = try await ada.perform(.push(PlaceName(first)), cause: .key, animated: true)
    try await ada.progress.record(.markedDone, in: PlaceName(step.to))
  }
  try await ada.perform(.pop)
  let meetings = HistoryFilter(under: "english-for-business/meetings")
  let steps = try ada.history.page(meetings).rows.map { "\($0.operation) \($0.to.title)" }
  let outcomes = try ada.history.leaving(meetings).map { "\($0.place.title): done \($0.done) of \($0.left)" }
  return steps + outcomes
}

struct FrontPageTests {
  @Test func `the program on the front page runs and returns the documented lines`() async throws {
    let fixture = try NavigationFixture()

    let lines = try await front(of: "\(fixture.folder)/front.sqlite")

    #expect(
      lines == ["pop Opening", "push Why are we here?", "open Opening", "Why are we here?: done 1 of 1"])
  }

  @Test func `the front page shows the tested program`() throws {
    let file = URL(filePath: #filePath)
    let source = try String(contentsOf: file, encoding: .utf8)
    let page = try String(
      contentsOf: file.deletingLastPathComponent()
        .appending(path: "../../Sources/NavigationKit/Documentation.docc/NavigationKit.md").standardized,
      encoding: .utf8)
    let program = try #require(
      source.components(separatedBy: "copied literally.\n").dropFirst().first?
        .components(separatedBy: "\n\nstruct FrontPageTests").first)

    #expect(page.contains("```swift\n\(program)\n```"))
    #expect(program.split(separator: "\n").count <= 22)
  }
}
