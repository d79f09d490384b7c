import Foundation
import LearningModel
import Snapshots
import Testing

struct WritingACourseTests {
  @Test func `the documented course produces the documented tree`() throws {
    let page = try String(
      contentsOf: fixtures.deletingLastPathComponent().appending(path: "Documentation/writing-a-course.md"),
      encoding: .utf8)
    let files = page.matches(of: /(?ms)^```\w+ (\S+)\n(.*?)^```$/).map { (String($0.1), String($0.2)) }

    let draft = try TestFolder(Dictionary(uniqueKeysWithValues: files)).read()

    #expect(draft.diagnostics == [])
    expectSnapshot(draft.outline)
    #expect(draft.nodes.suffix(5).map(\.type) == [.reading, .quiz, .flashcards, .link, .exercise])
  }
}
