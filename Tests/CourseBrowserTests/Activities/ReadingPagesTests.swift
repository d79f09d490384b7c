import CourseKit
import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Page breaks of texts.
@MainActor @Suite struct ReadingPagesTests {
  private static func text(_ blocks: [Block], width: Int = 40) -> ReadingText {
    ReadingLayout(width: width, theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode).text(blocks)
  }

  private static func words(_ text: String) -> Block { .paragraph([.text(text)]) }

  /// Returns the lines of the first page with a number of rows.
  private func firstPage(_ blocks: [Block], rows: Int) -> [String] {
    let text = Self.text(blocks)
    return text.lines[..<text.pageEnd(from: 0, rows: rows)].map { String(repeating: " ", count: $0.indent) + $0.text }
  }

  @Test func `a page never ends with a heading`() {
    let blocks =
      (1...6).map { Self.words("Line \($0).") }
      + [.heading(level: 2, text: [.text("Below")], anchor: ""), Self.words("One."), Self.words("Two.")]
    let before = ["Line 1.", "", "Line 2.", "", "Line 3.", "", "Line 4.", "", "Line 5.", "", "Line 6.", ""]

    #expect(firstPage(blocks, rows: 12) == before)
    #expect(firstPage(blocks, rows: 13) == before)
    #expect(firstPage(blocks, rows: 14) == before)
    #expect(firstPage(blocks, rows: 15) == before + ["Below", "", "One."])
  }

  @Test func `a table header stays with its first row and the heading above it`() {
    let table = Block.table(
      alignments: [.left, .left], header: [[.text("Word")], [.text("Meaning")]],
      rows: [[[.text("anchor")], [.text("the first figure")]], [[.text("range")], [.text("two figures")]]])
    let blocks =
      (1...5).map { Self.words("Line \($0).") }
      + [.heading(level: 2, text: [.text("Words")], anchor: ""), table, Self.words("End."), Self.words("End.")]
    let before = ["Line 1.", "", "Line 2.", "", "Line 3.", "", "Line 4.", "", "Line 5.", ""]

    for rows in 10...14 { #expect(firstPage(blocks, rows: rows) == before, "\(rows) rows") }
    #expect(
      firstPage(blocks, rows: 15) == before + [
        "Words", "", "Word     Meaning", "─────────────────────────", "anchor   the first figure",
      ])
  }

  @Test func `the first line of a block is not separated from its second line`() {
    let lines = (1...5).map { Self.words("Line \($0).") }
    let long = "These are words that go on in a second line, and in a third one, as far as anybody can see."
    let texts: [Block] = [
      Self.words(long), .bulletList(items: [ListItem(blocks: [Self.words(long)])]),
      .bulletList(items: [ListItem(blocks: [Self.words("Item"), Self.words("Below it.")])]),
      .code(language: nil, text: "one\ntwo\nthree\nfour\nfive\n"),
      .quote([Self.words(long)]),
    ]

    for block in texts {
      let rest = [block] + lines
      #expect(firstPage(lines + rest, rows: 11).count == 10, "\(block)")
      #expect(firstPage(lines + rest, rows: 13).count > 11, "\(block)")
    }
  }

  @Test func `a line that announces a list or code stays with the beginning of the list or code`() {
    let lines = (1...5).map { Self.words("Line \($0).") }
    let list = Block.bulletList(items: [ListItem(blocks: [Self.words("one")]), ListItem(blocks: [Self.words("two")])])
    let code = Block.code(language: nil, text: "swift build\n")

    for pair in [[Self.words("Three ways to begin:"), list], [Self.words("Then build."), code]] {
      #expect(firstPage(lines + pair + lines, rows: 11).count == 10)
      #expect(firstPage(lines + pair + lines, rows: 12).count == 10)
      #expect(firstPage(lines + pair + lines, rows: 13).count == 13)
    }
    #expect(firstPage(lines + [Self.words("No colon."), list] + lines, rows: 11).count == 11)
  }

  @Test func `a page is broken anywhere if it would otherwise be more than a third empty`() {
    let code = Block.code(language: nil, text: (1...3).map { "line \($0)" }.joined(separator: "\n"))
    let headings = (1...4).map { Block.heading(level: 2, text: [.text("Heading \($0)")], anchor: "") }

    #expect(firstPage([Self.words("One.")] + headings + [code, code, code], rows: 9).count == 9)
  }

  @Test func `a page with few rows is filled completely`() {
    let blocks = [Self.words("One."), .heading(level: 2, text: [.text("Below")], anchor: ""), Self.words("Two.")]
    #expect(firstPage(blocks, rows: 3) == ["One.", "", "Below"])
  }

  /// Returns the first line of each page that Space shows, with a fixed number of rows.
  private func beginnings(_ blocks: [Block], rows: Int) -> [String] {
    let text = Self.text(blocks)
    var (top, first) = (0, [text.lines[0].text])
    while top + rows < text.lines.count {
      top = min(text.nextPage(from: top, visible: rows, overlap: 2, rows: rows), text.lines.count - rows)
      first.append(text.lines[top].text)
    }
    return first
  }

  @Test func `no line is repeated after a page that ends with a paragraph`() {
    let blocks = (1...20).map { Self.words("Line \($0).") }

    #expect(beginnings(blocks, rows: 13) == ["Line 1.", "", "", "Line 14."])
    #expect(beginnings(blocks, rows: 14) == ["Line 1.", "", ""])
    // If a page has few rows, none of them is left empty.
    #expect(beginnings(blocks, rows: 9) == ["Line 1.", "Line 6.", "Line 11.", "Line 16."])
  }

  @Test func `no page begins inside a table header or with a paragraph's last line`() {
    let table = Block.table(
      alignments: [.left, .left], header: [[.text("Word")], [.text("Meaning")]],
      rows: (1...9).map { [[.text("word \($0)")], [.text("what it means")]] })
    let long = "These are words that go on in a second line, and in a third one, as far as anybody can see."
    let blocks = (1...5).map { Self.words("Line \($0).") } + [table] + (1...9).map { _ in Self.words(long) }

    let first = (12...20).flatMap { beginnings(blocks, rows: $0).dropLast() }

    #expect(first.count > 20)
    #expect(first.allSatisfy { !$0.hasPrefix("───") && $0 != "as far as anybody can see." }, "\(first)")
  }

  @Test func `a page can begin with a table header`() throws {
    let fixture = try BrowserFixture(
      80, 24, opening: "english-for-business/negotiating/preparing/three-columns-on-one-page", motion: .none)
    fixture.press(" ", at: 1)

    expectSnapshot(fixture.text(at: 2))
  }

  @Test(arguments: [(80, 24), (40, 12), (120, 40)])
  func `the b key shows the pages that Space has shown, in reverse order`(columns: Int, rows: Int) throws {
    let fixture = try BrowserFixture(
      columns, rows, opening: "english-for-business/negotiating/opening-offers/who-speaks-first", motion: .none)
    let screen = try #require(fixture.browser.page as? ReadingScreen)
    let body = { (second: Double) in Array(fixture.screen(at: second)[3..<rows - 2]) }
    var (pages, second) = ([body(1)], 1.0)
    while !screen.endIsInView {
      second += 0.1
      fixture.press(" ", at: second)
      pages.append(body(second))
    }

    var back = [body(second)]
    for _ in pages.dropFirst() {
      second += 0.1
      fixture.press("b", at: second)
      back.append(body(second))
    }

    #expect(pages.count > 2)
    // The header shows the reading progress, which has changed.
    #expect(back.map { $0.dropFirst(3) } == pages.reversed().map { $0.dropFirst(3) })
  }

  @Test func `after scrolling by lines, the b key scrolls back by a page`() {
    var pages = PageTurns()
    pages.append(from: 0, to: 13)
    pages.append(from: 13, to: 28)

    #expect(pages.popTurn(from: 28) == 13)
    #expect(pages.popTurn(from: 14) == nil)
    #expect(pages.popTurn(from: 13) == nil)
  }

  @Test(arguments: [(80, 24), (40, 12), (60, 18), (100, 30), (120, 40), (47, 21)])
  func `Space shows every line, and no page ends with a heading`(
    columns: Int, rows: Int
  ) throws {
    let fixture = try BrowserFixture(columns, rows, opening: "english-for-business/meetings/opening", motion: .none)
    let library = fixture.browser.library
    var texts = 0
    for node in try library.everyActivity() {
      guard case .reading? = try library.content(of: node) else { continue }
      fixture.browser.go(to: .node(node))
      let screen = try #require(fixture.browser.page as? ReadingScreen)
      texts += 1
      screen.scroll(to: 0, gliding: false)
      var visible = screen.visibleLines
      #expect(visible.lowerBound == 0)
      while !screen.endIsInView {
        let last = screen.text.lines[..<visible.upperBound].lastIndex { !$0.runs.isEmpty } ?? 0
        if rows > 10 {
          #expect(!screen.text.headings.contains { $0.line == last }, "\(screen.page.header.title): \(last)")
          // With few rows, a table header can take more than a third of them.
          #expect(
            rows < 16 || screen.text.lines[last].text.contains { $0 != "─" && $0 != " " }, "\(screen.page.header.title)"
          )
        }
        _ = screen.perform(.readOn)
        let next = screen.visibleLines
        #expect(next.lowerBound > visible.lowerBound)
        let skipped = visible.upperBound..<max(visible.upperBound, next.lowerBound)
        #expect(screen.text.lines[skipped].allSatisfy(\.runs.isEmpty) && skipped.count <= 1)
        visible = next
      }
      #expect(visible.upperBound == screen.text.lines.count)
    }
    #expect(texts > 20)
  }
}

extension CourseLibrary {
  /// Returns all activities of the bundled course, in reading order.
  fileprivate func everyActivity() throws -> [NodeID] {
    func below(_ place: Place) throws -> [NodeID] {
      try children(of: place, beginningWith: "", limit: 100).nodes.flatMap { node in
        node.kind == .activity ? [node.id] : try below(.node(node.id))
      }
    }
    return try below(.root)
  }
}
