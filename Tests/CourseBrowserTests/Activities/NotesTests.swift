import LearningModel
import NavigationService
import Synchronization
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// What the learner writes beside texts, and the words of them that they highlight.
@MainActor @Suite struct NotesTests {
  private static let course = [
    "course.yml": "key: lab\ntitle: Lab\n", "01-goal/goal.yml": "title: Goal\n",
    "01-goal/01-lesson/lesson.yml": "title: Lesson\n",
    "01-goal/01-lesson/01-text.md": "---\ntitle: Text\nminutes: 3\nsummary: With notes.\n---\n\n"
      + "The first offer is an anchor: it pulls every number that is named after it.\n\nLet the silence work.\n\n"
      + "- One thing\n- Another thing\n",
  ]

  private func type(_ words: String, in fixture: ActivityFixture, at time: Double) {
    fixture.press(words, at: time)
    fixture.press(.enter, at: time)
  }

  @Test func `e writes a note about the chosen block, which has a sign in the margin and says it`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("}", at: 1)
    fixture.press("e", at: 2)
    let asked = fixture.screen(at: 3)
    type("Say the first number", in: fixture, at: 4)

    #expect(
      asked == """
           Courses › Lab › Goal › Lesson          activity 1 of 1

           Text                                            ✓ done
           With notes.
         ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

           The first offer is an anchor: it pulls every number
           that is named after it.

         ╭────────────────────────────────────────────────────────╮
         │ Note ▎what you want to remember                        │
         │────────────────────────────────────────────────────────│
         │ “The first offer is an anchor: it pulls every number   │
         │ that is named after it.”                               │
         ╰────────────────────────────────────────────────────────╯

           All read. “Lab” is done. x takes it back.
           ↵ keep it   Esc close            [Learn] Find  History
        """)
    #expect(
      fixture.screen(at: 12) == """
           Courses › Lab › Goal › Lesson          activity 1 of 1

           Text                                            ✓ done
           With notes.
         ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

         ✎ The first offer is an anchor: it pulls every number
           that is named after it.

           Let the silence work.

           •  One thing
           •  Another thing



           e  “Say the first number”                    your note
           Space end   ← up   ? help  [1 Learn] 2 Find  3 History
        """)
    #expect(try fixture.navigation.notes().map(\.note.text) == ["Say the first number"])
  }

  @Test func `e on a block with a note changes it, and an emptied one goes`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("e", at: 1)
    type("Anchor", in: fixture, at: 2)
    fixture.press("e", at: 3)
    type("ed", in: fixture, at: 4)
    let changed = try fixture.navigation.notes().map(\.note.text)
    fixture.press("e", at: 12)
    for _ in 0..<8 { fixture.press(.backspace, at: 13) }
    let emptied = fixture.rows(at: 13).last
    fixture.press(.enter, at: 14)

    #expect(changed == ["Anchored"])
    #expect(emptied?.contains("take it away") == true)
    #expect(try fixture.navigation.notes().isEmpty)
    #expect(!fixture.screen(at: 30).contains("✎"))
  }

  @Test func `M highlights what was found, and again takes that back`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("/", at: 1)
    type("NUMBER", in: fixture, at: 2)
    fixture.press("M", at: 3)
    let quotes = try fixture.navigation.notes().map(\.note.anchor.quote)
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
    #expect(try fixture.navigation.notes().isEmpty)
  }

  @Test func `quotation marks list the notes, words find them, and Enter goes there`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("e", at: 1)
    type("Say the first number", in: fixture, at: 2)
    fixture.press("}M", at: 3)
    fixture.press(.left, .left, at: 4)
    fixture.press("\"", at: 10)
    // Both were written in one moment, and come in either order.
    let all = fixture.rows(at: 11).map { $0.replacing("▌", with: " ") }.sorted()
    fixture.press("anchor", at: 12)
    let found = fixture.rows(at: 13)
    fixture.press(.enter, at: 14)
    let there = fixture.rows(at: 16)

    #expect(
      all
        == """
           Courses › Lab › Goal                     lesson 1 of 1

           Lesson                                     1 of 1 done
           1 reading                                         done
         ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
         ╭────────────────────────────────────────────────────────╮
         │ Notes ▎words of a note, or of what it is about       2 │
         │────────────────────────────────────────────────────────│
         │ ▌ Say the first number  “The first offer is an…   Text │
         │   “Let the silence work.”                         Text │
         ╰────────────────────────────────────────────────────────╯





           Everything here is done.
           ↵ go there   Esc close           [Learn] Find  History
        """.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).replacing("▌", with: " ") }
        .sorted())
    #expect(found.contains { $0.contains("Say the first number") } && !found.contains { $0.contains("silence") })
    #expect(there[2].hasPrefix("   Text"))
    #expect(there[16].contains("“Say the first number”"))
  }

  @Test func `Delete takes the chosen note away from the list`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    fixture.press("e", at: 1)
    type("Say the first number", in: fixture, at: 2)
    fixture.press("\"", at: 3)
    fixture.press(.delete, at: 4)

    #expect(try fixture.navigation.notes().isEmpty)
    #expect(fixture.screen(at: 5).contains("│ There is no note yet. In a text, e writes one, and M   │"))
    #expect(fixture.screen(at: 5).contains("│ highlights.    "))
  }

  @Test func `from the palette and the list, notes are exported as Markdown`() throws {
    let fixture = try ActivityFixture("text", 80, 24, course: Self.course)
    let written = Mutex<[String]>([])
    fixture.press("e", at: 1)
    type("Say the first number", in: fixture, at: 2)
    fixture.press("\"", at: 3)
    fixture.browser.handle(.key(KeyEvent(.character("s"), modifiers: .control)), at: 4)
    let nowhere = fixture.screen(at: 5)
    fixture.browser.courseExport = CourseExport(forms: []) { _, _, _, _ in
    } writeNotes: { markdown, path, replaces in
      written.withLock { $0 = [markdown, path, "\(replaces)"] }
    }
    fixture.press(":", at: 6)
    type("export notes", in: fixture, at: 7)
    let list = fixture.screen(at: 8)
    fixture.browser.handle(.key(KeyEvent(.character("s"), modifiers: .control)), at: 9)
    let asked = fixture.screen(at: 10)
    fixture.press(.enter, at: 11)

    #expect(nowhere.contains("There is nothing here that writes files."))
    #expect(list.contains("Ctrl-S save"))
    #expect(asked.contains("waymark-notes.md"))
    #expect(fixture.screen(at: 12).contains("1 note written into "))
    let quote = "> The first offer is an anchor: it pulls every number that is named after it."
    #expect(
      written.withLock { $0.first } == "# Lab\n\n## Goal › Lesson › Text\n\n\(quote)\n\nSay the first number\n")
    #expect(written.withLock { $0.last } == "false")
  }

  @Test func `a text of many notes is opened and shown as fast as any`() throws {
    let fixture = try ActivityFixture("text", 60, 18, course: Self.course)
    let place = try #require(fixture.browser.page?.place)
    let anchored = AnchoredText([.paragraph([.text("Let the silence work.")])])
    let anchor = try #require(anchored.anchor(ofBlock: 0))
    for number in 0..<50 { try fixture.navigation.write(note: "\(number)", at: anchor, in: .place(place)) }
    fixture.press(.left, at: 1)
    fixture.press(.enter, at: 2)

    #expect(fixture.screen(at: 3).split(separator: "\n").count { $0.contains("✎") } == 1)
  }
}
