import Foundation
import LearningModel
import NavigationKit
import Synchronization
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser

/// Renaming places and exporting a course within the browser.
@MainActor @Suite struct RenamingInPlaceTests {
  private func ask(_ command: String, in fixture: BrowserFixture, at time: Double) {
    fixture.press(":", at: time)
    fixture.type(command, at: time + 0.3)
    fixture.press(.enter, at: time + 0.6)
    _ = fixture.screen(at: time + 1)
  }

  private func type(_ name: String, in fixture: BrowserFixture, at time: Double) {
    fixture.press(.character("u"), .control, at: time)
    fixture.type(name, at: time)
    fixture.press(.enter, at: time + 0.5)
  }

  @Test func `renaming the selected card can be undone after its notice has ended`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    _ = fixture.screen(at: 0)
    ask("rename", in: fixture, at: 1)
    let asking = fixture.text(at: 3)
    type("Sitting together", in: fixture, at: 4)
    let named = fixture.screen(at: 5.5)
    let laterNotice = fixture.screen(at: 15)[22]
    _ = fixture.screen(at: 20)
    fixture.press("U", at: 60)
    let back = fixture.screen(at: 61)

    let title = named[6].trimmed
    #expect(asking.contains("Name of the goal Meetings▎"))
    #expect(asking.contains("The path english-for-business/meetings does not change"))
    #expect(title.hasPrefix("│ Sitting together"))
    #expect(named[21].trimmed == "Renamed to “Sitting together”. U undoes it.")
    #expect(laterNotice == named[22])
    #expect(back[6].trimmed.hasPrefix("│ Meetings"))
    #expect(back[21].trimmed == "Renamed back to “Meetings”.")
    #expect(try fixture.browser.navigation.places.named("english-for-business/meetings").title == "Meetings")
  }

  @Test func `an empty name restores the author's title`() throws {
    let fixture = try BrowserFixture(
      opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    _ = fixture.screen(at: 0)
    ask("rename", in: fixture, at: 1)
    type("Silence", in: fixture, at: 3)
    let named = fixture.screen(at: 5)
    ask("rename", in: fixture, at: 12)
    let asking = fixture.text(at: 14)
    type("", in: fixture, at: 15)
    let back = fixture.screen(at: 17)

    #expect(named[2].trimmed.hasPrefix("Silence"))
    #expect(asking.contains("the author's name, “Who speaks first?”."))
    #expect(back[2].trimmed.hasPrefix("Who speaks first?"))
  }

  @Test func `a course is exported in the format that the file name indicates`() throws {
    let folder = try TemporaryFolder()
    let written = Mutex<[String]>([])
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    fixture.browser.folders = FolderListing(home: folder.path, current: folder.path)
    fixture.browser.courseExport = CourseExport(
      formats: [.init(fileExtension: "json", name: "one file"), .init(fileExtension: "zip", name: "an archive")]
    ) { course, form, path, replaces in
      written.withLock { $0.append("\(course) as \(form.fileExtension)\(replaces ? " again" : "")") }
      return " without the tags of 3 cards"
    }
    _ = fixture.screen(at: 0)
    ask("export", in: fixture, at: 1)
    let asking = fixture.text(at: 3)
    fixture.press(.enter, at: 4)

    #expect(asking.contains("english-for-business.json  one file"))
    #expect(asking.contains("english-for-business.zip   an archive"))
    #expect(
      fixture.text(at: 5).contains(
        "“English for Business” without the tags of 3 cards written to ~/english-"))
    #expect(written.withLock { $0 } == ["english-for-business as json"])
  }

  @Test func `a note with several lines is written in an editor and saved`() throws {
    let fixture = try BrowserFixture(
      opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    var given: [String] = []
    fixture.browser.onEdit = { text, done in
      given.append(text)
      done(.success(text + (text.isEmpty ? "One\nTwo" : "\nThree")))
    }
    _ = fixture.screen(at: 0)
    fixture.press("e", at: 1)
    let keys = fixture.screen(at: 2)[23]
    fixture.press(.tab, at: 3)
    let notice = fixture.screen(at: 20)[22]
    fixture.press("e", at: 21)
    let asking = fixture.text(at: 22)
    fixture.press(.tab, at: 23)

    #expect(keys.contains("Tab open editor"))
    #expect(notice.contains("“One Two”"))
    #expect(asking.contains("Note One␤Two▎"))
    #expect(given == ["", "One\nTwo"])
    #expect(try fixture.browser.navigation.notes.all().map(\.note.text) == ["One\nTwo\nThree"])
  }

  @Test func `the message about each failure of the editor contains a remedy`() {
    #expect(
      [TextEditor.Failure.noFile(path: "/tmp/x"), .failed(command: "ed"), .noText(command: "ed")].map(\.description)
        == [
          "Could not create a file at '/tmp/x' for the editor. Set TMPDIR to a folder that you can write, on a disk with free space.",
          "Could not read the text from 'ed': it failed. Set EDITOR to another editor.",
          "Could not read the text from 'ed': the output is not valid UTF-8. Nothing was changed. Save the text as UTF-8.",
        ])
  }

  @Test func `a failed editor changes nothing, and a note that is too long is rejected`() throws {
    let fixture = try BrowserFixture(
      opening: "english-for-business/negotiating/opening-offers/who-speaks-first")
    var answer = Result<String, TextEditor.Failure>.failure(.failed(command: "ed"))
    fixture.browser.onEdit = { _, done in done(answer) }
    _ = fixture.screen(at: 0)
    fixture.press("e", at: 1)
    fixture.press(.tab, at: 2)
    let failed = fixture.text(at: 2.5)
    answer = .success(String(repeating: "x", count: 4_001))
    fixture.press(.tab, at: 3)

    #expect(failed.contains("Could not read the text from 'ed': it failed."))
    #expect(fixture.text(at: 4).contains("Could not save the note: it is longer than"))
    #expect(try fixture.browser.navigation.notes.all().isEmpty)
  }

  @Test func `while renaming the selected card, Tab switches to renaming its page`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    ask("rename", in: fixture, at: 1)
    let framed = fixture.text(at: 3)
    fixture.press(.tab, at: 4)
    let page = fixture.text(at: 5)
    type("Business", in: fixture, at: 6)

    #expect(framed.contains("Name of the goal Meetings▎") && framed.contains("Tab rename course"))
    #expect(page.contains("Name of the course English for Business▎") && page.contains("Tab rename goal"))
    #expect(fixture.screen(at: 8)[2].hasPrefix("   Business "))
  }
}
