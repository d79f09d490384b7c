import BundledDatabase
import CourseKit
import Foundation
import LearningModel
import NavigationKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// A goal with two thousand lessons, of which only those near the visible ones are read.
@MainActor @Suite struct LongListTests {
  private static let count = 2000

  /// A database with the bundled course and that goal, imported once.
  private static let wide = Result {
    let folder = try TemporaryFolder()
    let library = try CourseLibrary(databaseAt: BundledDatabase.copy(into: folder))
    let lessons = (0..<count).map { number in
      """
      {"key": "l\(number)", "title": "Lesson \(number)", "summary": "About \(number).", "children": [
        {"key": "a\(number)", "title": "Text \(number)", "minutes": \(number % 9 == 0 ? 45 : 3),
          "reading": [{"p": ["A."]}]}]}
      """
    }
    let course = """
      {"waymark": 1, "course": {"key": "wide", "title": "Wide", "children": [
        {"key": "many", "title": "Many", "children": [\(lessons.joined(separator: ","))]}]}}
      """
    try library.importCourse(named: "wide.json", bytes: Array(course.utf8))
    try library.backUp(to: folder.file("copy.sqlite"))
    return try folder.bytes(of: "copy.sqlite")
  }

  private func fixture(_ columns: Int = 80, _ rows: Int = 24) throws -> BrowserFixture {
    try BrowserFixture(columns, rows, on: Self.wide.get())
  }

  private func open(_ fixture: BrowserFixture) throws -> ListScreen {
    try fixture.browser.begin(at: "wide/many")
    _ = fixture.screen(at: 0)
    return try #require(fixture.browser.page as? ListScreen)
  }

  /// Returns the numbers of the visible lessons, from top to bottom.
  private func visibleNumbers(_ fixture: BrowserFixture, at time: Double) -> [Int] {
    let page = PageMetrics(size: fixture.browser.size)
    return fixture.screen(at: time).map { $0.prefix(page.firstColumn + page.width) }.compactMap { row in
      guard let range = row.range(of: "Lesson ") else { return nil }
      return Int(row[range.upperBound...].prefix { $0.isNumber })
    }
  }

  @Test func `a title uses the width that the other columns of the list do not need`() {
    let drawing = PageDrawing(
      theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: .unicode,
      metrics: PageMetrics(size: CellSize(columns: 80, rows: 24)))
    let cards = ["An I/O Project: Building a Command Line Program", "Smart Pointers"].map { title in
      CardModel(
        target: .node(NodeID(rawValue: 1)), kind: .goal, title: title, summary: "",
        status: "0 of 10", time: title.count > 20 ? "~45 min" : "9 min")
    }
    let columns = CardWindow(cards).columns

    #expect(
      cards.map { drawing.listRow($0, isChosen: false, columns).textRows[0] } == [
        "· An I/O Project: Building a Command Line Program         0 of 10  ~45 min",
        "· Smart Pointers                                          0 of 10    9 min",
      ])
  }

  @Test func `scrolling down shows every lesson and no blank row`() throws {
    let fixture = try fixture()
    let list = try open(fixture)
    var time = 1.0
    var numbers: Set<Int> = []
    while list.chosen < 400 {
      fixture.press(.character("j"), at: time)
      let visible = visibleNumbers(fixture, at: time + 0.2)
      let first = try #require(visible.first)
      #expect(visible == Array(first..<first + visible.count))
      #expect(visible.contains(list.chosen))
      numbers.formUnion(visible)
      time += 1
    }

    #expect(numbers.isSuperset(of: 0...400))
    #expect(list.page.cards.loadedCards.count < 200)
  }

  @Test func `one key scrolls to the end, to the top or by a page`() throws {
    let fixture = try fixture()
    let list = try open(fixture)

    fixture.press(.end, at: 1)
    #expect(list.chosen == Self.count - 1)
    #expect(visibleNumbers(fixture, at: 2).last == Self.count - 1)

    fixture.press(.home, at: 3)
    #expect(visibleNumbers(fixture, at: 4).first == 0)

    fixture.press(.pageDown, at: 5)
    let page = list.chosen
    #expect(page > 5)
    for step in 0..<20 { fixture.press(.pageDown, at: 6 + Double(step)) }
    #expect(list.chosen > 20 * page)
    #expect(visibleNumbers(fixture, at: 40).contains(list.chosen))
    for step in 0..<21 { fixture.press(.pageUp, at: 41 + Double(step)) }
    #expect(list.chosen == 0)
  }

  @Test func `the selected lesson opens, and the parent page selects it again`() throws {
    let fixture = try fixture()
    let list = try open(fixture)
    fixture.press(.end, at: 1)
    for step in 0..<5 { fixture.press(.up, at: 2 + Double(step)) }
    let opened = Self.count - 6
    #expect(list.chosenCard?.title == "Lesson \(opened)")

    fixture.press(.enter, at: 10)
    #expect(fixture.screen(at: 11)[2].hasPrefix("   Text \(opened)"))
    #expect(fixture.screen(at: 11)[0].contains("lesson \(opened + 1) of \(Self.count)"))

    fixture.press(.left, at: 12)
    #expect(list.chosen == opened)
    #expect(visibleNumbers(fixture, at: 13).contains(opened))

    fixture.press(.enter, at: 14)
    fixture.press("p", at: 15)
    fixture.press(.left, at: 16)
    #expect(list.chosen == opened - 1)
  }

  @Test func `a lesson opened by its path is selected in its list`() throws {
    let fixture = try fixture()
    try fixture.browser.begin(at: "wide/many/lesson-1234")
    _ = fixture.screen(at: 0)
    fixture.press(.left, at: 1)

    let list = try #require(fixture.browser.page as? ListScreen)
    #expect(list.chosenCard?.title == "Lesson 1234")
    #expect(visibleNumbers(fixture, at: 2).contains(1234))
  }

  @Test func `a list selects the next step even if it is far down`() throws {
    let fixture = try fixture()
    for number in 0..<3 {
      try fixture.browser.navigation.progress.record(
        .markedDone, in: .text("wide/many/lesson-\(number)/text-\(number)"))
    }
    _ = try fixture.browser.navigation.perform(.open("wide/many/lesson-1500/text-1500"))
    let list = try open(fixture)

    #expect(list.chosen == 1500)
    #expect(visibleNumbers(fixture, at: 1).contains(1500))
  }

  @Test func `reloading keeps the selection`() throws {
    let fixture = try fixture()
    let list = try open(fixture)
    fixture.press(.end, at: 1)
    try fixture.browser.navigation.progress.record(.markedDone, in: "wide/many/lesson-1999/text-1999")

    fixture.browser.readAgain()

    #expect(list.chosenCard?.title == "Lesson \(Self.count - 1)")
    #expect(list.chosenCard?.progressState == .done)
    #expect(list.page.cards.loadedCards.count < 200)
  }

  @Test(arguments: [(20, "18 readings, 2 decks of flashcards"), (100, "100 activities")])
  func `a header counts activities by kind if all of them are loaded`(count: Int, text: String) throws {
    let fixture = try BrowserFixture()
    let activities = (0..<count).map { number in
      let content = number % 10 == 3 ? #""flashcards": [{"front": "A", "back": "B"}]"# : #""reading": ["A."]"#
      return #"{"key": "a\#(number)", "title": "Activity \#(number)", \#(content)}"#
    }
    let course = """
      {"waymark": 1, "course": {"key": "mixed", "title": "Mixed", "children": [
        {"key": "g", "title": "Goal", "children": [
          {"key": "l", "title": "Lesson", "children": [\(activities.joined(separator: ","))]}]}]}}
      """
    try fixture.browser.library.importCourse(named: "mixed.json", bytes: Array(course.utf8))
    try fixture.browser.begin(at: "mixed/goal/lesson")

    #expect(fixture.screen(at: 0)[3].hasPrefix("   \(text) "))
    fixture.press(.end, at: 1)
    fixture.browser.readAgain()
    #expect(fixture.screen(at: 2)[3].hasPrefix("   \(text) "))
  }

  @Test(arguments: [(40, 12), (80, 8), (400, 120)])
  func `a long list is drawn correctly in every size`(columns: Int, rows: Int) throws {
    let fixture = try fixture(columns, rows)
    let list = try open(fixture)
    for step in 0..<12 { fixture.press(.pageDown, at: 1 + Double(step)) }
    let visible = visibleNumbers(fixture, at: 20)

    let first = try #require(visible.first)
    #expect(visible == Array(first..<first + visible.count))
    #expect(visible.contains(list.chosen))
    #expect(list.page.cards.isLoaded(list.chosen..<list.chosen + 1))
  }

  @Test func `the horizontal line shows the number of cards above the visible ones`() throws {
    let fixture = try fixture()
    _ = try open(fixture)
    let rule = { (time: Double) in String(fixture.screen(at: time)[4].dropFirst(66)) }
    let initial = rule(1)
    for step in 0..<30 { fixture.press(.down, at: 2 + Double(step) / 2) }
    let scrolled = rule(20)
    fixture.press(.home, at: 21)

    #expect(initial == "───────────── ")
    #expect(scrolled == "─ ↑ 18 more ─ ")
    #expect(rule(23) == initial)
  }
}
