import CourseKit
import Foundation
import NavigationKit
import TestSupport
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// The last two rows: the listed keys, and the texts that are omitted in narrow terminals.
@MainActor @Suite struct FooterTests {
  private static let lesson: PlaceName = "english-for-business/negotiating/opening-offers"

  @Test func `each list shows the keys with which it can be left`() throws {
    let fixture = try BrowserFixture(opening: Self.lesson)
    var rows = [fixture.screen(at: 0)[23]]
    for step in 1...3 {
      fixture.press(.left, at: Double(step))
      rows.append(fixture.screen(at: Double(step) + 0.9)[23])
    }

    #expect(
      rows == [
        "   ↵ open  ← up  x done  / find  ? help   [1 Learn] 2 Find 3 History 4 Review   ",
        "   ↵ open  ← up  n p goal  ? help         [1 Learn] 2 Find 3 History 4 Review   ",
        "   ↵ open  ← up  / find  i info  ? help   [1 Learn] 2 Find 3 History 4 Review   ",
        "   ↵ open  ↑↓ select  ? help  q quit      [1 Learn] 2 Find 3 History 4 Review   ",
      ])
  }

  @Test(
    arguments: [
      (
        100,
        "   ↵ open   ← up   n p lesson   x done   / find   ? help      [1 Learn] 2 Find 3 History 4 Review   "
      ),
      (70, "   ↵ open  ← up  x done         [1 Learn] 2 Find 3 History 4 Review   "),
      (60, "   ↵ open  ← up       [1 Learn] 2 Find 3 History 4 Review   "),
    ])
  func `a narrow footer omits the keys that lead to other screens`(columns: Int, row: String) throws {
    #expect(try BrowserFixture(columns, 24, opening: Self.lesson).screen(at: 0)[23] == row)
  }

  @Test(arguments: [
    (80, "   .  Continue with “Where do you stop?”             31 % read, stopped 10:00"),
    (60, "   .  Continue with “Where do you stop?”        22 % read"),
  ])
  func `in a narrow footer, a title takes precedence over the time of the last visit`(columns: Int, row: String) throws
  {
    let fixture = try BrowserFixture(
      columns, 24, opening: "english-for-business/negotiating/preparing/where-do-you-stop")
    fixture.type("xx", at: 60)
    fixture.press(.left, at: 61)

    #expect(fixture.screen(at: 62)[22].withoutTrailingBlanks == row)
  }

  @Test(arguments: [120, 80, 60, 40])
  func `the footer of a text shows at most seven keys, among them those of notes`(columns: Int) throws {
    let fixture = try BrowserFixture(
      columns, 24, opening: "english-for-business/negotiating/preparing/where-do-you-stop")
    let row = fixture.screen(at: 0)[23]

    #expect(row.trimmed.hasPrefix("Space more"), "\(row)")
    #expect(row.contains("e note") == (columns != 60) && row.contains("M highlight") == (columns > 80), "\(row)")
    let keys = row.components(separatedBy: "[")[0].components(separatedBy: "  ").filter { !$0.isEmpty }
    #expect(keys.count <= 7, "\(row)")
  }

  @Test func `if there is no course, the footer does not offer the search`() throws {
    let fixture = try BrowserFixture(isEmpty: true)
    let small = try BrowserFixture(40, 12, isEmpty: true)

    #expect(
      fixture.screen(at: 0)[23] == "   ↵ open  ↑↓ select  ? help  q quit      [1 Learn] 2 Find 3 History 4 Review   ")
    // A title takes precedence over everything after it.
    #expect(small.screen(at: 0)[3] == " ▌ English for Business                 ")
  }

  @Test func `a truncated title keeps its closing quotation mark`() throws {
    let fixture = try BrowserFixture(40, 12, opening: Self.lesson)
    fixture.browser.screen.show(
      Footer(hint: Footer.Hint(key: ".", text: "Continue with “A title of many words”", detail: "")))

    #expect(fixture.screen(at: 1)[10] == " .  Continue with “A title of many wo…” ")
    fixture.browser.screen.show(
      Footer(
        hint: Footer.Hint(key: ".", text: "Continue with “A title of many more words than fit”", detail: "")))
    #expect(fixture.screen(at: 2)[10] == " .  Continue with “A title of many mo…” ")
  }

  @Test func `an empty place shows a message, and the open key is not shown`() throws {
    let folder = try TemporaryFolder()
    let text = "---\ntitle: Text\n---\n\nWords.\n"
    for (name, content) in [
      ("course.yml", "title: Plans\n"), ("01-full/01-lesson/01-text.md", text), ("02-empty/goal.yml", "title: Empty\n"),
    ] {
      let file = URL(filePath: folder.file(name))
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try folder.write(Data(content.utf8), to: name)
    }
    let fixture = try BrowserFixture(isEmpty: true)
    try fixture.browser.library.importCourse(from: folder.path)
    fixture.press("j", at: 1)
    fixture.press("k", at: 2)
    fixture.press(.enter, at: 3)
    fixture.press(.down, at: 4)
    let course = fixture.screen(at: 5)
    fixture.press(.enter, at: 6)

    #expect(course[9] == " │ Empty                                                         empty        │ ")
    expectSnapshot(fixture.text(at: 7))
  }

  @Test func `a notice ends when another page opens, even if the next step is the same`() throws {
    let fixture = try BrowserFixture()
    fixture.press(.escape, at: 1)
    #expect(fixture.screen(at: 1.1)[21].hasPrefix("   This is the list of courses: there is nothing above it."))

    fixture.press(.enter, at: 1.5)

    #expect(fixture.screen(at: 2)[22].hasPrefix("   .  Begin with “Why are we here?”"))
  }

  @Test func `the next step skips activities that are done`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating/opening-offers/read-the-brief")
    for activity in ["read-the-brief", "who-speaks-first"] {
      try fixture.browser.navigation.progress.record(
        .markedDone, in: .text("english-for-business/negotiating/opening-offers/\(activity)"))
    }
    fixture.browser.readAgain()
    #expect(fixture.screen(at: 0)[22].hasPrefix("   n  Next: Who speaks first?"))

    fixture.press(".", at: 1)

    #expect(fixture.screen(at: 2)[2].hasPrefix("   Anchors and ranges"))
  }
}
