import CourseKit
import Foundation
import LearningModel
import TestSupport
import Snapshots
import NavigationKit
import Testing
import TextCanvas

@testable import CourseBrowser

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

  @Test func `a message appears if no file name begins with the typed path`() throws {
    let fixture = try fixture()
    fixture.press("a", at: 1)
    fixture.type("x", at: 2)

    expectSnapshot(fixture.text(at: 3))
    fixture.type("/", at: 4)
    #expect(fixture.text(at: 5).contains(" This folder does not exist. Ctrl-U clears the path. "))
  }

  @Test func `a path is completed, its changes are shown, and Enter imports it`() throws {
    let fixture = try fixture()
    fixture.press("a", at: 1)
    expectSnapshot(fixture.text(at: 2), "at 2")

    fixture.type("ma", at: 3)
    fixture.press(.tab, at: 4)
    fixture.press(.enter, at: 5)
    expectSnapshot(fixture.text(at: 6), "at 6")
    #expect(try fixture.browser.library.courses().count == 1)

    fixture.press(.enter, at: 7)
    expectSnapshot(fixture.text(at: 8), "at 8")
  }

  @Test func `an import continues after the overlay is closed and reports its result`() throws {
    let fixture = try fixture()
    let work = ManualBackgroundWork()
    fixture.browser.inBackground = work.runner
    var draws = 0
    fixture.browser.onChange = { draws += 1 }
    fixture.press("a", at: 1)
    fixture.type("maps", at: 2)
    fixture.press(.enter, at: 3)
    work.finish()
    fixture.press(.enter, at: 4)
    fixture.press("q", at: 4)
    fixture.press(.enter, at: 5)
    #expect(try fixture.browser.library.courses().count == 1)
    work.finish()

    let screen = fixture.screen(at: 6)
    #expect(screen[2].hasPrefix("   English for Business"))
    #expect(screen[21].hasPrefix("   Imported “Maps”: 2 parts, 2 chapters, 2 sections."))
    #expect(draws >= 2)
  }

  @Test(arguments: [false, true])
  func `Escape cancels an import without changes and keeps the path`(isWriting: Bool) throws {
    let fixture = try fixture()
    let work = ManualBackgroundWork()
    fixture.browser.inBackground = work.runner
    fixture.press("a", at: 1)
    fixture.type("maps", at: 2)
    fixture.press(.enter, at: 3)
    if isWriting {
      work.finish()
      fixture.press(.enter, at: 4)
    }
    #expect(fixture.screen(at: 5)[23].hasPrefix("   Esc stop  q run in background"))

    fixture.press(.escape, at: 6)
    #expect(fixture.text(at: 6.5).contains("Stopping …"))
    work.finish()

    #expect(fixture.text(at: 7).contains("Stopped. Nothing was changed."))
    #expect(fixture.text(at: 7).contains("Add maps"))
    #expect(try adding(fixture).step == .writing)
    #expect(try fixture.browser.library.courses().count == 1)

    fixture.press(.enter, at: 8)
    work.finish()
    fixture.press(.enter, at: 9)
    work.finish()
    #expect(try fixture.browser.library.courses().count == 2)
  }

  @Test func `an error is shown below the path, which can be corrected`() throws {
    let fixture = try fixture()
    fixture.press("a", at: 1)
    fixture.type("music", at: 2)
    fixture.press(.enter, at: 3)

    expectSnapshot(fixture.text(at: 4))
    fixture.press("/", at: 5)
    #expect(fixture.screen(at: 6)[8].hasPrefix(" │ Add music/▎"))
  }

  @Test func `importing a known course shows its changes and asks for confirmation of large removals`() throws {
    let fixture = try fixture()
    _ = try fixture.browser.library.importCourse(from: folder.file("maps"))
    fixture.press("a", at: 1)
    fixture.type("maps", at: 2)
    fixture.press(.enter, at: 3)
    expectSnapshot(fixture.text(at: 4), "at 4")
    fixture.press(.enter, at: 5)
    _ = fixture.screen(at: 6)

    try write("# Summary\n\n- [Lakes](lakes.md)\n", "maps/src/SUMMARY.md")
    try write("# Lakes\n\nThey lie still.\n", "maps/src/lakes.md")
    fixture.press("a", at: 7)
    fixture.type("maps", at: 8)
    fixture.press(.enter, at: 9)
    expectSnapshot(fixture.text(at: 10), "at 10")
    fixture.press(.escape, at: 11)
    #expect(try adding(fixture).step == .writing)
  }

  @Test func `the U key restores the former edition of a re-imported course once`()
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
    let notice = fixture.screen(at: 6)[21].trimmed
    let changed = try library.export(PlacePath("maps"))
    fixture.press("U", at: 30)
    let back = fixture.screen(at: 31)[21].trimmed
    fixture.press("U", at: 40)

    #expect(keys.hasPrefix("↵ import"))
    #expect(notice == "Imported “Maps”: 2 parts, 2 chapters, 2 sections. U undoes it.")
    #expect(back == "“Maps” was restored.")
    #expect(changed != before)
    #expect(try library.export(PlacePath("maps")) == before)
  }

  @Test func `the welcome page offers to add the learner's own course`() throws {
    let fixture = try fixture(isEmpty: true)
    fixture.press(.down, at: 1)

    let rows = fixture.text(at: 2).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // The rest of the row is the path of the test's folder.
    #expect(rows[22].hasPrefix("   Saved "))
    expectSnapshot(rows.enumerated().map { $0 == 22 ? "" : $1 })
    fixture.press(.enter, at: 3)
    #expect(fixture.browser.overlay is AddCourseScreen)
  }

  @Test func `hidden items are listed only if a dot is typed, and a tilde stands for the home folder`() throws {
    try write("", ".hidden")
    let listing = FolderListing(home: folder.path, current: "/")

    #expect(
      listing.items(continuing: "~/").map { "\($0.path): \($0.kindDescription)" } == [
        "~/maps/: a book", "~/music/: folder",
      ])
    #expect(listing.items(continuing: "~/.h").map(\.name) == [".hidden"])
    #expect(listing.items(continuing: folder.file("nowhere/")) == [])
  }

  @Test func `possible courses are listed first, and other files only if their name is typed`() throws {
    try write("\n {\"$schema\": \"waymark.json\", \"waymark\": 1}", "zebra.json")
    try write("{\"name\": \"a package\"}", "package.json")
    try write("[\"waymark\"]", "list.JSON")
    try write("", "an archive.TGZ")
    try write("title: Own", "own/course.yml")
    try write("", "a book.epub")
    try write("", "deck.apkg")
    let listing = FolderListing(home: folder.path, current: folder.path)

    #expect(
      listing.items(continuing: "").map { "\($0.name): \($0.kindDescription)" } == [
        "maps: a book", "own: a course", "music: folder", "a book.epub: a book", "an archive.TGZ: an archive",
        "deck.apkg: an Anki deck", "zebra.json: a course",
      ])
    #expect(listing.items(continuing: "n").map { "\($0.name): \($0.kindDescription)" } == ["notes.txt: file"])
  }

  @Test func `Enter on a folder lists it, and Enter on a course shows a preview`() throws {
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
    #expect(fixture.text(at: 7).contains("│ 1 part, 1 chapter, 1 section"))
  }

  @Test func `in a folder without courses, the message does not say that the folder is empty`() throws {
    try write("x", "texts/notes.txt")
    let fixture = try fixture()
    fixture.press("a", at: 1)
    fixture.type("texts/", at: 2)

    #expect(fixture.text(at: 3).contains("│ No courses in this folder. Type another path. "))
  }

  @Test func `the notice about an imported course counts its parts, and the course is selected`() throws {
    let fixture = try fixture()
    func imports(at time: Double) -> String {
      fixture.press("a", at: time)
      fixture.type("maps", at: time + 1)
      fixture.press(.enter, at: time + 2)
      _ = fixture.text(at: time + 3)
      fixture.press(.enter, at: time + 3)
      return fixture.text(at: time + 4)
    }

    let notice = imports(at: 1)
    fixture.press(.enter, at: 100)

    #expect(notice.contains("Imported “Maps”: 2 parts, 2 chapters, 2 sections."))
    #expect(try fixture.lastStep.to.title == "Maps")
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"] != nil,
      "WAYMARK_SAMPLES does not name the folder of samples"),
    arguments: [true, false])
  func `the review progress in an Anki package is imported unless the learner leaves it out`(isIncluded: Bool) throws {
    let samples = try #require(ProcessInfo.processInfo.environment["WAYMARK_SAMPLES"])
    let fixture = try fixture()
    fixture.press("a", at: 1)
    fixture.type(samples + "/anki/anki21-scheduled.apkg", at: 2)
    fixture.press(.enter, at: 3)
    let offer = fixture.text(at: 4)
    if !isIncluded { fixture.press(.tab, at: 5) }
    let changed = fixture.text(at: 6)
    fixture.press(.enter, at: 7)
    let notice = fixture.text(at: 8)

    #expect(offer.contains("The review progress of ") && offer.contains("Tab without progress"))
    #expect(isIncluded || changed.contains("The review progress of the cards is not imported."))
    #expect(notice.contains("Imported “") && notice.contains("progress of ") == isIncluded)
    #expect(try fixture.browser.context.navigation.reviews.log().isEmpty == !isIncluded)
  }

  @Test(arguments: [true, false])
  func `passed exercises of rustlings are marked as done unless the learner leaves them out`(isIncluded: Bool) throws {
    let fixture = try fixture()
    let exercises = folder.file("crabs/exercises")
    try FileManager.default.createDirectory(atPath: exercises, withIntermediateDirectories: true)
    try write("[[exercises]]\nname = \"a\"\n\n[[exercises]]\nname = \"b\"\n", "crabs/info.toml")
    for name in ["a", "b"] { try write("fn main() {}\n", "crabs/exercises/\(name).rs") }
    try write("DON'T EDIT\n\na\n\nb\n", "crabs/.rustlings-state.txt")
    fixture.press("a", at: 1)
    fixture.type("crabs", at: 2)
    fixture.press(.enter, at: 3)
    let offer = fixture.text(at: 4)
    if !isIncluded { fixture.press(.tab, at: 5) }
    let changed = fixture.text(at: 6)
    fixture.press(.enter, at: 7)

    #expect(offer.contains("1 exercise that you have passed will be marked as done."))
    #expect(isIncluded || changed.contains("The exercises that you have passed are not marked as done."))
    #expect(!changed.contains("review progress"))
    let passed = isIncluded ? ", and 1 passed exercise" : ""
    #expect(fixture.text(at: 8).contains("Imported “Crabs”: 1 goal, 1 lesson, 2 activities\(passed)."))
  }

  @Test func `the bundled course is offered if it has not been imported`() throws {
    let fixture = try fixture(isEmpty: true)
    fixture.press("a", at: 1)
    fixture.type("engl", at: 2)
    let offered = fixture.text(at: 3)
    fixture.press(.down, at: 4)
    fixture.press(.enter, at: 5)
    let screen = fixture.text(at: 7)
    fixture.press("a", at: 8)
    fixture.type("engl", at: 9)

    #expect(offered.contains("English for Business  the bundled course"))
    #expect(screen.contains("Imported “English for Business”: 4 goals"))
    #expect(fixture.text(at: 10).contains("No file or folder begins with this text."))
  }
}
