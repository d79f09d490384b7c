import CourseKit
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

@MainActor @Suite struct SettingsScreenTests {
  @Test func `settings show their source, and a selected value is written and applied`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data("motion: full  # all\n".utf8), to: "config.yml")
    let fixture = try BrowserFixture()
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())
    var applied: [Settings] = []
    fixture.browser.onSettings = { applied.append($0) }

    fixture.press(",", at: 1)
    let all = fixture.screen(at: 2)
    fixture.type("mot", at: 3)
    fixture.press(.enter, at: 4)
    let values = fixture.screen(at: 5)
    fixture.press(.down, at: 6)
    fixture.press(.enter, at: 7)
    let written = fixture.screen(at: 8)

    #expect(all.contains { $0.hasPrefix(" │ ▌ theme") && $0.hasSuffix("auto  default │ ") })
    #expect(all.contains { $0.hasPrefix(" │   motion") && $0.hasSuffix("full  file │ ") })
    #expect(values.contains { $0.hasPrefix(" │ ▌ full") && $0.hasSuffix("current, set by file │ ") })
    #expect(written.contains { $0.hasPrefix(" │ Settings ▎Saved: motion is reduced.  ") })
    #expect(written.contains { $0.hasPrefix(" │   theme") && $0.hasSuffix("auto  default │ ") })
    #expect(written.contains { $0.hasPrefix(" │ ▌ motion") && $0.hasSuffix("reduced  file │ ") })
    #expect(try String(contentsOfFile: folder.file("config.yml"), encoding: .utf8) == "motion: reduced  # all\n")
    #expect(fixture.browser.stage.motion == .reduced)
    #expect(applied.map(\.motion) == [.reduced])
  }

  @Test func `in 40 columns, descriptions are truncated but values are not`() throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture(40, 12)
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())

    fixture.press(",", at: 1)

    #expect(
      fixture.screen(at: 2)[2..<10].map(\.withoutTrailingBlanks) == [
        " ▌ theme  light or dark…  auto  default", "   motion  the amount o…  full  default",
        "   frame-rate  frames per…  60  default", "   color  the number of…  auto  default",
        "   layout  cards or list  auto  default", "   width       line length  74  default",
        "   symbols  characters…   auto  default", "   mouse   mouse support  auto  default",
      ])
  }

  @Test func `review settings are listed, stored with the answers, and followed by an open review`() throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture(motion: .none, on: try ReviewHistory.begun.get())
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())
    fixture.press(.escape, at: 0)
    fixture.press("4", at: 1)
    fixture.type("  ", at: 2)

    fixture.press(",", at: 3)
    fixture.type("review", at: 4)
    let listed = fixture.screen(at: 5)
    fixture.press(.enter, at: 6)
    fixture.press(.down, at: 7)
    fixture.press(.enter, at: 8)
    let saved = fixture.text(at: 9)
    fixture.press(.escape, at: 10)

    for (name, value) in [("answers", "2"), ("new", "20"), ("reviews", "200"), ("retention", "0.9")] {
      #expect(
        listed.contains { $0.contains(" review-\(name) ") && $0.contains(" \(value)  default") }, "\(listed)")
    }
    #expect(saved.contains("Saved: review-answers is 4."), "\(saved)")
    #expect(try fixture.browser.context.navigation.reviews.settings().hasFourAnswers)
    #expect(fixture.text(at: 11).contains("1 again"), "\(fixture.text(at: 11))")
  }

  @Test func `a course with review settings of its own is listed after them, and can be reset`() throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture(motion: .none, on: try ReviewHistory.begun.get())
    let reviews = fixture.browser.context.navigation.reviews
    let course = try #require(try reviews.overview().courses.first?.place.path)
    try reviews.set(ReviewSettingsChange(newCards: 7, learningSteps: [60, 300]), of: .path(course))
    let store = SettingsStore(path: folder.file("config.yml"), flags: Settings(), environment: Settings())
    let page = SettingsPage(store, fixture.browser.context.navigation)

    let row = try #require(try page.rows().last)
    #expect(row.name == "review@\(course)" && row.explanation == "new 7, learning-steps 1m 5m" && row.value == "own")
    #expect(try page.set(row.name, to: "own") == "Unchanged: review@\(course) is own.")
    #expect(try page.set(row.name, to: "reset") == "Saved: review@\(course) has the settings of all courses.")
    #expect(try reviews.settings(of: .path(course)) == reviews.settings())
    #expect(try page.rows().last?.name == "review-weights")
  }

  @Test func `a review setting that is out of range is refused with its range`() throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture()
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())
    fixture.press(",", at: 1)
    fixture.type("review-new", at: 2)
    fixture.press(.enter, at: 3)
    fixture.type("many", at: 4)
    fixture.press(.enter, at: 5)

    let text = fixture.text(at: 6).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("Could not set review-new to many: the value must be from 0 to 9999."), "\(text)")
  }

  @Test func `the palette opens a setting by its name`() throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture()
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())

    fixture.press(":", at: 1)
    fixture.type("theme", at: 2)
    fixture.press(.enter, at: 3)
    let rows = fixture.screen(at: 5)

    #expect(rows.contains { $0.hasPrefix(" │   high-contrast-light") })
  }

  @Test(arguments: [("dark", "theme"), ("anim", "motion"), ("length", "width"), ("background", "theme")])
  func `the palette finds a setting by its values and its description`(query: String, name: String) throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture()
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())

    fixture.press(":", at: 1)
    fixture.type(query, at: 2)
    let rows = fixture.screen(at: 3)

    // The setting with this value is listed first. Settings whose descriptions match are listed after the entry that
    // searches for the text.
    let isValue = query == "dark"
    let first = isValue || name.hasPrefix(query) ? name : "find"
    #expect(rows.contains { $0.contains("▌ \(first)  ") })
    #expect(rows.contains { $0.contains("  \(name)  ") || $0.contains("▌ \(name)  ") })
  }

  @Test(arguments: [
    ("dark", "theme"), ("light", "theme"), ("night", "theme"), ("wider", "width"), ("anim", "motion"),
    ("sixel", "pictures"),
  ])
  func `the list of settings is filtered by values and synonyms`(query: String, name: String) throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture()
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())

    fixture.press(",", at: 1)
    fixture.type(query, at: 2)
    let rows = fixture.screen(at: 3)

    #expect(rows.contains { $0.hasPrefix(" │ ▌ \(name)  ") })
    #expect(rows.count { $0.hasSuffix("default │ ") } == 1)
  }

  @Test func `settings are found by several words, and the title names where the selected one is stored`() throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture(motion: .none)
    let path = folder.file("config.yml")
    fixture.browser.settings = SettingsStore(path: path, flags: Settings(), environment: Settings())
    fixture.press(",", at: 1)
    let file = fixture.screen(at: 2)

    fixture.type("new cards a d", at: 3)
    let found = fixture.screen(at: 4)

    #expect(file.contains { $0.contains("Settings") && $0.contains("config.yml") })
    #expect(found.contains { $0.hasPrefix(" │ ▌ review-new  ") }, "\(found)")
    #expect(found.contains { $0.contains("new cards a d") && $0.contains("stored for ada") }, "\(found)")
  }

  @Test func `a typed value is selected, and text without matches shows a message`() throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture()
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())

    fixture.press(",", at: 1)
    fixture.type("dark", at: 2)
    fixture.press(.enter, at: 3)
    let values = fixture.screen(at: 4)
    fixture.type("zzz", at: 5)
    let noValue = fixture.text(at: 6)
    fixture.press(.escape, at: 7)
    fixture.type("zzz", at: 8)
    let noSetting = fixture.text(at: 9)
    fixture.press(.character("u"), .control, at: 10)
    fixture.type("keys", at: 11)

    #expect(values.contains { $0.hasPrefix(" │ ▌ dark  ") })
    #expect(noValue.contains("│ No value matches. Ctrl-U clears the words. "))
    #expect(noSetting.contains("│ No setting matches. Ctrl-U clears the words. "))
    #expect(fixture.text(at: 12).contains("│ ▌ keys  keys of the commands  "))
  }

  @Test func `a numeric setting shows its range`() throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture()
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())

    fixture.press(":", at: 1)
    fixture.type("width", at: 2)
    fixture.press(.enter, at: 3)

    #expect(fixture.text(at: 5).contains("width ▎a whole number from 40 to 94"))
  }

  @Test func `importing again asks for the path if the source is missing`() throws {
    let fixture = try BrowserFixture()

    fixture.press(":", at: 1)
    fixture.type("update", at: 2)
    fixture.press(.enter, at: 3)
    let text = fixture.text(at: 5)

    #expect(text.contains("Import again english-for-business.json▎"))
    #expect(text.contains("The source “english-for-business.json” no longer exists."))
  }

  @Test func `a course is removed after a countdown, unless the removal is undone`() throws {
    let fixture = try BrowserFixture()
    let ask = { (time: Double) in
      fixture.press(":", at: time)
      fixture.type("remove", at: time + 0.5)
      fixture.press(.enter, at: time + 1)
      _ = fixture.screen(at: time + 1.5)
      fixture.press(.down, at: time + 1.6)
      fixture.press(.enter, at: time + 1.7)
    }

    ask(1)
    let countdown = fixture.screen(at: 3)[21].trimmed
    fixture.press("U", at: 4)
    let undone = fixture.screen(at: 5)[21].trimmed
    _ = fixture.screen(at: 30)
    let courses = try fixture.browser.library.courses().map(\.title)
    ask(31)
    let later = fixture.screen(at: 43)[21].trimmed
    _ = fixture.screen(at: 46)

    #expect(countdown == "“English for Business” is removed in 12 seconds or at exit. U cancels.")
    #expect(later == "“English for Business” is removed in 2 seconds or at exit. U cancels.")
    #expect(undone == "The removal of “English for Business” was cancelled.")
    #expect(courses == ["English for Business"])
    #expect(try fixture.browser.library.courses().isEmpty)
    #expect(fixture.screen(at: 46.1)[21].trimmed == "Removed “English for Business”. Its history is kept.")
  }

  @Test func `when the last course of the list is removed, the course above it is selected`() throws {
    let first = try BrowserFixture()
    let course = """
      {"waymark": 1, "course": {"key": "z", "title": "Zoology", "children": [{"key": "g", "title": "G", "children": [
        {"key": "l", "title": "L", "children": [{"key": "a", "title": "A", "reading": [{"p": ["A."]}]}]}]}]}}
      """
    try first.browser.library.importCourse(named: "z.json", bytes: Array(course.utf8))
    let fixture = try BrowserFixture(after: first)
    fixture.press(.down, at: 1)
    fixture.press(":", at: 2)
    fixture.type("remove", at: 3)
    fixture.press(.enter, at: 4)
    _ = fixture.screen(at: 5)
    fixture.press(.down, at: 6)
    fixture.press(.enter, at: 7)
    fixture.press("3", at: 8)
    _ = fixture.screen(at: 30)
    fixture.press("1", at: 31)
    let list = fixture.screen(at: 32)
    fixture.press(.enter, at: 33)

    #expect(try fixture.browser.library.courses().map(\.title) == ["English for Business"])
    #expect(list.contains { $0.hasPrefix(" │ · English for Business") })
    #expect(fixture.screen(at: 34)[2].hasPrefix("   English for Business"))
  }

  @Test func `the plus and minus keys change the line length within its limits and save it`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data("width: 92\n".utf8), to: "config.yml")
    let fixture = try BrowserFixture(120, 24)
    let file = { try String(contentsOfFile: folder.file("config.yml"), encoding: .utf8) }
    let notice = { (time: Double) in fixture.screen(at: time)[21].trimmed }
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())
    var texts: [String] = []

    for (number, key) in "++-".enumerated() {
      fixture.press(key, at: 1 + Double(number))
      texts.append(notice(1.5 + Double(number)))
      texts.append(try file())
    }
    var flags = Settings()
    flags.width = 60
    fixture.browser.settings = SettingsStore(path: folder.file("config.yml"), flags: flags, environment: Settings())
    fixture.press("-", at: 5)

    #expect(
      texts == [
        "Lines of text are at most 94 columns now.", "width: 94\n", "Lines of 94 columns are the longest possible.",
        "width: 94\n",
        "Lines of text are at most 90 columns now.", "width: 90\n",
      ])
    #expect(notice(5.5) == "Saved: 56. A flag or the environment still sets 60.")
    fixture.browser.settings = nil
    fixture.press("-", at: 7)
    #expect(notice(7.5) == "Settings cannot be changed here.")
  }

  @Test func `typing the name and value of a setting in the palette changes it`() throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture()
    let path = folder.file("config.yml")
    fixture.browser.settings = SettingsStore(path: path, flags: Settings(), environment: Settings())
    fixture.press(":", at: 1)
    fixture.type("theme li", at: 2)
    let rows = fixture.screen(at: 3)
    fixture.press(.enter, at: 4)

    #expect(rows.contains { $0.contains("▌ theme light") })
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "theme: light\n")
    #expect(fixture.screen(at: 5)[21].trimmed == "Saved: theme is light.")
  }

  @Test func `the line length cannot be set to more than the window allows`() throws {
    let folder = try TemporaryFolder()
    let fixture = try BrowserFixture()
    fixture.browser.settings = SettingsStore(
      path: folder.file("config.yml"), flags: Settings(), environment: Settings())
    fixture.press("+", at: 1)
    let longer = fixture.screen(at: 1.5)[21].trimmed
    fixture.press("-", at: 2)

    #expect(longer == "Lines already fill this window: 74 columns.")
    #expect(fixture.screen(at: 2.5)[21].trimmed == "Lines of text are at most 70 columns now.")
  }

  @Test func `a pending removal is carried out and reported when the browser closes`() throws {
    let fixture = try BrowserFixture()
    fixture.press(":", at: 1)
    fixture.type("remove", at: 2)
    fixture.press(.enter, at: 3)
    _ = fixture.screen(at: 4)
    fixture.press(.down, at: 5)
    fixture.press(.enter, at: 6)
    fixture.browser.close()

    let again = try BrowserFixture(after: fixture)
    #expect(again.screen(at: 8).contains { $0.contains("The bundled course. Opens immediately.") })
    #expect(fixture.browser.closingMessages == ["Removed “English for Business”. Its history is kept."])
    #expect(try fixture.browser.library.courses().isEmpty)
  }
}
