import CourseLibrary
import Foundation
import LearningModel
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct AddCourseScreenTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["maps/src", "music"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    try write("[book]\ntitle = \"Maps\"\n", "maps/book.toml")
    try write("# Summary\n\n- [Hills](hills.md)\n- [Rivers](rivers.md)\n", "maps/src/SUMMARY.md")
    try write("# Hills\n\nThe closer the lines, the steeper.\n", "maps/src/hills.md")
    try write("# Rivers\n\nThey run down.\n", "maps/src/rivers.md")
    try write("not a course", "notes.txt")
  }

  private func write(_ text: String, _ name: String) throws {
    let parent = URL(filePath: folder.file(name)).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    try folder.write(Data(text.utf8), to: name)
  }

  private func fixture(_ columns: Int = 80, _ rows: Int = 24, isEmpty: Bool = false) throws -> BrowserFixture {
    let fixture = try BrowserFixture(columns, rows, isEmpty: isEmpty)
    fixture.browser.folders = FolderListing(home: folder.path, current: folder.path)
    return fixture
  }

  private func adding(_ fixture: BrowserFixture) throws -> AddCourseScreen {
    try #require(fixture.browser.overlay as? AddCourseScreen)
  }

  @Test func `where nothing continues what is written, that is said`() throws {
    let fixture = try fixture()
    fixture.press("a", at: 1)
    fixture.type("x", at: 2)

    #expect(
      fixture.text(at: 3) == """
           Waymark                                                                ada

           Courses                                                           1 course
           Choose a course, and open it with Enter.
         ──────────────────────────────────────────────────────────────────────────────

           English for Business                                             not begun
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Add x▎                                                                     │
         ├────────────────────────────────────────────────────────────────────────────┤
         │ Nothing there begins like that.                                            │
         ╰────────────────────────────────────────────────────────────────────────────╯










           .  Begin with “Why are we here?”                            reading, 6 min
           ↵ look into it   Tab complete   Esc close            [Learn] Find  History
        """)
    fixture.type("/", at: 4)
    #expect(fixture.screen(at: 5)[10].contains(" There is no such folder. "))
  }

  @Test func `a path is asked for and completed; what would change is shown; Enter brings it in`() throws {
    let fixture = try fixture()
    fixture.press("a", at: 1)
    #expect(
      fixture.text(at: 2) == """
           Waymark                                                                ada

           Courses                                                           1 course
           Choose a course, and open it with Enter.
         ──────────────────────────────────────────────────────────────────────────────

           English for Business                                             not begun
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Add ▎a folder, a book, an archive                                        ~ │
         ├────────────────────────────────────────────────────────────────────────────┤
         │   maps                                                              a book │
         │   music                                                             folder │
         ╰────────────────────────────────────────────────────────────────────────────╯









           .  Begin with “Why are we here?”                            reading, 6 min
           ↵ look into it   Tab complete   Esc close            [Learn] Find  History
        """)

    fixture.type("ma", at: 3)
    fixture.press(.tab, at: 4)
    fixture.press(.enter, at: 5)
    #expect(
      fixture.text(at: 6) == """
           Waymark                                                                ada

           Courses                                                           1 course
           Choose a course, and open it with Enter.
         ──────────────────────────────────────────────────────────────────────────────

           English for Business                                             not begun
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Add maps/▎                                                                 │
         ├────────────────────────────────────────────────────────────────────────────┤
         │ Maps                                                                       │
         │ 2 goals, 2 lessons, 2 activities                                           │
         ╰────────────────────────────────────────────────────────────────────────────╯









           .  Begin with “Why are we here?”                            reading, 6 min
           ↵ add it   Esc do not                                [Learn] Find  History
        """)
    #expect(try fixture.browser.library.courses().count == 1)

    fixture.press(.enter, at: 7)
    #expect(
      fixture.text(at: 8) == """
           Waymark                                                                ada

           Courses                                                          2 courses
           Choose a course, and open it with Enter.
         ──────────────────────────────────────────────────────────────────────────────

           English for Business                                             not begun
           Meet, negotiate, write and present with confidence.              about 5 h
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Maps                                                             not begun │
         │ Hills, Rivers                                                        2 min │
         ╰────────────────────────────────────────────────────────────────────────────╯
           + Add a course: a folder, a book, an archive                             a









           “Maps” is here: 2 goals, 2 lessons, 2 activities. ↵ opens it.
           ↵ open   ↑↓ choose   / find   ? help   q quit  [1 Learn] 2 Find  3 History
        """)
  }

  @Test func `an import that is left to itself goes on, and says when it is done`() throws {
    let fixture = try fixture()
    let held = HeldWork()
    fixture.browser.inBackground = held.way
    var draws = 0
    fixture.browser.onChange = { draws += 1 }
    fixture.press("a", at: 1)
    fixture.type("maps", at: 2)
    fixture.press(.enter, at: 3)
    held.finish()
    fixture.press(.enter, at: 4)
    fixture.press("q", at: 4)
    fixture.press(.enter, at: 5)
    #expect(try fixture.browser.library.courses().count == 1)
    held.finish()

    let screen = fixture.screen(at: 6)
    #expect(screen[2].hasPrefix("   English for Business"))
    #expect(screen[22].hasPrefix("   “Maps” is here: 2 goals, 2 lessons, 2 activities."))
    #expect(draws >= 2)
  }

  @Test(arguments: [false, true])
  func `Escape stops an import, of which nothing is left, and the path is still there`(isWriting: Bool) throws {
    let fixture = try fixture()
    let held = HeldWork()
    fixture.browser.inBackground = held.way
    fixture.press("a", at: 1)
    fixture.type("maps", at: 2)
    fixture.press(.enter, at: 3)
    if isWriting {
      held.finish()
      fixture.press(.enter, at: 4)
    }
    #expect(fixture.screen(at: 5)[23].hasPrefix("   Esc stop   q let it go on by itself"))

    fixture.press(.escape, at: 6)
    #expect(fixture.text(at: 6.5).contains("Stopping …"))
    held.finish()

    #expect(fixture.text(at: 7).contains("Stopped. Nothing was changed."))
    #expect(fixture.text(at: 7).contains("Add maps"))
    #expect(try adding(fixture).step == .writing)
    #expect(try fixture.browser.library.courses().count == 1)

    fixture.press(.enter, at: 8)
    held.finish()
    fixture.press(.enter, at: 9)
    held.finish()
    #expect(try fixture.browser.library.courses().count == 2)
  }

  @Test func `what is wrong is said in place, and the path can be corrected`() throws {
    let fixture = try fixture()
    fixture.press("a", at: 1)
    fixture.type("music", at: 2)
    fixture.press(.enter, at: 3)

    #expect(
      fixture.text(at: 4) == """
           Waymark                                                                ada

           Courses                                                           1 course
           Choose a course, and open it with Enter.
         ──────────────────────────────────────────────────────────────────────────────

           English for Business                                             not begun
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Add music▎                                                                 │
         ├────────────────────────────────────────────────────────────────────────────┤
         │ Could not import 'music': it cannot be read as a course. Nothing was       │
         │ changed.                                                                   │
         │                                                                            │
         │ error    music: Nothing in it is a course of a format that Waymark reads.  │
         │          Looked for: a file 'course.yml', or JSON that begins with         │
         │          '{"waymark": 1, …'; a file 'book.toml'; a file 'META-INF/         │
         │          container.xml'; a Jupyter notebook, such as 'notes.ipynb'; a      │
         │          Markdown file, such as 'notes.md'; a document that pandoc,        │
         │          asciidoctor or pdftotext converts, such as 'notes.org'; an HTML   │
         │          page, such as 'index.html'; a plain text, such as 'notes.txt'.    │
         │          Run 'waymark formats' to see what each looks like.                │
         ╰────────────────────────────────────────────────────────────────────────────╯
           .  Begin with “Why are we here?”                            reading, 6 min
           ↵ look into it   Tab complete   Esc close            [Learn] Find  History
        """)
    fixture.press("/", at: 5)
    #expect(fixture.screen(at: 6)[8].hasPrefix(" │ Add music/▎"))
  }

  @Test func `a course that is here already says so, and one of which most would go asks again`() throws {
    let fixture = try fixture()
    _ = try fixture.browser.library.importCourse(from: folder.file("maps"))
    fixture.press("a", at: 1)
    fixture.type("maps", at: 2)
    fixture.press(.enter, at: 3)
    #expect(
      fixture.text(at: 4) == """
           Waymark                                                                ada

           Courses                                                          2 courses
           Choose a course, and open it with Enter.
         ──────────────────────────────────────────────────────────────────────────────

           English for Business                                             not begun
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Add maps▎                                                                  │
         ├────────────────────────────────────────────────────────────────────────────┤
         │ Maps                                                                       │
         │ 2 goals, 2 lessons, 2 activities                                           │
         │                                                                            │
         │ changes  nothing                                                           │
         ╰────────────────────────────────────────────────────────────────────────────╯







           .  Begin with “Why are we here?”                            reading, 6 min
           Esc close                                            [Learn] Find  History
        """)
    fixture.press(.enter, at: 5)
    _ = fixture.screen(at: 6)

    try write("# Summary\n\n- [Lakes](lakes.md)\n", "maps/src/SUMMARY.md")
    try write("# Lakes\n\nThey lie still.\n", "maps/src/lakes.md")
    fixture.press("a", at: 7)
    fixture.type("maps", at: 8)
    fixture.press(.enter, at: 9)
    #expect(
      fixture.text(at: 10) == """
           Waymark                                                                ada

           Courses                                                          2 courses
           Choose a course, and open it with Enter.
         ──────────────────────────────────────────────────────────────────────────────

           English for Business                                             not begun
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Add maps▎                                                                  │
         ├────────────────────────────────────────────────────────────────────────────┤
         │ This would take away 6 of the 7 places of “Maps”.                          │
         │                                                                            │
         │ Maps                                                                       │
         │ 1 goal, 1 lesson, 1 activity                                               │
         │                                                                            │
         │ changes  3 added, 6 removed, 1 unchanged                                   │
         │ lost     2 × unlisted page: left out                                       │
         │                                                                            │
         │ added    goal Lakes                                                        │
         │ added    lesson Lakes                                                      │
         │ added    activity Lakes                                                    │
         │ ↓ 8 more                                                                   │
         ╰────────────────────────────────────────────────────────────────────────────╯
           ↵ replace it   Esc do not                            [Learn] Find  History
        """)
    fixture.press(.escape, at: 11)
    #expect(try adding(fixture).step == .writing)
  }

  @Test func `what was imported again is what it was before with one key, until something else can be taken back`()
    throws
  {
    let fixture = try fixture()
    let library = fixture.browser.library
    _ = try library.importCourse(from: folder.file("maps"))
    let before = try library.export(PlacePath("maps"))
    try write("# Hills\n\nAll of it is flat.\n", "maps/src/hills.md")
    fixture.press("a", at: 1)
    fixture.type("maps", at: 2)
    fixture.press(.enter, at: 3)
    let keys = fixture.screen(at: 4)[23].trimmed
    fixture.press(.enter, at: 5)
    let said = fixture.screen(at: 6)[22].trimmed
    let changed = try library.export(PlacePath("maps"))
    fixture.press("U", at: 30)
    let back = fixture.screen(at: 31)[22].trimmed
    fixture.press("U", at: 40)

    #expect(keys.hasPrefix("↵ bring it in"))
    #expect(said == "“Maps” is here: 2 goals, 2 lessons, 2 activities. U takes it back.")
    #expect(back == "“Maps” is what it was before.")
    #expect(changed != before)
    #expect(try library.export(PlacePath("maps")) == before)
  }

  @Test func `the first page offers to add a course of one's own`() throws {
    let fixture = try fixture(isEmpty: true)
    fixture.press(.down, at: 1)

    let rows = fixture.text(at: 2).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // The rest is where the test keeps its files.
    #expect(rows[22].hasPrefix("   Kept "))
    #expect(
      rows.enumerated().map { $0 == 22 ? "" : $1 }.joined(separator: "\n") == """
           Waymark                                                                ada

           Welcome
           There is no course here yet. Choose how to begin.
         ──────────────────────────────────────────────────────────────────────────────

           English for Business                                4 goals, 52 activities
           The course that comes with Waymark. Opens at once.               about 5 h
         ╭────────────────────────────────────────────────────────────────────────────╮
         │ Add a course of your own                                                 a │
         │ A Waymark folder, a book or an archive. You see what will change first.    │
         ╰────────────────────────────────────────────────────────────────────────────╯
           Show me around                                                  20 seconds
           The browser walks itself through a course. Any key takes over.









           ↵ choose   ↑↓ move   ? help   q quit           [1 Learn] 2 Find  3 History
        """)
    fixture.press(.enter, at: 3)
    #expect(fixture.browser.overlay is AddCourseScreen)
  }

  @Test func `hidden names are offered only to who writes a dot, and a tilde is the home folder`() throws {
    try write("", ".hidden")
    let listing = FolderListing(home: folder.path, current: "/")

    #expect(
      listing.items(continuing: "~/").map { "\($0.path): \($0.what)" } == ["~/maps/: a book", "~/music/: folder"])
    #expect(listing.items(continuing: "~/.h").map(\.name) == [".hidden"])
    #expect(listing.items(continuing: folder.file("nowhere/")) == [])
  }

  @Test func `what could be a course comes first, and other files only for who writes their names`() throws {
    try write("\n {\"$schema\": \"waymark.json\", \"waymark\": 1}", "zebra.json")
    try write("{\"name\": \"a package\"}", "package.json")
    try write("[\"waymark\"]", "list.JSON")
    try write("", "an archive.TGZ")
    try write("title: Own", "own/course.yml")
    let listing = FolderListing(home: folder.path, current: folder.path)

    #expect(
      listing.items(continuing: "").map { "\($0.name): \($0.what)" } == [
        "maps: a book", "own: a course", "music: folder", "an archive.TGZ: an archive", "zebra.json: a course",
      ])
    #expect(listing.items(continuing: "n").map { "\($0.name): \($0.what)" } == ["notes.txt: file"])
  }

  @Test func `Enter goes into a folder that is chosen and is no course, and looks into one that is`() throws {
    try write("[book]\ntitle = \"Deep\"\n", "music/deep/book.toml")
    try write("# Summary\n\n- [Low](low.md)\n", "music/deep/src/SUMMARY.md")
    try write("# Low\n\nA low note.\n", "music/deep/src/low.md")
    let fixture = try fixture()
    fixture.press("a", at: 1)
    for _ in 0..<2 { fixture.press(.down, at: 2) }
    fixture.press(.enter, at: 3)
    #expect(fixture.text(at: 4).contains("Add music/▎"))
    #expect(fixture.text(at: 4).contains("deep                                                              a book"))

    fixture.press(.down, at: 5)
    fixture.press(.enter, at: 6)
    #expect(fixture.text(at: 7).contains("│ 1 goal, 1 lesson, 1 activity"))
  }

  @Test func `the course that comes with Waymark is offered while it is not there`() throws {
    let fixture = try fixture(isEmpty: true)
    fixture.press("a", at: 1)
    fixture.type("engl", at: 2)
    let offered = fixture.text(at: 3)
    fixture.press(.down, at: 4)
    fixture.press(.enter, at: 5)
    let there = fixture.text(at: 7)
    fixture.press("a", at: 8)
    fixture.type("engl", at: 9)

    #expect(offered.contains("English for Business  the course that comes with Waymark"))
    #expect(there.contains("“English for Business” is here: 4 goals"))
    #expect(fixture.text(at: 10).contains("Nothing there begins like that."))
  }
}
