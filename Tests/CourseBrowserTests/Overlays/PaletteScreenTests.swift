import CourseKit
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct PaletteScreenTests {
  @Test func `the frame of the selected card is hidden while an overlay covers a part of it`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    func rows(at time: Double) -> [Substring] {
      fixture.text(at: time).split(separator: "\n", omittingEmptySubsequences: false)
    }
    fixture.press(.down, at: 1)
    let before = rows(at: 2)
    fixture.press(":", at: 3)
    let below = rows(at: 4)
    fixture.press(.escape, at: 5)

    #expect(before[8].hasPrefix(" ╭─") && before[11].hasPrefix(" ╰─"))
    expectSnapshot(below[8...12])
    #expect(rows(at: 6) == before)
  }

  @Test func `the colon key lists all commands, and typing filters them`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press(":", at: 1)

    expectSnapshot(fixture.text(at: 2), "at 2")

    fixture.type("ne", at: 3)
    expectSnapshot(fixture.text(at: 3.5), "at 3.5")
  }

  @Test func `the palette keeps its edges while entries are filtered`()
    throws
  {
    func edges(_ motion: MotionPreference, at times: [Double]) throws -> [[Int]] {
      let fixture = try BrowserFixture(opening: "english-for-business/negotiating", motion: motion)
      fixture.press(":", at: 1)
      _ = fixture.screen(at: 2)
      fixture.type("ne", at: 3)
      return times.map { time in
        let rows = fixture.screen(at: time)
        return [rows.firstIndex { $0.contains(": ne") } ?? -1, rows.lastIndex { $0.contains("╰") } ?? -1]
      }
    }

    let full = try edges(.full, at: [3, 3.03, 3.06, 3.1])
    let none = try edges(.none, at: [3])
    #expect(full == [[12, 22], [12, 22], [12, 22], [12, 22]])
    #expect(none == [[12, 22]])
    #expect(try edges(.reduced, at: [3]) == none)
  }

  @Test func `a pasted megabyte is truncated with a note and erased with one key`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press(":", at: 1)

    fixture.browser.handle(.paste(String(repeating: "words ", count: 175_000)), at: 2)

    let row = fixture.screen(at: 3).first { $0.contains("│ :") } ?? ""
    #expect(row.contains("words words word▎ cut at 4096 characters "))
    fixture.press(.character("u"), .control, at: 4)
    #expect(fixture.screen(at: 5).contains { $0.contains("│ : ▎a command or a path ") })
  }

  @Test func `Enter performs the selected command`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press(":", at: 1)
    fixture.type("nex", at: 2)
    fixture.press(.enter, at: 3)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   Writing"))
  }

  @Test func `Tab completes a path level by level, and Enter opens it`() throws {
    let fixture = try BrowserFixture()
    fixture.press(":", at: 1)
    fixture.type("eng", at: 2)
    fixture.press(.tab, at: 3)
    fixture.type("neg", at: 4)
    fixture.press(.tab, at: 5)

    expectSnapshot(fixture.text(at: 6))

    fixture.press(.down, at: 7)
    fixture.press(.down, at: 7)
    fixture.press(.enter, at: 8)
    #expect(fixture.screen(at: 9)[2].hasPrefix("   Opening offers"))
    #expect(try fixture.lastStep.operation == .open)
  }

  @Test func `a path may begin with the name of a nearby place`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press(":", at: 1)
    fixture.type("opening-offers/anch", at: 2)
    fixture.press(.enter, at: 3)

    #expect(fixture.screen(at: 4)[2].hasPrefix("   Anchors and ranges"))
  }

  @Test func `text without matches can be searched for, and similar commands are suggested`() throws {
    let fixture = try BrowserFixture()
    fixture.press(":", at: 1)
    fixture.type("hlep", at: 2)

    expectSnapshot(fixture.text(at: 4))
    fixture.press(.enter, at: 5)
    #expect(fixture.browser.tabs.selectedIndex == 1)
    #expect(fixture.screen(at: 6)[2].hasPrefix("   hlep▎"))

    // The earlier query is replaced.
    fixture.press(.escape, at: 7)
    fixture.press("2", at: 8)
    fixture.type("old", at: 9)
    fixture.browser.find("anchors")
    #expect(fixture.screen(at: 10)[2].hasPrefix("   anchors▎"))
  }

  @Test func `titles in all courses are listed after nearby places and commands`() throws {
    func listed(_ query: String, from place: PlaceName?) throws -> [String] {
      let fixture = try BrowserFixture(opening: place)
      fixture.press(":", at: 1)
      fixture.type(query, at: 2)
      return fixture.screen(at: 3).drop { !$0.contains("│ : ") }.dropFirst(2).prefix { $0.contains("│") }
        .map { $0.trimmed.trimmingCharacters(in: CharacterSet(charactersIn: "│ ")) }.filter { !$0.isEmpty }
    }

    let elsewhere = try listed("steering", from: nil)
    #expect(
      elsewhere == [
        "▌ Steering  english-for-business/meetings/steering                  lesson",
        "find      “steering” in every course                                   /",
      ])
    let both = try listed("opening", from: "english-for-business/meetings")
    #expect(
      both == [
        "▌ Opening               english-for-business/meetings/opening       lesson",
        "Opening offers   english-for-business/negotiating/opening-offers  lesson",
        "Openings and endings  english-for-business/writing/emails-tha…  activity",
      ])
    #expect(try listed("su", from: nil).filter { $0.contains("english-for-business/") } == [])
    let fixture = try BrowserFixture()
    fixture.press(":", at: 1)
    fixture.type("anchors and", at: 2)
    fixture.press(.enter, at: 3)
    #expect(fixture.screen(at: 4)[2].hasPrefix("   Anchors and ranges"))
  }

  @Test func `text that is longer than any title is offered only as a search`() throws {
    let fixture = try BrowserFixture()
    fixture.press(":", at: 1)
    fixture.type(String(repeating: "steering ", count: 11), at: 2)
    let title = "english-for-business/meetings/steering"
    #expect(fixture.text(at: 3).contains(title))
    fixture.type("s", at: 3)
    #expect(fixture.text(at: 4).contains(title))
    fixture.type("t", at: 4)
    #expect(!fixture.text(at: 5).contains(title))
    #expect(fixture.text(at: 5).contains("│ ▌ find "))
  }

  @Test func `a synonym lists its command first, but a word of a description does not`() throws {
    func listed(_ query: String) throws -> [[Substring]] {
      let fixture = try BrowserFixture()
      fixture.press(":", at: 1)
      fixture.type(query, at: 2)
      return fixture.screen(at: 3).drop { !$0.contains("│ : ") }.dropFirst(2).prefix { $0.contains("│") }
        .map { Array($0.split(separator: " ").dropFirst().dropLast()) }
    }

    #expect(try listed("delete").first == ["▌", "remove", "delete", "a", "course"])
    for query in ["outside", "browser", "open outside"] {
      #expect(try listed(query).first == ["▌", "open", "open", "the", "selection", "↵"])
    }
    #expect(try listed("update").first == ["▌", "import-again", "update", "a", "course"])
    #expect(
      try listed("waymark").prefix(2) == [
        ["▌", "find", "“waymark”", "in", "every", "course", "/"], ["quit", "quit", "Waymark", "q"],
      ])
  }

  @Test func `an unknown path shows a message, and Enter suggests similar paths`() throws {
    let fixture = try BrowserFixture()
    fixture.press(":", at: 1)
    fixture.type("english-for-business/negotaiting", at: 2)
    expectSnapshot(fixture.text(at: 3))

    fixture.press(.enter, at: 4)
    #expect(
      fixture.text(at: 5).contains("No place is called “english-for-business/negotaiting”. Did you mean"))
    fixture.press(.escape, at: 6)
    #expect(fixture.screen(at: 7)[0].hasPrefix("   Waymark"))
  }

  @Test func `the last entries can be reached, and no count of further entries is shown below them`() throws {
    let fixture = try BrowserFixture()
    fixture.press(":", at: 1)
    for step in 0..<60 { fixture.press(.down, at: 2 + 0.01 * Double(step)) }

    expectSnapshot(fixture.text(at: 4))
  }

  @Test func `among 10,000 lessons the first matches are listed and their prefix completed`()
    throws
  {
    let fixture = try BrowserFixture()
    let lessons = (0..<10_000).map { #"{"key": "l\#($0)", "title": "Lesson \#($0)", "children": []}"# }
    let course = """
      {"waymark": 1, "course": {"key": "wide", "title": "Wide", "children": [
        {"key": "many", "title": "Many", "children": [\(lessons.joined(separator: ","))]}]}}
      """
    try fixture.browser.library.importCourse(named: "wide.json", bytes: Array(course.utf8))
    fixture.press(":", at: 1)
    fixture.type("wide/many/l", at: 2)
    expectSnapshot(fixture.text(at: 3), "at 3")

    fixture.press(.tab, at: 4)
    fixture.type("99", at: 5)
    expectSnapshot(fixture.text(at: 6), "at 6")
    fixture.type("99", at: 7)
    fixture.press(.enter, at: 8)
    #expect(fixture.screen(at: 9)[2].hasPrefix("   Lesson 9999"))
  }

  @Test func `in a small terminal, the palette fills the page and uses ASCII symbols`() throws {
    let fixture = try BrowserFixture(40, 12, symbols: .ascii)
    fixture.press(":", at: 1)
    fixture.type("ma", at: 2)

    expectSnapshot(fixture.text(at: 3))
  }

  @Test func `typing the program's name does not quit, and long text is accepted`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.press(":", at: 1)
    fixture.type("waymark", at: 2)
    fixture.press(.enter, at: 3)
    let isFinished = fixture.browser.isFinished
    fixture.press(.escape, at: 4)
    fixture.press(.escape, at: 5)
    fixture.press("1", at: 6)
    fixture.press(":", at: 7)
    for letter in 0..<1_000 { fixture.type("x", at: 8 + Double(letter) / 1_000) }

    #expect(!isFinished)
    #expect((fixture.browser.overlay as? PaletteScreen)?.field.text.count == 1_000)
  }

  @Test func `the palette opens places and overlays from another tab`() throws {
    let fixture = try BrowserFixture()
    fixture.press("3", at: 1)
    fixture.press(":", at: 2)
    fixture.type("english", at: 3)
    fixture.press(.enter, at: 4)
    #expect(fixture.screen(at: 5)[2].hasPrefix("   English for Business"))

    fixture.press(":", at: 6)
    fixture.type("help", at: 7)
    fixture.press(.enter, at: 8)
    #expect(fixture.text(at: 9).contains("\n │ Keys "))
  }

  @Test(arguments: [":contents", ":headings", ":outline", "#"])
  func `a key and three command names list the headings of a text`(keys: String) throws {
    let fixture = try ActivityFixture("long")
    fixture.press(keys, at: 1)
    if keys.count > 1 { fixture.press(.enter, at: 2) }

    #expect(
      fixture.rows(at: 3).drop { !$0.contains("│ : ") }.prefix(4) == [
        " │ : #▎                                                   │",
        " ├────────────────────────────────────────────────────────┤",
        " │ ▌ Half way                                             │",
        " │   Far below                                            │",
      ])
    let list = try ActivityFixture("quiz")
    list.press("#", at: 1)
    #expect(list.screen(at: 2).contains("# does nothing here."))
  }

  @Test func `a hash sign lists headings, and a word filters them`() throws {
    let fixture = try ActivityFixture("long")
    fixture.press(":", at: 1)
    let prompt = fixture.rows(at: 2)[8]
    fixture.press("#", at: 3)
    let all = fixture.rows(at: 4)[8...11]
    fixture.press(.backspace, at: 5)
    fixture.press("half", at: 6)
    let one = fixture.rows(at: 7)[8...10]
    fixture.press(.enter, at: 8)

    #expect(prompt == " │ : ▎a command, a path, # for headings                   │")
    #expect(
      all == [
        " │ : #▎                                                   │",
        " ├────────────────────────────────────────────────────────┤",
        " │ ▌ Half way                                             │",
        " │   Far below                                            │",
      ])
    #expect(
      one == [
        " │ : half▎                                                │",
        " ├────────────────────────────────────────────────────────┤",
        " │ ▌ Half way     in this text                    heading │",
      ])
    #expect(fixture.rows(at: 9)[3] == "   Half way")
  }

  @Test func `matching prefixes come first, and nested places with one title appear once`()
    throws
  {
    let fixture = try ActivityFixture(
      "text", 80, 24,
      course: [
        "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
        "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
        "01-goal/01-lesson/01-text.md": "---\ntitle: Text\n---\n\nA text.\n",
        "02-game/goal.yml": "title: Programming a game\n", "02-game/01-game/lesson.yml": "title: Programming a game\n",
        "02-game/01-game/01-game.md": "---\ntitle: Programming a game\n---\n\nProgramming a game.\n",
        "03-more/goal.yml": "title: On programming a game and programming a game\n",
        "03-more/01-more/lesson.yml": "title: More\n",
        "03-more/01-more/01-more.md": "---\ntitle: More\n---\n\nMore of it.\n",
      ])
    fixture.press(":", at: 1)
    fixture.press("programming a", at: 2)
    let rows = fixture.rows(at: 3).filter { $0.contains("lab/") }.map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: "│ "))
    }

    #expect(
      rows == [
        "▌ Programming a game  lab/programming-a-game/programming-a-game…  activity",
        "On programming a game and programming a game  lab/on-programming-…  goal",
      ])
  }
}
