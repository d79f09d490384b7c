import LearningModel
import Snapshots
import Testing

@testable import CourseFormats

struct WaymarkWriterTests {
  @Test(arguments: 0..<60) func `a course has equal content after it is written and read back`(_ seed: UInt64) throws {
    var random = RandomContent(seed: seed)
    let (nodes, contents) = random.course()
    var text = ""
    try WaymarkWriter.write(nodes, language: "de", contents: ContentsInMemory(contents)) { text += $0 }

    let draft = try FormatRegistry.read(CourseSource(name: "random.json", bytes: Array(text.utf8)))

    #expect(draft.diagnostics == [])
    #expect(draft.nodes == nodes)
    #expect(draft.language == "de")
    for (index, content) in contents { #expect(try draft.contents.content(at: index) == content) }
  }

  @Test func `blocks at Markdown's maximum depth are written and read back`() throws {
    let text = (0..<31).map { String(repeating: "  ", count: $0) + "- x\n" }.joined()
    let blocks = try MarkdownText.parse(text, file: "a.md", limits: .standard).blocks.map(\.block)
    let nodes = [
      DraftNode(parent: nil, key: "c", kind: .course, title: "C"),
      DraftNode(parent: 0, key: "g", kind: .goal, title: "G"),
      DraftNode(parent: 1, key: "l", kind: .lesson, title: "L"),
      DraftNode(parent: 2, key: "a", kind: .activity, title: "A", type: .reading),
    ]
    var written = ""
    try WaymarkWriter.write(nodes, language: nil, contents: ContentsInMemory([3: .reading(blocks)])) { written += $0 }

    let draft = try FormatRegistry.read(CourseSource(name: "deep.json", bytes: Array(written.utf8)))

    #expect(draft.diagnostics == [])
    #expect(try draft.content("a") == .reading(blocks))
  }

  @Test func `equal courses produce equal bytes, even after reading and writing again`() throws {
    var random = RandomContent(seed: 4711)
    let (nodes, contents) = random.course()
    var first = ""
    try WaymarkWriter.write(nodes, language: nil, contents: ContentsInMemory(contents)) { first += $0 }

    let again = try WaymarkWriter.text(
      of: FormatRegistry.read(CourseSource(name: "random.json", bytes: Array(first.utf8))))

    #expect(again == first)
  }

  @Test func `the JSON is formatted for readers`() throws {
    let nodes = [
      DraftNode(parent: nil, key: "bees", kind: .course, title: "Bees"),
      DraftNode(parent: 0, key: "start", kind: .goal, title: "Start", summary: "Begin well."),
      DraftNode(parent: 1, key: "start/hive", kind: .lesson, title: "The hive"),
      DraftNode(parent: 2, key: "start/hive/parts", kind: .activity, title: "Parts", minutes: 4, type: .reading),
      DraftNode(parent: 2, key: "start/hive/check", kind: .activity, title: "Check", type: .quiz),
    ]
    let contents: [Int: ActivityContent] = [
      3: .reading([
        .heading(level: 2, text: [.text("From below")], anchor: "from-below"),
        .paragraph([.text("A floor, "), .emphasis([.text("boxes")]), .text(", and a roof with a stone on it.")]),
      ]),
      4: .quiz(
        introduction: [],
        questions: [
          QuizQuestion(
            question: [.text("Who lives upstairs?")], details: [],
            choices: [
              .init(text: [.text("The honey")], isRight: true), .init(text: [.text("The queen")], isRight: false),
            ],
            explanation: [.paragraph([.text("A grid keeps the queen below.")])])
        ]),
    ]
    var text = ""

    try WaymarkWriter.write(nodes, language: "en", contents: ContentsInMemory(contents)) { text += $0 }

    expectSnapshot(text)
  }
}
