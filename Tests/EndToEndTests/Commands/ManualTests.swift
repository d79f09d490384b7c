import BundledManual
import Foundation
import TerminalHarness
import Testing

@testable import waymark

/// `waymark manual`, and the ways that lead to it.
struct ManualTests {
  private static let documentation = Fixtures.folder.deletingLastPathComponent().appending(path: "Documentation")

  @Test func `the embedded pages and pictures are those of the documentation, in at most 200 kB`() throws {
    let home = try HomeFixture()
    try Data(ManualArchive.bytes).write(to: home.folder.appending(path: "manual.tar.gz"))
    try FileManager.default.createDirectory(atPath: home.path("manual"), withIntermediateDirectories: true)
    #expect(try home.run("/bin/tar", ["xzf", home.path("manual.tar.gz"), "-C", home.path("manual")]).code == 0)

    func files(in folder: URL) throws -> [String: Data] {
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
        [".md", ".svg"].contains(where: path.hasSuffix) && !path.split(separator: "/").contains { $0.hasPrefix(".") }
      }
      return try Dictionary(
        uniqueKeysWithValues: paths.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }
    let embedded = try files(in: home.folder.appending(path: "manual"))
    let all = try files(in: Self.documentation)
    let texts = all.filter { $0.key.hasSuffix(".md") }.values.map { String(decoding: $0, as: UTF8.self) }
    let written = all.filter { name, _ in name.hasSuffix(".md") || texts.contains { $0.contains(name) } }

    #expect(embedded.keys.sorted() == written.keys.sorted())
    for (name, text) in written { #expect(embedded[name] == text, "\(name): build again to embed it") }
    #expect(ManualArchive.embeddedSize <= 200_000)
  }

  @Test func `each page of the documentation is in the list of pages, and each hint names one`() throws {
    let pages = try FileManager.default.subpathsOfDirectory(atPath: Self.documentation.path)
      .filter { $0.hasSuffix(".md") && !$0.contains(".build/") && $0 != "README.md" }
    let names = ManualArchive.pages.map(\.name)

    #expect(Set(names) == Set(pages.map { String($0.dropLast(3)) }))
    #expect(ManualArchive.pages.first?.title == "The first hour")
    for page in ["settings", "sync", "troubleshooting", "opening", "review", "history-words", "notes", "progress"] {
      #expect(names.contains(page))
    }
  }

  @Test(arguments: [
    ("export", "Exporting courses"), ("tmux", "Terminals, tmux and SSH"),
  ])
  func `a word of a page's title prints the page`(word: String, title: String) throws {
    let page = try HomeFixture().waymark("manual", word)
    #expect(page.code == 0 && page.output.lines.first?.hasPrefix(title) == true, "\(page.output.prefix(200))")
    #expect(page.output.lines.count > 20, "\(page.output.prefix(400))")
  }

  @Test func `in a pipe, the pages are listed, and a page is printed by its name, its title or its words`() throws {
    let home = try HomeFixture()

    let list = try home.waymark("manual")
    let named = try home.waymark("manual", "settings")
    let titled = try home.waymark("manual", "the", "first", "hour")
    let searched = try home.waymark("manual", "exit", "codes")
    let missing = try home.waymark("manual", "qqqqq")
    let mistyped = try home.waymark("manual", "setings")

    #expect(list.code == 0 && list.errors == "")
    #expect(list.output.lines.count == ManualArchive.pages.count + 1)
    #expect(list.output.lines[1].hasPrefix("first-hour"))
    #expect(
      named.code == 0 && named.errors == "" && named.output.lines.first == "Settings", "\(named.output.prefix(80))")
    #expect(titled.output.lines.first == "The first hour")
    #expect(searched.code == 0 && searched.output.contains("sysexits.h"), "\(searched.output.prefix(80))")
    expectAnswer(
      missing, code: 66, errors: "Could not find 'qqqqq' in the manual. List its pages with 'waymark manual | cat'.\n")
    #expect(mistyped.code == 66 || mistyped.output.lines.first == "Settings")
    #expect(!FileManager.default.fileExists(atPath: home.database.path), "nothing is stored")
  }

  @Test func `the manual opens as a course, and its links lead to its pages`() throws {
    let home = try HomeFixture()
    let session = try BrowserSession(in: home, ["manual"])

    try session.waitForPage("The manual of Waymark")
    try session.wait(for: "Read and learn")
    try session.quit()

    #expect(!FileManager.default.fileExists(atPath: home.database.path))
    let page = try BrowserSession(in: home, ["manual", "database"])
    try page.waitForPage("Backing up and restoring the database")
    try page.quit()
  }

  @Test func `the manual can be kept in the database`() throws {
    let home = try HomeFixture()

    let printed = try home.waymark("manual", "notes", "--keep")
    let again = try home.waymark("manual", "notes", "--keep")

    #expect(printed.code == 0 && again.code == 0)
    #expect(try home.waymark("courses", "--format", "csv").output.contains("The manual of Waymark,1,"))
    #expect(try home.waymark("search", "restoring").code == 0)
  }

  @Test func `help opens the manual at the page about the screen and returns to the same place`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business/negotiating"])
    session.expect(ExpectedScreens.goal)

    session.type("?")
    try session.wait(for: "manual")
    session.type("m")
    try session.waitForPage("The first hour")
    session.type("q")

    session.expect(ExpectedScreens.goal)
    try session.quit()
  }

  @Test func `the palette finds pages of the manual`() throws {
    let session = try BrowserSession(in: .withBundledCourse(), ["english-for-business/negotiating"])
    session.expect(ExpectedScreens.goal)

    session.type(":manual sett")
    try session.wait(for: "in the manual")
    session.press(.enter)
    try session.waitForPage("Settings")
    session.type("q")

    session.expect(ExpectedScreens.goal)
    try session.quit()
  }

  @Test func `a search in the manual opens the text at the match, from the shell and from the palette`() throws {
    let words = "landlock"
    let session = try BrowserSession(in: HomeFixture(), ["manual", words])
    try session.wait(for: "Next “\(words)”")
    #expect(session.rows.dropLast(2).contains { $0.lowercased().contains(words) })
    #expect(!session.rows.joined().contains("pandoc"), "the beginning of the page is not visible")
    try session.quit()

    let browser = try BrowserSession(in: .withBundledCourse(), ["english-for-business/negotiating"])
    browser.expect(ExpectedScreens.goal)
    browser.type(":manual \(words)")
    try browser.wait(for: "search for “\(words)”")
    browser.press(.enter)
    try browser.wait(for: "Next “\(words)”")
    #expect(browser.rows.dropLast(2).contains { $0.lowercased().contains(words) })
    browser.type("q")
    browser.expect(ExpectedScreens.goal)
    browser.type(":manual qqqqq")
    try browser.wait(for: "search for “qqqqq”")
    browser.press(.enter)
    try browser.wait(for: "Could not find “qqqqq” in the manual.")
    try browser.quit()
  }

  @Test func `an error on a terminal names a page of the manual`() throws {
    let home = try HomeFixture()
    try home.write("no database", to: ".local/share/waymark/waymark.sqlite")

    let piped = try home.waymark("courses")
    let session = try BrowserSession(in: home, ["courses"])

    #expect(piped.code == 65 && !piped.errors.contains("manual"))
    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(65))
    #expect(session.rows.contains("Read more: waymark manual troubleshooting"))
  }
}
