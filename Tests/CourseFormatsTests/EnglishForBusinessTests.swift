import CourseFormats
import Foundation
import LearningModel
import Testing

struct EnglishForBusinessTests {
  private let folder = fixtures.appending(path: "english-for-business")
  private let file = fixtures.appending(path: "english-for-business.json")

  @Test func `the folder is read without diagnostics`() throws {
    let draft = try FormatRegistry.read(CourseSource(path: folder.path))

    #expect(draft.diagnostics == [])
    #expect(draft.losses == [])
  }

  @Test func `the course has at least fifty activities of all types but exercises`() throws {
    let draft = try FormatRegistry.read(CourseSource(path: folder.path))

    let counts = draft.counts
    #expect(counts.goal >= 4 && counts.lesson >= 12 && counts.activity >= 50)
    #expect(Set(draft.nodes.compactMap(\.type)) == Set(ActivityType.allCases).subtracting([.exercise]))
  }

  @Test func `every quiz question has an explanation`() throws {
    let draft = try FormatRegistry.read(CourseSource(path: folder.path))

    for case .quiz(_, let questions, _) in try draft.allContents() {
      for question in questions { #expect(!question.explanation.isEmpty, "\(question.question.plainText)") }
    }
  }

  @Test func `the folder and the JSON file produce equal drafts`() throws {
    let fromFolder = try FormatRegistry.read(CourseSource(path: folder.path))
    let fromFile = try FormatRegistry.read(CourseSource(path: file.path))

    #expect(fromFile.diagnostics == [])
    #expect(fromFile.format == fromFolder.format)
    #expect(fromFile.language == fromFolder.language)
    #expect(fromFile.nodes == fromFolder.nodes)
    #expect(try fromFile.allContents() == fromFolder.allContents())
  }

  /// After a change of the folder, `WAYMARK_WRITE_FIXTURES=1 swift test --filter EnglishForBusiness` rewrites the
  /// file.
  @Test func `the JSON file equals the writer's output for the folder`() throws {
    let draft = try FormatRegistry.read(CourseSource(path: folder.path))

    let text = try WaymarkWriter.text(of: draft)

    if ProcessInfo.processInfo.environment["WAYMARK_WRITE_FIXTURES"] != nil {
      try Data(text.utf8).write(to: file, options: .atomic)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }
}
