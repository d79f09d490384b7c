import CourseKit
import Foundation
import NavigationKit
import ScreenKit
import TestSupport
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct FindScreenTests {
  private func finding(
    _ query: String, _ columns: Int = 80, _ rows: Int = 24, symbols: Symbols = .unicode
  ) throws -> BrowserFixture {
    let fixture = try BrowserFixture(columns, rows, opening: "english-for-business/negotiating", symbols: symbols)
    fixture.press("/", at: 1)
    _ = fixture.screen(at: 2)
    fixture.type(query, at: 3)
    return fixture
  }

  // MARK: - Results

  @Test func `prefixes of words and a number find a place by its path`() throws {
    try expectSnapshot(finding("neg op 2").text(at: 4))
  }

  @Test func `a misspelled query is corrected`() throws {
    try expectSnapshot(finding("sielnce").text(at: 4))
  }

  @Test func `in a small terminal, passages and breadcrumbs are truncated around the match`()
    throws
  {
    try expectSnapshot(finding("silence", 40, 12).text(at: 4), "1")
    try expectSnapshot(finding("silence", 24, 10).text(at: 4), "2")
  }

  @Test func `without results, the complete advice is shown and the open key is hidden`()
    throws
  {
    let small = try finding("xylophone", 40, 12)
    expectSnapshot(small.text(at: 4))
    for _ in "xylophone" { small.press(.backspace, at: 5) }
    #expect(small.screen(at: 6)[11].hasPrefix(" ↵ open  ↑↓ select  Tab kind "))
  }

  @Test func `with ASCII symbols, truncated text ends with the ASCII ellipsis`() throws {
    try expectSnapshot(finding("silence", 40, 12, symbols: .ascii).text(at: 4))
  }

  @Test(arguments: [20, 24, 31, 40, 59, 60, 80, 100, 130])
  func `a passage shows the match at any width`(columns: Int) throws {
    let fixture = try finding("silence", columns, 12)
    for _ in 0..<6 {
      let passages = fixture.screen(at: 4).filter { $0.contains("ilence") }
      #expect(!passages.dropFirst().isEmpty, "\(fixture.text(at: 4))")
      fixture.press(.down, at: 4)
    }
  }

  @Test func `at most the best 50 results are shown`() throws {
    #expect(try finding("a").screen(at: 4)[2].hasSuffix("the best 50 places   "))
  }

  @Test(arguments: [(80, 24), (40, 12), (120, 36), (200, 60)])
  func `every visible result shows why it was found`(columns: Int, rows: Int) throws {
    let fixture = try finding("silence", columns, rows)
    let screen = try #require(fixture.browser.tabs.selectedScreen as? FindScreen)

    for _ in 0..<4 {
      let text = fixture.text(at: 4)
      let visible = screen.visibleEntries.filter { screen.list.text(of: $0).upperBound <= screen.bodyRows }
      #expect(visible.count > 1, "\(text)")
      #expect(visible.allSatisfy { screen.entries[$0].passage != nil })
      #expect(text.split(separator: "\n").count { $0.contains("ilence") } >= visible.count, "\(text)")
      fixture.press(.down, at: 4)
    }
  }

  @Test func `only the title of the selected result is bold`() throws {
    let fixture = try finding("offer")
    fixture.browser.show(
      Appearance(theme: Theme(colourDepth: .truecolor, pageAppearance: .dark), symbols: .unicode))

    #expect(fixture.style(of: "Opening", at: 4)?.attributes.contains(.bold) == true)
    #expect(fixture.style(of: "Counter-", at: 4)?.attributes.contains(.bold) == false)
  }

  @Test func `Tab shows the number of results of each kind and skips kinds without results`() throws {
    let fixture = try finding("offers")
    let screen = try #require(fixture.browser.tabs.selectedScreen as? FindScreen)
    var lines: [String] = []

    repeat {
      lines.append(fixture.screen(at: 4)[3].trimmed)
      fixture.press(.tab, at: 4)
    } while screen.kind != nil && lines.count < 6

    expectSnapshot(lines)
  }

  @Test(arguments: ["negotiat", "offers", "opening"]) func `the numbers of results of each kind add up`(query: String)
    throws
  {
    let fixture = try finding(query)
    let row = fixture.screen(at: 4)[3]

    let counts = row.matches(of: /([0-9]+) (course|goal|lesson|activit)/).compactMap { Int($0.output.1) }

    let places = try #require(fixture.screen(at: 4)[2].firstMatch(of: /([0-9]+) places/)).output.1
    #expect(counts.reduce(0, +) == Int(places), "\(row)")
  }

  @Test func `another search begins with all kinds of places`() throws {
    let fixture = try finding("offers")
    let screen = try #require(fixture.browser.tabs.selectedScreen as? FindScreen)
    fixture.press(.tab, at: 5)
    let limited = screen.kind
    for _ in 0..<6 { fixture.press(.backspace, at: 6) }

    #expect(limited != nil && screen.kind == nil)
  }

  @Test func `matches are highlighted in titles and passages`() throws {
    let fixture = try finding("offer")

    #expect(
      fixture.screen(at: 4).filter { $0.localizedCaseInsensitiveContains("offer") }.prefix(3).map {
        $0.trimmingCharacters(in: .whitespaces)
      } == ["offer▎                                                           17 places"] + [
        "│ Opening offers                                                      lesson │",
        "Counter-offers                                                      lesson",
      ])
    #expect(fixture.style(of: "offers", at: 4)?.attributes == [.bold, .underline])
  }

  @Test(arguments: [ColourDepth.none, .ansi, .indexed, .truecolor], [PageAppearance.dark, .light, .unknown])
  func `matches in titles are distinguishable in every appearance`(
    depth: ColourDepth, pageAppearance: PageAppearance
  ) throws {
    let fixture = try finding("offer", symbols: .ascii)
    fixture.browser.show(Appearance(theme: Theme(colourDepth: depth, pageAppearance: pageAppearance), symbols: .ascii))

    let (matched, unmatched) = (fixture.style(of: "offers", at: 5), fixture.style(of: "Opening", at: 5))

    #expect(matched != nil && unmatched != nil && matched != unmatched)
    #expect(matched?.attributes.contains(.underline) == true)
  }

  @Test func `a word inside a run of text without spaces is found and highlighted`() throws {
    let folder = try TemporaryFolder()
    let files = [
      "course.yml": "key: kosho\ntitle: ビジネス交渉\n",
      "01-交渉/goal.yml": "title: 上手な交渉\nsummary: 準備、提示、沈黙、合意。\n",
      "01-交渉/01-提示/lesson.yml": "title: 最初の提示\n",
      "01-交渉/01-提示/01-準備.md":
        "---\ntitle: 価格交渉の準備\n---\n数字を一つ言ったら、そこで止まりましょう。多くの人は沈黙を自分で埋めてしまい、値引きでそれを埋めます。",
    ]
    for (name, text) in files {
      let file = URL(filePath: folder.file(name))
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let fixture = try BrowserFixture(80, 16, opening: "english-for-business/negotiating")
    _ = try fixture.browser.library.importCourse(from: folder.path)
    fixture.press("/", at: 1)
    fixture.type("沈黙を", at: 3)

    expectSnapshot(fixture.text(at: 4))
    #expect(fixture.style(of: "沈黙を自", at: 4)?.attributes == .underline)
  }

  @Test func `without results, the advice depends on the limits of the search`() throws {
    func advice(_ fixture: BrowserFixture) -> String {
      fixture.screen(at: 6)[6].trimmingCharacters(in: .whitespaces)
    }
    let newLearner = try BrowserFixture()
    newLearner.press("/", at: 1)
    #expect(advice(newLearner) == "Your bookmarks (m) and most visited places appear here.")
    let fixture = try finding("qqq")
    #expect(advice(fixture) == "Nothing found. Ctrl-U clears the words.")

    for _ in 0..<3 { fixture.press(.backspace, at: 5) }
    fixture.press(.tab, at: 5)
    fixture.type("qqq", at: 5)
    #expect(advice(fixture) == "Nothing found in goals. Tab: search other kinds of places.")
    fixture.press(.tab, .shift, at: 5)
    #expect(advice(fixture) == "Nothing found in goals of English for Business. Shift-Tab: all courses.")
  }

  @Test func `in a narrow terminal, the correction of a query is shortened or omitted`() throws {
    func header(_ columns: Int) throws -> String {
      try finding("sielnce", columns, 12).screen(at: 4)[1].trimmingCharacters(in: .whitespaces)
    }
    #expect(try header(40) == "sielnce▎           “silence”? 6 places")
    #expect(try header(24) == "sielnce▎      6 places")
  }

  // MARK: - Limits

  @Test func `Shift-Tab limits the search to the course, and Tab to a kind`() throws {
    let fixture = try finding("price")
    func rows() -> [String] {
      let rows = fixture.screen(at: 6)
      return [rows[3], rows[22]].map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(
      rows() == [
        "in all courses, best first                              Tab: 20 activities",
        "Esc  Back to Negotiating                            Shift-Tab: this course",
      ])

    fixture.press(.tab, .shift, at: 5)
    #expect(
      rows() == [
        "in English for Business, best first                     Tab: 20 activities",
        "Esc  Back to Negotiating                            Shift-Tab: all courses",
      ])
    // There are no goals and lessons to skip to.
    fixture.press(.tab, at: 5)
    #expect(rows()[0] == "in activities of English for Business, best first          Tab: everything")

    fixture.press(.tab, .shift, at: 5)
    #expect(rows()[0] == "in activities, best first                                  Tab: everything")
    fixture.press(.escape, at: 7)
    fixture.press("/", at: 8)
    #expect(fixture.screen(at: 9)[3].hasPrefix("   in all courses, best first"))
  }

  @Test func `in the list of courses, the search cannot be limited to a course`() throws {
    let fixture = try BrowserFixture()
    fixture.press("/", at: 1)
    fixture.press(.tab, .shift, at: 2)

    #expect(fixture.screen(at: 3)[3].hasPrefix("   in all courses, best first"))
    #expect(fixture.screen(at: 3)[22].trimmingCharacters(in: .whitespaces) == "Esc  Back to Courses")
  }

  // MARK: - Returning to Find

  @Test func `Find keeps its contents after opening a result until a letter is typed`() throws {
    let fixture = try finding("offer")
    fixture.press(.down, at: 4)
    fixture.press(.down, at: 4)
    fixture.press(.enter, at: 5)
    #expect(fixture.screen(at: 6)[2].hasPrefix("   Words for a first offer "))

    fixture.press("2", at: 7)
    expectSnapshot(fixture.text(at: 8))
    fixture.press("z", at: 9)
    #expect(fixture.screen(at: 10)[2].hasPrefix("   z▎ "))
  }

  @Test func `after returning to Find, End keeps the query and Backspace erases it`() throws {
    let fixture = try finding("offer")
    fixture.press(.enter, at: 4)
    fixture.press("2", at: 5)
    fixture.press(.end, at: 6)
    fixture.press("s", at: 7)
    #expect(fixture.screen(at: 8)[2].hasPrefix("   offers▎ "))

    fixture.press(.enter, at: 9)
    fixture.press("2", at: 10)
    fixture.press(.backspace, at: 11)
    #expect(fixture.screen(at: 12)[2].hasPrefix("   ▎type words to find "))
  }

  @Test func `Find shows the keys of its entries whenever it opens`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press("m", at: 1)
    fixture.press("/", at: 2)
    let first = fixture.text(at: 3)
    fixture.press(.escape, at: 4)
    fixture.press("'", at: 5)

    #expect(fixture.text(at: 6) == first)
    expectSnapshot(first)
  }

  @Test func `Find is empty when it opens again after Escape`() throws {
    let fixture = try finding("offer")
    fixture.press(.escape, at: 4)
    fixture.press("/", at: 5)

    #expect(fixture.screen(at: 6)[2].hasPrefix("   ▎type words to find "))
  }

  // MARK: - Typing

  @Test func `the caret moves in the query and words are erased`() throws {
    let fixture = try finding("first offer")
    fixture.press(.character("w"), .control, at: 4)
    fixture.press(.home, at: 4)
    fixture.press("x", at: 4)
    #expect(fixture.screen(at: 5)[2].hasPrefix("   xfirst "))
    #expect(fixture.style(of: "first", at: 5)?.attributes.contains(.reverse) == true)

    fixture.press(.character("u"), .control, at: 6)
    #expect(fixture.screen(at: 7)[2].hasPrefix("   first "))
  }

  @Test func `Control-N and Control-P select entries, and Page Down keeps one entry visible`() throws {
    let fixture = try finding("offer")
    func framed() -> String { fixture.screen(at: 5).first { $0.hasPrefix(" │ ") } ?? "" }
    let first = framed()
    fixture.press(.character("n"), .control, at: 4)
    let second = framed()
    fixture.press(.character("p"), .control, at: 4)

    #expect(first != second)
    #expect(framed() == first)
    for _ in 0..<3 { fixture.press(.down, at: 4) }
    let fourth = framed()
    for _ in 0..<3 { fixture.press(.up, at: 4) }
    fixture.press(.pageDown, at: 4)
    #expect(framed() == fourth)
  }

  @Test func `pasted text is joined to one line and truncated to the maximum query length`() throws {
    let fixture = try finding("")
    fixture.browser.handle(.paste("silence\n  may\tmean\n"), at: 4)
    #expect(fixture.screen(at: 5)[2].contains("silence   may"))

    fixture.press(.character("u"), .control, at: 5)
    fixture.browser.handle(.paste(String(repeating: "silence 漢字 ", count: 20_000)), at: 6)
    let row = fixture.screen(at: 7)[2]
    #expect(row.contains("silence 漢字 silence"))
    #expect(row.contains("cut at 500 characters"))
    #expect(row.hasSuffix("nothing found   "))
  }

  @Test func `a combining mark is typed and erased together with its letter`() throws {
    let fixture = try finding("e\u{301}")
    fixture.press("\u{301}", at: 4)
    fixture.press("x", at: 4)
    fixture.press(.backspace, at: 4)
    fixture.press(.backspace, at: 4)

    #expect(fixture.screen(at: 5)[2].hasPrefix("   ▎type words to find "))
  }
}
