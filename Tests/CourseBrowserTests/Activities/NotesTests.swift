import CourseKit
import CoursePages
import GRDB
import LearningModel
import NavigationKit
import Synchronization
import Snapshots
import Testing
import TextCanvas

@testable import CourseBrowser

/// Notes and highlights in texts.
@MainActor @Suite struct NotesTests {
  private static let course = [
    "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
    "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
    "01-goal/01-lesson/01-text.md": "---\ntitle: Text\nminutes: 3\nsummary: With notes.\n---\n\n"
      + "The first offer is an anchor: it pulls every number that is named after it.\n\nLet the silence work.\n\n"
      + "- One thing\n- Another thing\n",
  ]

  private func type(_ text: String, in fixture: ActivityFixture, at time: Double) {
    fixture.press(text, at: time)
    fixture.press(.enter, at: time)
  }

  @Test func `the e key writes a note, which a symbol in the margin indicates`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("}", at: 1)
    fixture.press("e", at: 2)
    let prompt = fixture.screen(at: 3)
    type("Say the first number", in: fixture, at: 4)

    expectSnapshot(prompt, "asked")
    expectSnapshot(fixture.screen(at: 12), "at 12")
    #expect(try fixture.navigation.notes.all().map(\.note.text) == ["Say the first number"])
  }

  @Test func `the e key changes the note of a block, and an empty text removes it`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("e", at: 1)
    type("Anchor", in: fixture, at: 2)
    fixture.press("e", at: 3)
    type("ed", in: fixture, at: 4)
    let changed = try fixture.navigation.notes.all().map(\.note.text)
    fixture.press("e", at: 12)
    for _ in 0..<8 { fixture.press(.backspace, at: 13) }
    let emptied = fixture.rows(at: 13).last
    fixture.press(.enter, at: 14)

    #expect(changed == ["Anchored"])
    #expect(emptied?.contains("remove") == true)
    #expect(try fixture.navigation.notes.all().isEmpty)
    #expect(!fixture.screen(at: 30).contains("✎"))
  }

  @Test func `the M key highlights the selected search match, and removes the highlight again`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("/", at: 1)
    type("NUMBER", in: fixture, at: 2)
    fixture.press("M", at: 3)
    let quotes = try fixture.navigation.notes.all().map(\.note.anchor.quote)
    let row = fixture.rows(at: 3).first { $0.contains("pulls every") }
    fixture.press(.escape, at: 4)
    let column = try #require(row?.firstRange(of: "number")).lowerBound
    let cells = fixture.cells(at: 20, row: 6)
    fixture.press("/", at: 21)
    type("number", in: fixture, at: 22)
    fixture.press("M", at: 23)

    #expect(quotes == ["number"])
    let start = row!.distance(from: row!.startIndex, to: column)
    #expect(cells.indices.filter { cells[$0].style.attributes.contains(.underline) } == Array(start..<start + 6))
    #expect(try fixture.navigation.notes.all().isEmpty)
  }

  @Test(arguments: ["e", "c", "M"])
  func `e, c and M after a search take the block with the match`(key: String) throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("/", at: 1)
    type("silence", in: fixture, at: 2)
    fixture.press(key, at: 3)
    if key != "M" { type("x", in: fixture, at: 4) }

    let notes = try fixture.navigation.notes.all().map(\.note.anchor.quote)
    let card = try fixture.navigation.reviews.nextCard(ahead: true)
    #expect(notes == (key == "c" ? [] : [key == "M" ? "silence" : "Let the silence work."]))
    #expect(card?.faces.answer.plainText == (key == "c" ? "Let the silence work." : nil))
  }

  @Test func `with one match, no key for the next match is shown`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("/", at: 1)
    type("silence", in: fixture, at: 2)
    let one = fixture.rows(at: 3).suffix(2).joined()
    let other = try ActivityFixture("text", 60, 18, course: Self.course)
    other.press("/", at: 1)
    type("thing", in: other, at: 2)
    let several = other.rows(at: 3).suffix(2).joined()

    #expect(one.contains("“silence”") && one.contains("1 of 1") && !one.contains("Next") && !one.contains("n next"))
    #expect(several.contains("Next “thing”") && several.contains("1 of 2"))
  }

  @Test func `notices name how long a change is kept if the database is temporary`() throws {
    let fixture = try ActivityFixture("text", 80, 18, course: Self.course)
    fixture.browser.context.lossReason = "the manual is not kept"
    func words(_ time: Double) -> String {
      fixture.screen(at: time).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    fixture.press("e", at: 4)
    type("One", in: fixture, at: 5)
    let note = words(5.5)
    fixture.press("m", at: 6)
    let bookmark = words(6.5)
    fixture.press("c", at: 7)
    type("?", in: fixture, at: 8)
    let card = words(8.5)

    #expect(note.contains("Note saved until you quit: the manual is not kept. U undoes it."))
    #expect(bookmark.contains("Bookmarked “Text” until you quit: the manual is not kept."))
    #expect(card.contains("The card is in the review until you quit: the manual is not kept."))
  }

  @Test func `the quotation in the dialog of a note ends with an ellipsis if it is cut`() throws {
    var course = Self.course
    let path = "01-goal/01-lesson/01-text.md"
    course[path] = course[path]?.replacing("Let the silence work.", with: String(repeating: "silence ", count: 100))
    let fixture = try ActivityFixture("text", 60, 18, course: course)
    fixture.press("}}e", at: 1)

    let rows = fixture.rows(at: 2)
    let last = try #require(rows.last { $0.contains("silence") && $0.hasPrefix(" │") })
    #expect(last.contains("… │"), "\(rows)")
  }

  @Test func `the list of notes is searched by words, and Enter opens the text`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("e", at: 1)
    type("Say the first number", in: fixture, at: 2)
    fixture.press("}M", at: 3)
    fixture.press(.left, .left, at: 4)
    fixture.press("\"", at: 10)
    let all = fixture.screen(at: 11)
    fixture.press("anchor", at: 12)
    _ = fixture.screen(at: 13)
    let matches = fixture.screen(at: 13.5)
    fixture.press(.enter, at: 14)
    let opened = fixture.rows(at: 16)

    // Both notes have the same time, so their order is not defined.
    #expect(all.contains("Say the first number") && all.contains("“Let the silence work.”"))
    expectSnapshot(matches)
    #expect(opened[2].hasPrefix("   Text"))
    #expect(opened[16].contains("“Say the first number”"))
  }

  @Test func `Delete removes the selected note from the list`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("e", at: 1)
    type("Say the first number", in: fixture, at: 2)
    fixture.press("\"", at: 3)
    fixture.press(.delete, at: 4)

    #expect(try fixture.navigation.notes.all().isEmpty)
    #expect(fixture.screen(at: 5).contains("│ No notes yet. In a text, e adds one. "))
  }

  @Test func `the selected note is shown completely and the list keeps its height`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("e", at: 1)
    type("A number that is said first pulls all that are said after it", in: fixture, at: 2)
    fixture.press("}}M", at: 4)
    fixture.press("\"", at: 5)
    let both = fixture.rows(at: 6)
    fixture.press(.down, at: 7)
    let other = fixture.rows(at: 8)
    fixture.press("said first", at: 9)
    _ = fixture.rows(at: 10)
    let one = fixture.rows(at: 10.5)
    fixture.click(column: 8, row: 9, at: 11)
    let opened = fixture.rows(at: 13)
    let small = try ActivityFixture("text", 40, 12, course: Self.course, after: fixture)
    small.press("\"said first", at: 1)

    // Both notes have the same time, so their order is not defined.
    let edges = { (rows: [String]) in rows.indices.filter { rows[$0].contains("╭") || rows[$0].contains("╰") } }
    #expect(
      edges(both) == edges(other) && [both, other].contains { $0.contains { $0.hasPrefix(" │   said after it") } })
    expectSnapshot(one[5...12])
    #expect(opened[2].hasPrefix("   Text"))
    #expect(
      small.rows(at: 2)[2...6] == [
        " ▌ A number that is said first pulls", "   all that are said after it", "   “The first offer is an anchor: it",
        "   pulls every number that is named", "   after it.”",
      ])
  }

  @Test func `notes are exported as Markdown from the palette and from the list`() throws {
    let fixture = try ActivityFixture("text", 80, 24, course: Self.course)
    let written = Mutex<[String]>([])
    fixture.press("e", at: 1)
    type("Say the first number", in: fixture, at: 2)
    fixture.press("\"", at: 3)
    fixture.browser.handle(.key(KeyEvent(.character("s"), modifiers: .control)), at: 4)
    let nowhere = fixture.screen(at: 5)
    fixture.browser.courseExport = CourseExport(formats: []) { _, _, _, _ in
      ""
    } writeNotes: { markdown, path, replaces in
      written.withLock { $0 = [markdown, path, "\(replaces)"] }
    }
    fixture.press(":", at: 6)
    type("export notes", in: fixture, at: 7)
    let list = fixture.screen(at: 8)
    fixture.browser.handle(.key(KeyEvent(.character("s"), modifiers: .control)), at: 9)
    let prompt = fixture.screen(at: 10)
    fixture.press(.enter, at: 11)

    #expect(nowhere.contains("Files cannot be written here."))
    #expect(list.contains("Ctrl-S export"))
    #expect(prompt.contains("waymark-notes.md"))
    #expect(fixture.screen(at: 12).contains("1 note written to "))
    let quote = "> The first offer is an anchor: it pulls every number that is named after it."
    #expect(
      written.withLock { $0.first } == "# Lab\n\n## Goal › Lesson › Text\n\n\(quote)\n\nSay the first number\n")
    #expect(written.withLock { $0.last } == "false")
  }

  @Test func `many notes on one line share one symbol in the margin`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    let place = try #require(fixture.browser.page?.place)
    let anchored = AnchoredText([.paragraph([.text("Let the silence work.")])])
    let anchor = try #require(anchored.anchor(ofBlock: 0))
    for number in 0..<50 { try fixture.navigation.notes.write("\(number)", at: anchor, in: .place(place)) }
    fixture.press(.left, at: 1)
    fixture.press(.enter, at: 2)

    #expect(fixture.screen(at: 3).split(separator: "\n").count { $0.contains("✎") } == 1)
  }

  @Test func `U restores removed notes one by one, in the list of notes and after it, and then undoes a new one`()
    throws
  {
    let fixture = try ActivityFixture("text", 80, 18, course: Self.course)
    let texts = { try fixture.navigation.notes.all().map(\.note.text).sorted() }
    for (number, text) in ["One", "Two", "Three"].enumerated() {
      fixture.press("}", at: Double(1 + 2 * number))
      fixture.press("e", at: Double(1 + 2 * number))
      type(text, in: fixture, at: Double(2 + 2 * number))
    }
    let before = fixture.rows(at: 7)[17]
    fixture.press("\"", at: 8)
    let first = fixture.rows(at: 9)[17]
    fixture.press(.delete, .delete, .delete, at: 10)
    let keys = fixture.rows(at: 11)[17]
    let none = try texts()
    fixture.press("U", at: 12)
    fixture.press("U", at: 12.5)
    let two = try texts()
    fixture.press(.escape, at: 13)
    let removed = fixture.rows(at: 14)[15]
    fixture.press("U", at: 15)
    let notice = fixture.rows(at: 15.5)[15]
    fixture.press("U", at: 16)

    #expect(!before.contains("undo") && !first.contains("undo"))
    #expect(keys.hasPrefix("   U undo  Esc close"))
    #expect(none.isEmpty)
    #expect(removed.hasPrefix("   Removed “") && removed.hasSuffix("”. U undoes it."))
    #expect(two.count == 2)
    #expect(notice == "   Note restored.")
    // The change before the removals was the third note.
    #expect(try texts() == ["One", "Two"])
  }

  @Test func `U undoes a changed note, a new note and a highlight one by one`() throws {
    let fixture = try ActivityFixture("text", 80, 18, course: Self.course)
    let notes = { try fixture.navigation.notes.all().map(\.note.text).sorted() }
    fixture.press("}", at: 1)
    fixture.press("M", at: 2)
    fixture.press("}", at: 3)
    fixture.press("e", at: 4)
    type("One", in: fixture, at: 5)
    let saved = fixture.rows(at: 5.5)[15]
    fixture.press("e", at: 6)
    type(" two", in: fixture, at: 7)
    let all = try notes()

    fixture.press("U", at: 8)
    let changedBack = (try notes(), fixture.rows(at: 8.5)[15])
    fixture.press("U", at: 9)
    let removed = (try notes(), fixture.rows(at: 9.5)[15])
    fixture.press("U", at: 10)
    let unmarked = (try notes(), fixture.rows(at: 10.5)[15])
    fixture.press("U", at: 11)

    #expect(saved == #"   Note saved. " lists your notes. U undoes it."#)
    #expect(all == ["", "One two"])
    #expect(changedBack == (["", "One"], "   Note changed back."))
    #expect(removed == ([""], "   Note removed."))
    #expect(unmarked == ([], "   Highlight removed."))
    #expect(fixture.rows(at: 11.5)[15] == "   There is no change to undo.")
  }

  @Test func `a notice about an undone change names its place if that is not on the screen`() throws {
    let fixture = try ActivityFixture("text", 80, 18, course: Self.course)
    fixture.press("e", at: 1)
    type("My own note about the first offer", in: fixture, at: 2)
    fixture.press("}}}M", at: 3)
    fixture.browser.navigator.go(to: try fixture.navigation.places.named(.text("lab")).place)
    _ = fixture.rows(at: 4)

    fixture.press("U", at: 5)
    let highlight = fixture.rows(at: 5.5)[15]
    fixture.press("U", at: 6)
    let note = fixture.rows(at: 6.5)[15]

    #expect(highlight == "   Highlight removed: “Another thing” in “Text”, “Lab”.")
    #expect(note == "   Note removed: “My own note about the f…” in “Text”, “Lab”.")
  }

  @Test func `a list of the titles in a place ends with an ellipsis if some are left out`() throws {
    var course = ["course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n"]
    for number in 1...9 {
      let folder = "01-goal/0\(number)-lesson\(number == 1 ? "" : "\(number)")"
      course[folder + "/lesson.yml"] = number == 1 ? "title: Lesson\n" : "title: L\(number)\n"
      course[folder + "/01-text.md"] = "---\ntitle: Text\n---\n\nText.\n"
    }
    let fixture = try ActivityFixture("text", course: course)
    func contents(_ path: String) throws -> String {
      fixture.browser.reader.contents(of: CardModel(try fixture.navigation.places.summary(of: .text(path))))
    }

    #expect(try contents("lab/goal") == "Lesson, L2, L3, L4, L5, L6, L7, L8, …")
    #expect(try contents("lab/goal/lesson") == "Text.")
  }

  /// The ways of leaving the note field, after which the browser closes.
  @Test(arguments: [[], [KeyEvent(.escape)], [KeyEvent(.character("c"), modifiers: .control)]])
  func `an unsaved note is saved when the browser closes`(keys: [KeyEvent]) throws {
    let fixture = try ActivityFixture("text", 80, 18, course: Self.course)
    fixture.press("e", at: 1)
    fixture.press("Half a ␤thought", at: 2)
    for key in keys { fixture.browser.handle(.key(key), at: 3) }
    fixture.browser.close()

    #expect(
      fixture.browser.closingMessages == [
        "Saved a note on “The first offer is an anchor: it pulls every number that is named after it.”: "
          + "Half a ␤thought"
      ])
    #expect(try fixture.navigation.notes.all().map(\.note.text) == ["Half a \nthought"])
  }

  @Test func `the draft of a changed note is saved as a second note, and an unchanged note is not saved again`() throws
  {
    let fixture = try ActivityFixture("text", 80, 18, course: Self.course)
    fixture.press("e", at: 1)
    type("Anchor", in: fixture, at: 2)
    fixture.press("e", at: 3)
    fixture.press("ed", at: 4)
    fixture.press(.escape, at: 5)
    fixture.press("}}", at: 6)
    fixture.press("e", at: 7)
    type("Silence", in: fixture, at: 8)
    fixture.press("e", at: 9)
    fixture.browser.close()

    #expect(try fixture.navigation.notes.all().map(\.note.text).sorted() == ["Anchor", "Anchored", "Silence"])
  }

  @Test func `a note that cannot be saved becomes a draft, and is printed if the browser cannot save it either`() throws
  {
    let fixture = try ActivityFixture("text", 80, 18, course: Self.course)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let importing = try DatabaseQueue(path: fixture.browser.library.path, configuration: configuration)
    try importing.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    fixture.press("e", at: 1)
    type("Say it first", in: fixture, at: 2)
    for time in stride(from: 2, to: 12.5, by: 0.25) { _ = fixture.rows(at: time) }
    let notice = fixture.rows(at: 12.5).joined()
    fixture.press("e", at: 13)
    let draft = fixture.screen(at: 14)
    fixture.browser.close()
    try importing.inDatabase { try $0.execute(sql: "ROLLBACK") }

    #expect(notice.contains("Could not save the note"), "\(notice)")
    #expect(notice.contains("Try again when it has finished."))
    #expect(draft.contains("Note Say it first▎"))
    #expect(
      fixture.browser.closingMessages.first
        == "Could not save this note on “The first offer is an anchor: it pulls every number that is named after it.”: "
        + "Say it first")
  }

  @Test func `pressing e again on its block continues an unsaved note`() throws {
    let fixture = try ActivityFixture("text", 80, 18, course: Self.course)
    _ = fixture.rows(at: 20)
    fixture.press("e", at: 21)
    fixture.press("Say the first", at: 22)
    fixture.press(.escape, at: 23)
    let notice = fixture.screen(at: 24)
    let none = try fixture.navigation.notes.all()
    fixture.press("e", at: 25)
    let again = fixture.screen(at: 26)
    type(" number", in: fixture, at: 27)
    fixture.press("e", at: 28)
    let continued = fixture.screen(at: 29)
    fixture.press(.escape, at: 30)

    #expect(notice.contains("Draft not saved yet. e opens it again."))
    #expect(none.isEmpty)
    #expect(again.contains("Note Say the first▎"))
    #expect(continued.contains("Note Say the first number▎"))
    #expect(!fixture.screen(at: 31).contains("Put aside"))
    #expect(try fixture.navigation.notes.all().map(\.note.text) == ["Say the first number"])
  }

  @Test func `a block that scrolls out of view is deselected and not highlighted`() throws {
    let fixture = try ActivityFixture("long", 60, 18)
    fixture.press("}", at: 1)
    _ = fixture.rows(at: 2)
    fixture.press("G", at: 3)
    _ = fixture.rows(at: 5)
    fixture.press("M", at: 6)

    #expect(try fixture.navigation.notes.all().map(\.note.anchor.quote).first?.contains("Paragraph 1 ") == false)
  }

  @Test func `the M key highlights adjacent words found by Find as one passage`() throws {
    let fixture = try ActivityFixture("text", 80, 18, course: Self.course)
    fixture.press("2", at: 1)
    fixture.press("every number", at: 2)
    _ = fixture.rows(at: 3)
    fixture.press(.enter, at: 4)
    _ = fixture.rows(at: 5)
    fixture.press("M", at: 6)
    let quotes = try fixture.navigation.notes.all().map(\.note.anchor.quote)
    fixture.press("}", at: 20)
    fixture.press("M", at: 21)

    #expect(quotes == ["every number"])
    #expect(fixture.screen(at: 22).contains("U undoes it; /\n   finds words to highlight."))
  }

  @Test func `Find lists matching notes above places, and Enter opens the best place`() throws {
    let fixture = try ActivityFixture("text", 80, 24, course: Self.course)
    fixture.press("e", at: 1)
    type("Remember the silence", in: fixture, at: 2)
    fixture.press("2", at: 3)
    fixture.press("silence", at: 4)
    let results = fixture.rows(at: 5)
    let cells = fixture.cells(at: 5, row: 7)
    fixture.press(.up, at: 6)
    _ = fixture.rows(at: 7)
    fixture.press(.enter, at: 8)
    let opened = fixture.rows(at: 10)

    expectSnapshot(results[5...14])
    #expect(opened[22].contains("“Remember the silence”"))
    // Find does not search the titles of the notes' texts, but the list of notes does.
    fixture.press("2", at: 11)
    fixture.press("text", at: 12)
    #expect(!fixture.screen(at: 13).contains("Your notes"))
    fixture.press(.escape, at: 14)
    fixture.press("\"text", at: 15)
    #expect(fixture.screen(at: 16).contains("Remember the silence"))
    let marked = cells.filter { $0.attributes.contains(.underline) }.map(\.glyph.text).joined()
    #expect(marked == "silence")
  }

  @Test func `without a selected block, the e key continues the unsaved note of the text`() throws {
    let fixture = try ActivityFixture("text", 80, 18, course: Self.course)
    fixture.press("}}", at: 1)
    fixture.press("e", at: 2)
    fixture.press("Half a thought", at: 3)
    fixture.press(.escape, at: 4)
    _ = fixture.rows(at: 5)
    fixture.press(.escape, at: 6)
    fixture.press("e", at: 7)
    let again = fixture.screen(at: 8)

    #expect(again.contains("Note Half a thought▎") && again.contains("│ About “Let the silence work.” Press {"))
  }
}
