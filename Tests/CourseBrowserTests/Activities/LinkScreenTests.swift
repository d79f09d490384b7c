import LearningModel
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct LinkScreenTests {
  @Test func `a link shows its address and is done when the learner marks it as done`() throws {
    let fixture = try ActivityFixture("link")
    let before = fixture.screen(at: 60)
    #expect(try !fixture.isDone("link"))

    fixture.press(.enter, at: 61)

    expectSnapshot(before, "before")
    expectSnapshot(fixture.screen(at: 62), "at 62")
    #expect(try fixture.isDone("link"))
  }

  @Test func `the y key copies the address`() throws {
    let fixture = try ActivityFixture("link")

    fixture.press("y", at: 1)

    #expect(fixture.copied == ["https://example.org/a/long/way"])
    #expect(fixture.rows(at: 1)[17] == "   Copied the address: https://example.org/a/long/way")
  }

  @Test func `Space continues without marking the link as done`() throws {
    let fixture = try ActivityFixture("link")

    fixture.press(" ", at: 1)

    #expect(try !fixture.isDone("link"))
    #expect(fixture.rows(at: 2)[2].hasPrefix("   Short"))
  }
}

/// Links out of the course, by URL scheme.
@MainActor struct OutsideLinkTests {
  private static func course(_ destination: String) -> [String: String] {
    [
      "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
      "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
      "01-goal/01-lesson/01-text.md": "---\ntitle: Text\nminutes: 3\nsummary: Out.\n---\n\nSee [it](\(destination)).\n",
    ]
  }

  @Test func `Enter opens a selected web link, or copies it if that fails`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course("https://example.org/a"))
    var opened: [String] = []
    fixture.browser.onOpen = { address in
      opened.append(address)
      return true
    }
    fixture.press(.tab, at: 1)
    let hint = fixture.rows(at: 1)[16]
    fixture.press(.enter, at: 2)
    let answer = fixture.rows(at: 2)[15]
    fixture.browser.onOpen = nil
    fixture.press(.enter, at: 3)

    #expect(hint == "   ↵  Open https://example.org/a       outside the course")
    #expect(opened == ["https://example.org/a"])
    #expect(answer == "   Opened https://example.org/a")
    #expect(fixture.copied == ["https://example.org/a"])
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "vbscript:x", "x-y:z"])
  func `links with unsafe schemes are neither opened nor sent to the terminal`(_ address: String) throws {
    let theme = Theme(colourDepth: .none, pageAppearance: .dark)
    let text = ReadingLayout(width: 40, theme: theme, symbols: .unicode)
      .text([.paragraph([.link(destination: address, text: [.text("it")])])])

    #expect(WebAddress(address) == nil)
    #expect(text.links.map(\.destination) == [address])
    #expect(text.lines[0].runs.allSatisfy { $0.style.link == nil })
  }
}
