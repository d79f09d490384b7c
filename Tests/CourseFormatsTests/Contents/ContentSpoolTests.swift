import LearningModel
import Testing

@testable import CourseFormats

struct ContentSpoolTests {
  @Test func `contents are read in any order, and the last content stored for an index is returned`() throws {
    var random = RandomContent(seed: 1)
    var spool = try ContentSpool()
    var expected: [Int: ActivityContent] = [:]

    for _ in 0..<500 {
      let index = random.number(0...99)
      expected[index] = random.content()
      try spool.store(expected[index]!, at: index)
      if index < 5 { #expect(try spool.content(at: index) == expected[index]) }
    }
    let contents = try spool.finish()

    for (index, content) in expected { #expect(try contents.content(at: index) == content) }
    #expect(try contents.content(at: 1000) == .reading([]))
  }

  @Test func `a draft can be read after its source folder is removed`() throws {
    var folder: TestFolder? = try TestFolder(["course.yml": "title: A", "g/l/1-a.md": "# A\n\nx"])
    let draft = try FormatRegistry.read(CourseSource(path: folder!.path))

    folder = nil

    #expect(try draft.content("g/l/a") == .reading([.paragraph([.text("x")])]))
  }
}
