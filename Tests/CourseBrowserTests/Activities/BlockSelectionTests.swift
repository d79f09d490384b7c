import Testing
import TextCanvas

/// Selected paragraphs, tables and code blocks.
@MainActor @Suite struct BlockSelectionTests {
  private static let course = [
    "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
    "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
    "01-goal/01-lesson/01-text.md": "---\ntitle: Text\nminutes: 3\nsummary: With code.\n---\n\n"
      + "Some words.\n\n```\nlet answer = forty + two // and a comment that is longer than any line of the page\n```\n\n"
      + "More words.\n",
  ]

  @Test func `brace keys select blocks, y copies the selected block, Esc deselects it`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("}", at: 1)
    let first = fixture.rows(at: 1)[16]
    fixture.press("y", at: 2)
    fixture.press("}", at: 3)
    let second = fixture.rows(at: 10)[16]
    fixture.press("}", at: 11)
    fixture.press("y", at: 12)
    fixture.press("{", at: 13)
    fixture.press("{", at: 14)
    fixture.press("{", at: 15)
    let none = fixture.rows(at: 20)[16]
    fixture.press("{", at: 21)
    fixture.press(.escape, at: 22)

    #expect(first == "   y  Copy the paragraph  e note, M highlight, { } select")
    #expect(second == "   y  Copy the code                   w shows whole lines")
    #expect(fixture.copied == ["Some words.", "More words."])
    #expect(!none.contains("Copy"))
    #expect(fixture.rows(at: 30)[2].hasPrefix("   Text"))
  }

  @Test func `the w key unwraps long lines, which arrows scroll, and wraps them again`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    let wrapped = fixture.rows(at: 0)[6...12]
    fixture.press("w", at: 1)
    let unwrapped = fixture.rows(at: 1)[8]
    fixture.press(.right, at: 2)
    fixture.press(.right, at: 3)
    let scrolled = fixture.rows(at: 3)[8]
    let hint = fixture.rows(at: 3)[16]
    fixture.press(.left, at: 4)
    fixture.press(.left, at: 5)
    let back = fixture.rows(at: 5)[8]
    fixture.press("w", at: 6)

    #expect(unwrapped == "  ▌│ let answer = forty + two // and a comment that is l…")
    #expect(scrolled == "  ▌│ ty + two // and a comment that is longer than any l…")
    #expect(hint == "   y  Copy the code             ← → scroll, w wraps lines")
    #expect(back == unwrapped)
    #expect(fixture.rows(at: 6)[6...12].map { $0.replacing("▌", with: " ") } == Array(wrapped))
  }

  @Test func `the y key copies the visible code blocks one after another`() throws {
    var course = Self.course
    for name in course.keys where name.hasSuffix("text.md") {
      course[name] = "---\ntitle: Text\n---\n\n```\none\n```\n\nAnd\n\n```\ntwo\n```\n"
    }
    let fixture = try ActivityFixture("text", 60, 18, course: course)
    fixture.press("y", at: 1)
    let firstNotice = fixture.rows(at: 2)[15]
    fixture.press("y", at: 3)
    let lastNotice = fixture.rows(at: 3.5)[15]
    fixture.press("y", at: 4)

    #expect(firstNotice == "   Copied the code: one  y copies the next.")
    #expect(lastNotice == "   Copied the code: two")
    #expect(fixture.copied == ["one", "two", "one"])
  }
}
