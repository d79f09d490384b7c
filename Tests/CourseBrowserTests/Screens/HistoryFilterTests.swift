import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Synchronization
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser

/// Outcomes of visits, filters of History, and its export.
@MainActor @Suite struct HistoryFilterTests {
  private static let preparing = "english-for-business/negotiating/preparing/"

  /// Returns a browser whose learner has done one activity, begun another, and is in a third.
  private func fixture(_ columns: Int = 80, _ rows: Int = 24) throws -> BrowserFixture {
    let fixture = try BrowserFixture(columns, rows, opening: .text(Self.preparing + "where-do-you-stop"))
    fixture.press("x", at: 1)
    fixture.press("n", at: 2)
    fixture.press("n", at: 3)
    fixture.press("3", at: 4)
    return fixture
  }

  @Test func `the outcome of a visit is shown next to it`() throws {
    let fixture = try fixture()

    expectSnapshot(fixture.text(at: 5))
  }

  @Test(arguments: [
    ("30m", "since 30m"), ("since 09:30", "since 09:30"), ("kind:quiz today", "kind:quiz today"),
    ("30", "places with “30” in their title"),
  ])
  func `the filter accepts times and queries`(query: String, choice: String) throws {
    let fixture = try fixture()
    fixture.press("f", at: 5)
    fixture.type(query, at: 6)
    _ = fixture.screen(at: 7)

    #expect((fixture.browser.overlay as? HistoryFilterScreen)?.chosenEntry?.name == choice)
  }

  @Test func `the examples of the search are valid queries`() throws {
    let examples = HistoryScreen.examples.replacing("PATH", with: "rust").replacing("title words", with: "")
    let now = Timestamp("2026-11-20T10:15:30Z")!

    let filter = try HistoryFilter(titleTexts: examples, now: now.date, in: .gmt)

    #expect(
      filter
        == HistoryFilter(
          under: "rust", since: Timestamp("2026-11-16T00:00:00Z")?.date, type: .quiz, answers: .wrong, state: .begun))
  }

  @Test func `while text is typed, keys that would enter a letter are not listed`() throws {
    let fixture = try fixture()
    fixture.press("/", at: 5)

    let rows = fixture.screen(at: 6).map(\.withoutTrailingBlanks)
    #expect(
      [rows[3], rows[22], rows[23]] == [
        "   after:monday  kind:quiz  answers:wrong  is:begun  in:PATH  title words", "",
        "   ↵ apply  Esc cancel  ↑↓ select              Learn Find [History] Review 15",
      ])
  }

  @Test(arguments: [
    ("in:nowhere", "Could not find 'nowhere': no place has this path."),
    ("in:'%_", "Could not find ''%_': no place has this path."),
    (
      "session:99999999999999999999",
      "Could not find session '99999999999999999999': no session has this number or name."
    ),
    ("in:\"", "Could not search for '\"': the quotation mark has no second one. Add it, or omit both."),
    ("kind:", "Could not filter by 'kind:': this filter has no such value."),
    ("after:tomorrowish", "Could not read the time 'tomorrowish': the format is not supported."),
    ("since:today until:yesterday", "Could not search the history from 2026-11-20T00:00:00Z to 2026-11-19T23:59:59Z"),
  ])
  func `an invalid filter shows its error and no steps, and Enter does not apply it`(query: String, error: String)
    throws
  {
    let fixture = try fixture()
    let history = fixture.browser.tabs.screens.compactMap { $0 as? HistoryScreen }[0]
    let all = fixture.text(at: 5)
    fixture.press("/", at: 6)
    fixture.type("the ", at: 7)
    fixture.type(query, at: 8)
    let typed = fixture.screen(at: 9).map(\.trimmed).joined(separator: " ")
    fixture.press(.enter, at: 10)
    let afterEnter = (fixture.screen(at: 11).map(\.trimmed).joined(separator: " "), history.typing?.field.text)

    #expect(typed.contains(error) && !typed.contains("apply"))
    #expect(history.lines.allSatisfy { if case .step = $0 { false } else { true } })
    #expect(afterEnter == (typed, "the " + query))
    fixture.press(.escape, at: 12)
    #expect(fixture.text(at: 13) == all)
  }

  @Test func `while a filter is typed, the list belongs to the shown filter`() throws {
    let fixture = try fixture()
    let history = fixture.browser.tabs.screens.compactMap { $0 as? HistoryScreen }[0]
    fixture.press("/", at: 6)
    var counts: [Int] = []
    for (index, character) in "in:english-for-business".enumerated() {
      fixture.type(String(character), at: 7 + Double(index))
      counts.append(history.lines.count { if case .step = $0 { true } else { false } })
    }

    // `i` and `in` are words of titles.
    #expect(Array(counts[2...]) == Array(repeating: 0, count: 20) + [3])
  }

  @Test func `in a small terminal, the error of a filter is shown completely`() throws {
    let fixture = try fixture(40, 12)
    fixture.press("/", at: 6)
    fixture.type("in:nowhere", at: 7)

    let rows = fixture.screen(at: 8).map(\.trimmed)

    #expect(rows.joined(separator: " ").contains("Could not find 'nowhere': no place has this path."))
  }

  @Test func `the list of filters does not apply an invalid filter`() throws {
    let fixture = try fixture()
    let before = fixture.browser.tabs.screens.compactMap { $0 as? HistoryScreen }[0].lines
    fixture.press("f", at: 5)
    fixture.type("in:nowhere", at: 6)
    fixture.press(.enter, at: 7)
    let shown = fixture.text(at: 8)
    fixture.press(.escape, at: 9)

    #expect(shown.contains("Could not find 'nowhere': no place has this path."))
    #expect(fixture.browser.tabs.screens.compactMap { $0 as? HistoryScreen }[0].lines == before)
  }

  @Test func `the f key lists the filters, starting with all steps`() throws {
    let fixture = try fixture()
    fixture.press("f", at: 5)

    expectSnapshot(fixture.text(at: 6))
  }

  @Test func `a word of a title filters the steps, and Esc removes the filter`() throws {
    let fixture = try fixture()
    let all = fixture.text(at: 5)
    fixture.press("f", at: 6)
    fixture.type("stop", at: 7)
    fixture.press(.enter, at: 8)

    expectSnapshot(fixture.text(at: 9))
    fixture.press(.escape, at: 10)
    #expect(fixture.text(at: 11) == all)
    #expect(fixture.browser.tabs.selectedIndex == 2)
    fixture.press(.escape, at: 12)
    #expect(fixture.browser.tabs.selectedIndex == 0)
  }

  @Test func `filtered steps are connected only if they directly followed each other`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    for (key, time) in [(Key.enter, 1.0), (.left, 2), (.down, 3), (.enter, 4), (.enter, 5)] {
      fixture.press(key, at: time)
    }
    fixture.press("3", at: 6)
    fixture.press("f", at: 7)
    fixture.type("negotiating and", at: 8)
    fixture.press(.down, at: 9)
    fixture.press(.enter, at: 10)

    expectSnapshot(fixture.text(at: 11))
  }

  @Test func `a filter without matches shows a message`() throws {
    let fixture = try fixture(40, 12)
    fixture.press("f", at: 5)
    fixture.type("zzz", at: 6)
    fixture.press(.enter, at: 7)

    expectSnapshot(fixture.text(at: 8))
  }

  @Test func `the e key exports the visible steps, and asks before it replaces a file`() throws {
    let folder = try TemporaryFolder()
    let written = Mutex<[String]>([])
    let fixture = try fixture()
    fixture.browser.folders = FolderListing(home: folder.path, current: folder.path)
    fixture.browser.export = HistoryExport(
      formats: [.init(fileExtension: "csv", name: "a table"), .init(fileExtension: "jsonl", name: "an object a line")]
    ) { filter, form, path, replaces in
      written.withLock { $0.append("\(filter.text ?? "all") as \(form.fileExtension)\(replaces ? " again" : "")") }
      try Data("x".utf8).write(to: URL(filePath: path))
      return 4
    }
    fixture.press("e", at: 5)

    expectSnapshot(fixture.text(at: 6))
    // Completion stops at the extension, which can then be typed.
    fixture.press(.tab, at: 6)
    let completed = fixture.screen(at: 6)
    fixture.press("j", at: 6)
    #expect(completed[18] == " │ File waymark-history.▎                                           all steps │ ")
    #expect(
      completed[20...21] == [
        " │ ▌ waymark-history.csv    a table                                           │ ",
        " │   waymark-history.jsonl  an object a line                                  │ ",
      ])
    #expect(
      fixture.screen(at: 6)[20] == " │ ▌ waymark-history.jsonl  an object a line                                  │ ")
    for _ in 0..<"waymark-history.j".count { fixture.press(.backspace, at: 6) }
    fixture.press(.enter, at: 7)
    #expect(fixture.screen(at: 8)[21].hasPrefix("   4 steps written to ~/waymark-history.csv."))

    fixture.press("e", at: 9)
    fixture.press(.enter, at: 10)
    #expect(
      fixture.screen(at: 11).contains {
        $0.contains("waymark-history.csv already exists. Press ↵ again to replace it.")
      })
    fixture.press(.enter, at: 12)
    fixture.press("f", at: 13)
    fixture.type("stop", at: 14)
    fixture.press(.enter, at: 15)
    fixture.press("e", at: 16)
    fixture.type("steps.JSONL", at: 17)
    fixture.press(.enter, at: 18)

    #expect(written.withLock { $0 } == ["all as csv", "all as csv again", "stop as jsonl"])
    #expect(FileManager.default.fileExists(atPath: folder.file("steps.JSONL")))
  }

  @Test func `a failed export shows its error, and its overlay stays open`() throws {
    struct Full: Error, CustomStringConvertible { let description = "Could not write 'x': the disk is full." }
    let folder = try TemporaryFolder()
    let fixture = try fixture()
    fixture.browser.folders = FolderListing(home: folder.path, current: folder.path)
    fixture.browser.export = HistoryExport(formats: [.init(fileExtension: "csv", name: "a table")]) { _, _, _, _ in
      throw Full()
    }
    fixture.press("e", at: 5)
    fixture.press(.enter, at: 6)

    #expect(fixture.screen(at: 7).contains { $0.contains("Could not write 'x': the disk is full.") })
    #expect(fixture.browser.overlay is ExportScreen)
  }

  @Test func `if nothing can be exported, the e key is not listed and shows a notice`() throws {
    let fixture = try fixture()
    #expect(fixture.screen(at: 5)[23].contains("export") == false)
    fixture.press("e", at: 6)
    #expect(fixture.screen(at: 7)[21].hasPrefix("   Files cannot be written here."))
  }

  @Test func `typing the beginning of the word quizzes selects the filter for quizzes`() throws {
    let fixture = try fixture()
    fixture.press("f", at: 6)
    fixture.type("quiz", at: 7)
    let choices = fixture.screen(at: 7.5).map(\.trimmed).filter { $0.contains("quiz") }
    fixture.press(.enter, at: 8)
    let rows = fixture.screen(at: 9).map(\.withoutTrailingBlanks)

    #expect(
      choices.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "│ ")) } == [
        "Only quiz▎", "▌ quizzes", "quizzes with wrong answers", "places with “quiz” in their title",
      ])
    #expect(rows[3] == "   Only quizzes                                                 Esc shows all")
    #expect(rows.filter { $0.contains("●") }.map { $0.contains("What do they want?") } == [true])
  }
}
