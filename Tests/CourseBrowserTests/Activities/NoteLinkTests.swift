import LearningModel
import Snapshots
import Testing
import TextCanvas

@testable import CoursePages

/// Footnotes and links between them and their references.
@MainActor @Suite struct NoteLinkTests {
  private static let course = [
    "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
    "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
    "01-goal/01-lesson/01-text.md": "---\ntitle: Text\nminutes: 3\nsummary: With notes.\n---\n\n"
      + "Bees[^b] and *wasps[^w]* fly; array[0] does not.\n\n"
      + (1...9).map { "Paragraph \($0).\n\n" }.joined()
      + "[^b]: They make honey.\n\n[^w]: They do not.\n",
  ]

  @Test func `a footnote opens at its reference and closes again`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press(.tab, at: 0)
    let closed = fixture.rows(at: 0)
    fixture.press(.enter, at: 1)
    expectSnapshot(fixture.screen(at: 2))
    fixture.press(.enter, at: 3)

    #expect(closed[16] == "   ↵  Read note 1                            in this text")
    #expect(fixture.rows(at: 4)[5...] == closed[5...])
  }

  @Test func `a footnote at the end links back to its reference`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("G", at: 0)
    fixture.press(.tab, at: 1)
    let end = fixture.rows(at: 1)
    fixture.press(.enter, at: 2)

    #expect(end[16] == "   ↵  Back to [1]                            in this text")
    #expect(fixture.rows(at: 3)[6] == "   Bees[1] and wasps[2] fly; array[0] does not.")
    #expect(fixture.rows(at: 3)[16] == "   ↵  Read note 1                            in this text")
  }

  @Test func `text in brackets without a footnote is unchanged`() {
    let text: [Block] = [.paragraph([.text("See [1] and [x].")]), .rule, .paragraph([.text("The end of it.")])]
    let other: [Block] = [.paragraph([.text("See [1].")]), .paragraph([.text("[1] A list of its own.")])]

    #expect(text.withFootnoteLinks == text)
    #expect(other.withFootnoteLinks == other)
  }

  @Test func `references are found at every depth except in code and links`() {
    let one: Inline = .link(destination: "#note:1", text: [.text("[1]")])
    let text: [Block] = [
      .quote([.bulletList(items: [ListItem(blocks: [.paragraph([.strong([.text("a[1]b[2][1]")])])])])]),
      .paragraph([.code("[1]"), .link(destination: "#x", text: [.text("[1]")]), .text("[ [1]")]),
      .table(alignments: [.left], header: [[.text("[1]")]], rows: [[[.text("c")]]]),
      .rule, .paragraph([.text("[1] One, "), .emphasis([.text("as it were.")])]),
    ]

    #expect(
      text.withFootnoteLinks == [
        .quote([
          .bulletList(items: [ListItem(blocks: [.paragraph([.strong([.text("a"), one, .text("b[2]"), one])])])])
        ]),
        .paragraph([.code("[1]"), .link(destination: "#x", text: [.text("[1]")]), .text("[ "), one]),
        .table(alignments: [.left], header: [[one]], rows: [[[.text("c")]]]),
        .rule,
        .paragraph([
          .link(destination: "#reference:1", text: [.text("[1]")]), .text(" One, "), .emphasis([.text("as it were.")]),
        ]),
      ])
  }
}
