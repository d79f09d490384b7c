import LearningModel
import Snapshots
import Testing
import TextCanvas

@testable import CoursePages

/// Collapsible blocks and tabs of a text.
@MainActor @Suite struct DetailsTests {
  private static let course = [
    "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
    "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
    "01-goal/01-lesson/01-text.md": "---\ntitle: Text\nminutes: 3\nsummary: With an exercise.\n---\n\n"
      + "How many legs has a bee?\n\n<details><summary>Solution</summary>\n\nSix.\n\n</details>\n\nGo on.\n",
  ]

  @Test func `Enter opens and closes a solution`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    let closed = fixture.rows(at: 0)
    fixture.press(.tab, at: 1)
    fixture.press(.enter, at: 2)
    let open = fixture.rows(at: 3)
    fixture.press(.enter, at: 4)

    #expect(closed.contains { $0.contains("▸ Solution") })
    #expect(!closed.contains { $0.contains("Six.") })
    expectSnapshot(open)
    #expect(!fixture.rows(at: 5).contains { $0.contains("Six.") })
  }

  @Test func `a search opens only the blocks that contain a match`() throws {
    var course = Self.course
    course["01-goal/01-lesson/01-text.md"]! +=
      "\n<details><summary>Hint</summary>\n\nIt is no spider.\n\n</details>\n"
    let fixture = try ActivityFixture("text", 60, 24, course: course)

    fixture.press("/", at: 1)
    _ = fixture.screen(at: 2)
    fixture.press("spider", at: 3)
    _ = fixture.screen(at: 4)
    fixture.press(.enter, at: 5)
    let results = fixture.rows(at: 7)

    #expect(results.contains { $0.contains("▸ Solution") })
    #expect(results.contains { $0.contains("▾ Hint") })
    #expect(results.contains { $0.contains("▎ It is no spider.") })
  }

  @Test func `blocks keep their numbers while closed blocks hide nested ones`() {
    let inner = Block.details(summary: [.text("B")], blocks: [.paragraph([.text("b")])])
    let blocks = [
      Block.details(summary: [.text("A")], blocks: [inner]),
      .bulletList(items: [ListItem(blocks: [.details(summary: [.text("C")], blocks: [])])]),
    ]
    func link(_ number: Int, _ sign: String, _ word: String) -> Block {
      .paragraph([.link(destination: "#details:\(number)", text: [.text(sign + " "), .text(word)])])
    }

    #expect(
      blocks.showing(ExpandedSections(), symbols: .unicode) == [
        .quote([link(0, "▸", "A")]), .bulletList(items: [ListItem(blocks: [.quote([link(2, "▸", "C")])])]),
      ])
    var all = ExpandedSections()
    all.details = [0, 1, 2]
    #expect(
      blocks.showing(all, symbols: .ascii) == [
        .quote([link(0, "-", "A"), .quote([link(1, "-", "B"), .paragraph([.text("b")])])]),
        .bulletList(items: [ListItem(blocks: [.quote([link(2, "-", "C")])])]),
      ])
  }

  @Test func `only the selected tab is shown, and a search selects the tab with the match`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.tabs)
    let first = fixture.rows(at: 0)
    fixture.press(.tab, at: 1)
    fixture.press(.tab, at: 2)
    fixture.press(.enter, at: 3)

    #expect(first[6...8] == ["   ▾ Shell   ▸ Python", "   ▎ Type it.", ""][...])
    #expect(fixture.rows(at: 4)[6...8] == ["   ▸ Shell   ▾ Python", "   ▎ Call it.", ""][...])
    #expect(fixture.rows(at: 4).contains { $0.contains("Show this tab") })
    #expect(
      [Block.tabs(Self.both)].sectionsToExpand { $0.contains("Call") }.tabs == [0: 1])
  }

  private static let both = [
    ContentTab(label: [.text("Shell")], blocks: [.paragraph([.text("Type it.")])]),
    ContentTab(label: [.text("Python")], blocks: [.paragraph([.text("Call it.")])]),
  ]

  private static let tabs: [String: String] = {
    var course = Self.course
    course["01-goal/01-lesson/01-text.md"] =
      "---\ntitle: Text\nminutes: 3\nsummary: With a choice.\n---\n\n<Tabs>\n"
      + "<TabItem label=\"Shell\">\n\nType it.\n\n</TabItem>\n"
      + "<TabItem label=\"Python\">\n\nCall it.\n\n</TabItem>\n</Tabs>\n"
    return course
  }()
}
