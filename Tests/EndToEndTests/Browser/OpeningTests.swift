import Foundation
import TerminalHarness
import Testing

/// `waymark THING` with a source instead of a place.
struct OpeningTests {
  private func courses(_ home: HomeFixture) throws -> [String] {
    try home.waymark("courses", "--format", "csv").output.lines.dropFirst().map { String($0.prefix { $0 != "," }) }
  }

  @Test func `an opened file is imported, and imported again after a change`() throws {
    let home = try HomeFixture()
    try home.write("# Ladders\n\nThree points of contact.\n", to: "README.md")

    let first = try BrowserSession(in: home, ["README.md"])
    try first.wait(for: "Three points of contact.")
    try first.quit()
    try home.write("# Ladders\n\nFour points of contact.\n", to: "README.md")
    let second = try home.waymark("README.md", "--linear")
    let third = try home.waymark("./README.md", "--linear")

    #expect(second.code == 0 && second.output.contains("Four points of contact."), "\(second)")
    #expect(third.output.contains("Four points of contact."))
    #expect(try courses(home) == ["ladders"])
    #expect(try home.waymark("courses", "--format", "csv").output.lines[1].contains(",2,"), "the second edition")
  }

  @Test func `linear mode rejects a line that is longer than the limit, and reads the next one`() throws {
    let home = try HomeFixture()
    try home.write("# Ladders\n\nThree points of contact.\n", to: "README.md")

    let answer = try home.waymark(
      "README.md", "--linear", input: String(repeating: "x", count: (4 << 20) + 1) + "\n\nquit\r\nmore\n")

    #expect(answer.code == 0)
    #expect(answer.output.contains("\n> Could not read a line: it is longer than 4 MiB. Shorten it.\n> \n"))
    #expect(answer.output.hasSuffix("> quit\nGoodbye. Waymark will continue here.\n"))
  }

  @Test func `folders and archives are opened, and a place takes precedence over a file`() throws {
    let home = try HomeFixture()
    try home.write("# Ladders\n\nThree points.\n", to: "safety/ladders.md")
    try home.write("# Ropes\n\nTie a knot.\n", to: "safety/ropes.md")
    #expect(try home.run("/bin/tar", ["czf", home.path("archive.tar.gz"), "-C", home.path("safety"), "."]).code == 0)

    let folder = try home.waymark("./safety/", "--linear")
    let place = try home.waymark("safety", "--linear")
    let archive = try home.waymark("archive.tar.gz", "--linear")

    #expect(folder.code == 0 && folder.output.contains("Ropes"), "\(folder)")
    #expect(place.code == 0 && place.output.contains("2 pages"), "\(place)")
    #expect(archive.code == 0 && archive.output.contains("Ropes"), "\(archive)")
    #expect(try courses(home).count == 2)
    #expect(try home.waymark("courses", "--format", "csv").output.contains("safety,course,"))
  }

  @Test func `sources with the same name are imported as two courses, with a warning`() throws {
    let home = try HomeFixture()
    try home.write("# Ladders\n\nThree points of contact.\n", to: "a/book/README.md")
    try home.write("# Ropes\n\nTie a knot.\n", to: "b/book/README.md")

    let imported = try home.waymark("import", "a/book", "b/book")

    #expect(imported.code == 0)
    #expect(
      imported.errors.normalized(home)
        == "book: warning: The key 'book' belongs to the course from 'HOME/a/book', so this course has the key 'book-2'. "
        + "To update the other course instead, import this source with the key 'book'.\n")
    #expect(try courses(home) == ["ladders", "ropes"])
  }

  @Test func `a pipe is not imported by its path`() throws {
    let home = try HomeFixture()

    let answer = try home.run("/bin/sh", ["-c", "echo '# A' | \"$0\" import /dev/stdin", BuiltProgram.path])

    expectAnswer(
      answer, code: 65,
      errors: "/dev/stdin: error: It is neither a file nor a folder. Remove it, or save its content in a file.\n"
        + "Could not import '/dev/stdin': it cannot be read as a course. Nothing was changed.\n")
  }

  @Test func `a page and a manual page that gzip has compressed are opened by their own names`() throws {
    let home = try HomeFixture()
    try home.write("# Ladders\n\nThree points of contact.\n", to: "ladders.md")
    try home.write(".TH LADDER 1\n.SH NAME\nladder \\- climb safely\n", to: "ladder.1")
    #expect(try home.run("/bin/gzip", [home.path("ladders.md"), home.path("ladder.1")]).code == 0)

    let page = try home.waymark("import", "ladders.md.gz", "--format", "jsonl")
    let manual = try home.waymark("import", "ladder.1.gz", "--format", "jsonl")
    try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]).write(to: home.folder.appending(path: "cut.md.gz"))
    let damaged = try home.waymark("import", "cut.md.gz")

    #expect(page.output.contains(#""format":"markdown","course":"ladders""#), "\(page)")
    let hasPandoc = FileManager.default.isExecutableFile(atPath: "/usr/bin/pandoc")
    #expect(hasPandoc ? manual.output.contains(#""format":"document""#) : manual.errors.contains("pandoc"), "\(manual)")
    #expect(damaged.code == 65 && damaged.errors.contains("Reading it failed with"), "\(damaged)")
    #expect(try home.waymark("update", "ladders", "--format", "jsonl").code == 0)
  }

  @Test func `standard input is imported, and a second import needs the same kind of source`() throws {
    let home = try HomeFixture()

    let first = try home.waymark("import", "-", input: "# Ladders\n\nThree points of contact.\n")
    let second = try home.waymark("import", "-", input: "# Ladders\n\nFour points of contact.\n")
    let keyed = try home.waymark("import", "-", "--key", "ropes", input: "# Ropes\n\nTie a knot.\n")
    let update = try home.waymark("update", "ladders")
    let watched = try home.waymark("import", "-", "--watch")

    #expect(first.code == 0 && first.output.hasPrefix("Ladders: imported as 'ladders'\n"), "\(first)")
    #expect(second.code == 0 && second.output.contains("2 changed"), "\(second)")
    #expect(keyed.code == 0)
    #expect(try courses(home) == ["ladders", "ropes"])
    #expect(try home.waymark("show", "ladders/ladders/ladders/ladders").output.contains("Four points"))
    #expect(update.code == 66 && update.errors.contains("it was imported from 'standard-input.md'"), "\(update)")
    #expect(watched.code == 64)
  }

  @Test func `a page shows the images of its folder and opens the pages that it links, but nothing outside`() throws {
    let home = try HomeFixture()
    let drawing = #"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>"#
    try home.write(drawing, to: "project/images/map.svg")
    try home.write(drawing, to: "secret.svg")
    try home.write(
      "# Ladders\n\n![a map](images/map.svg) ![no map](../secret.svg)\n\n[Ropes](docs/ropes.md#knots), "
        + "[outside](../secret.md), [hidden](.hidden/page.md), [missing](none.md).\n", to: "project/README.md")
    try home.write(
      "# Ropes\n\n## Knots\n\nTie one. [Back](../README.md), [nets](nets.md).\n", to: "project/docs/ropes.md")
    try home.write("# Nets\n\nKnot it.\n", to: "project/docs/nets.md")
    try home.write("# Secret\n\nText.\n", to: "secret.md")
    try home.write("# Hidden\n\nText.\n", to: "project/.hidden/page.md")
    try home.write("# Not linked\n\nText.\n", to: "project/docs/other.md")

    let imported = try home.waymark("import", "project/README.md")
    let tree = try home.waymark("tree", "--format", "csv").output.lines.dropFirst().map { $0.split(separator: ",")[0] }
    let opened = try home.waymark("project/README.md", "--linear")
    let export = try home.waymark("export", "ladders", "--output", home.path("course.zip"))

    #expect(imported.code == 0, "\(imported)")
    let lost = "1 × image: shown as its description because its file is missing\n    README.md: ../secret.svg\n"
    #expect(imported.output.contains(lost), "\(imported)")
    #expect(
      tree == [
        "ladders", "ladders/ladders", "ladders/ladders/ladders", "ladders/ladders/ladders/ladders",
        "ladders/linked-pages", "ladders/linked-pages/ropes", "ladders/linked-pages/ropes/ropes",
        "ladders/linked-pages/nets", "ladders/linked-pages/nets/nets",
      ])
    #expect(opened.output.contains("Page: Ladders."), "the text is opened and not the course: \(opened)")
    #expect(export.code == 0)
  }

  @Test func `program texts, exercises and quizzes that are not imported are counted by their kind`() throws {
    let home = try HomeFixture()
    try home.write("# One\n\nText.\n", to: "course/one.md")
    for name in ["a.py", "b.py", "exercises/01/main.rs", "quizzes/first.toml", "last.gift", "mkdocs.config.js"] {
      try home.write("x", to: "course/" + name)
    }
    try home.write("[book]\ntitle = \"Book\"\n", to: "book/book.toml")
    try home.write("- [One](one.md)\n", to: "book/src/SUMMARY.md")
    try home.write("# One\n\n```rust\n{{#include shown.rs}}\n```\n", to: "book/src/one.md")
    try home.write("fn main() {}\n", to: "book/src/shown.rs")
    try home.write("fn main() {}\n", to: "book/src/other.rs")

    let folder = try home.waymark("import", "course").output
    let book = try home.waymark("import", "book").output

    #expect(
      folder.lines.filter { $0.contains("reduced") } == [
        "  reduced  2 × code file (.py): left out", "  reduced  1 × exercise file (.rs): left out",
        "  reduced  1 × quiz file (.gift): left out", "  reduced  1 × quiz file (.toml): left out",
      ])
    #expect(book.lines.filter { $0.contains("reduced") } == ["  reduced  1 × code file (.rs): left out"])
  }

  @Test func `a folder that was imported is updated from any working directory`() throws {
    let home = try HomeFixture()
    try home.write("# Ladders\n\nThree points of contact.\n", to: "safety/ladders.md")
    _ = try home.waymark("import", "safety")
    try home.write("# Ladders\n\nFour points of contact.\n", to: "safety/ladders.md")

    let updated = try home.run("/bin/sh", ["-c", "cd / && \"$0\" update safety --format jsonl", BuiltProgram.path])

    #expect(updated.code == 0 && updated.output.contains("\"changed\":2"), "\(updated)")
  }

  @Test func `an update reads a folder in the format in which it was imported`() throws {
    let home = try HomeFixture()
    try home.write("# Site\n\nText.\n", to: "site/README.md")
    try home.write("<html><head><title>One</title></head><body><p>Text.</p></body></html>", to: "site/one.html")
    try home.write("<html><head><title>Two</title></head><body><p>Text.</p></body></html>", to: "site/two.html")
    #expect(try home.waymark("import", "site", "--from", "html").code == 0)

    let updated = try home.waymark("update", "site", "--format", "jsonl")

    #expect(updated.code == 0 && updated.output.contains("\"format\":\"html\""), "\(updated)")
  }

  @Test func `importing an opened source updates its course`() throws {
    let home = try HomeFixture()
    try home.write("# Ladders\n\nThree points of contact.\n", to: "ladders/README.md")
    try home.write("# Ropes\n\nTie a knot.\n", to: "ropes/README.md")
    _ = try home.waymark("ladders/README.md", "--linear")
    _ = try home.waymark("ropes/README.md", "--linear")

    try home.write("# Ropes\n\nTie two knots.\n", to: "ropes/README.md")
    let imported = try home.waymark("import", "ropes/README.md", "--format", "jsonl")
    let updated = try home.waymark("update", "ropes", "--format", "jsonl")

    #expect(
      imported.output.contains("\"course\":\"readme-2\"") && imported.output.contains("\"changed\":2"), "\(imported)")
    #expect(updated.code == 0 && updated.output.contains("\"changed\":0"), "\(updated)")
    #expect(try home.waymark("ladders/README.md", "--linear").output.contains("Three points of contact."))
  }

  // MARK: - Temporary databases

  private func expectNothingKept(_ home: HomeFixture, _ location: SourceLocation = #_sourceLocation) {
    // After a signal, another process removes the folder, which can disappear while it is listed.
    func names() -> Set<String>? {
      (try? FileManager.default.subpathsOfDirectory(atPath: home.folder.path)).map {
        Set($0.filter { !$0.hasPrefix("README") })
      }
    }
    for _ in 0..<1_000 where names() != ["tmp"] { usleep(10_000) }
    #expect(names() == ["tmp"], sourceLocation: location)
  }

  private func homeWithTemporaryFolder() throws -> HomeFixture {
    let home = try HomeFixture()
    try FileManager.default.createDirectory(atPath: home.path("tmp"), withIntermediateDirectories: true)
    home.environment["TMPDIR"] = home.path("tmp")
    return home
  }

  @Test func `opening a file only to look at it stores nothing`() throws {
    let home = try homeWithTemporaryFolder()
    try home.write("# Ladders\n\nThree points of contact.\n", to: "README.md")

    let session = try BrowserSession(in: home, ["--peek", "README.md"])
    try session.wait(for: "Three points of contact.")
    try session.quit()

    expectNothingKept(home)
  }

  @Test func `standard input is opened with keys from the terminal, and nothing is stored`() throws {
    let home = try homeWithTemporaryFolder()

    let session = try BrowserSession(in: home, ["-"], shell: "printf '# Ladders\\n\\nThree points.\\n' | \"$0\" \"$@\"")
    try session.wait(for: "Three points.")
    try session.quit()
    let linear = try home.waymark("-", "--linear", input: "NAME\n       ls - list directory contents\n")

    #expect(linear.code == 0 && linear.output.contains("list directory contents"), "\(linear)")
    expectNothingKept(home)
  }

  @Test func `a signal removes the temporary database`() throws {
    let home = try homeWithTemporaryFolder()
    try home.write("# Ladders\n\nThree points of contact.\n", to: "README.md")

    let session = try BrowserSession(in: home, ["--peek", "README.md"])
    try session.wait(for: "Three points of contact.")
    session.terminal.signal(SIGTERM)
    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .signalled(Int(SIGTERM)))

    expectNothingKept(home)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
  func `a signal in linear mode removes the temporary database`(_ signal: Int32) throws {
    let home = try homeWithTemporaryFolder()
    try home.write("# Ladders\n\nThree points of contact.\n", to: "README.md")

    let program = try home.start(["--peek", "README.md", "--linear"])
    while let line = try program.readLine(), !line.contains("Three points of contact.") {}
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("tmp")).count == 1)
    program.signal(signal)
    #expect(try program.waitForExit() == .signalled(Int(signal)))

    expectNothingKept(home)
  }

  @Test func `a note or a bookmark in a temporary database is reported as lost when the program ends`() throws {
    let home = try homeWithTemporaryFolder()
    try home.write("# Ladders\n\nThree points of contact.\n", to: "README.md")

    let peek = try home.waymark(["--peek", "README.md", "--linear"], input: "note Mine\nquit\n")
    let manual = try home.waymark(["manual", "settings", "--linear"], input: "bookmark\nquit\n")
    let kept = try home.waymark(["README.md", "--linear"], input: "note Mine\nquit\n")

    #expect(peek.output.contains("It is lost when you quit: this course is not kept."), "\(peek)")
    #expect(manual.output.contains("It is lost when you quit: the manual is not kept."), "\(manual)")
    #expect(kept.output.contains("Note added to") && !kept.output.contains("lost"), "\(kept)")
  }

  // MARK: - Plain text

  @Test func `a manual page on standard input is plain text`() throws {
    let home = try homeWithTemporaryFolder()
    let page = "NAME\n       ls - list *all* files\n\nSYNOPSIS\n       ls [-l]\n       ls _file_\n"

    let linear = try home.waymark("-", "--linear", input: page)
    let printed = try home.waymark("-", "--linear", input: "B\u{8}Bo\u{8}old *word*\n")

    #expect(linear.output.contains("       ls - list *all* files\n"), "\(linear)")
    #expect(linear.output.contains("ls _file_"), "\(linear)")
    #expect(printed.output.contains("Bold *word*"), "\(printed)")
  }

  // MARK: - Refusals

  @Test func `more than 5,000 files are imported only after a confirmation`() throws {
    let home = try HomeFixture()
    try home.write("# First\n\nWords.\n", to: "many/first.md")
    for number in 1...5_000 { try home.write("", to: "many/\(number).txt") }

    let refused = try home.waymark("many", "--linear")
    let session = try BrowserSession(in: home, ["many"])
    try session.wait(for: "'many' has more than 5000 files. Import it? [y/N]")
    session.type("n\r")
    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
    #expect(try courses(home) == [])
    try FileManager.default.removeItem(atPath: home.path("many/1.txt"))
    let few = try home.waymark("many", "--linear")

    expectAnswer(
      refused, code: 1,
      errors: "Could not open 'many': it has more than 5000 files, and there is no terminal to confirm the import. "
        + "Import it with 'waymark import'.\n")
    #expect(few.code == 0 && few.output.contains("Words."), "\(few)")
  }

  @Test func `without a terminal nothing is imported`() throws {
    let home = try HomeFixture()
    try home.write("# Ladders\n", to: "README.md")

    let answer = try home.waymark("README.md")

    #expect(answer.code == 69 && answer.errors.hasPrefix("Could not open the browser: "))
    #expect(try courses(home) == [])
  }

  @Test func `a mistyped file name produces a suggestion`() throws {
    let home = try HomeFixture()
    try home.write("# Ladders\n", to: "README.md")
    try home.write("# Ladders\n", to: "notes/ladders.md")

    try expectAnswer(
      home.waymark("REDME.md"), code: 66,
      errors: "Could not open 'REDME.md': there is no such command, place or file. "
        + "Did you mean the file 'README.md'?\n")
    try expectAnswer(
      home.waymark("browse", "REDME.md"), code: 66,
      errors: "Could not open 'REDME.md': there is no such command, place or file. "
        + "Did you mean the file 'README.md'?\n")
    try expectAnswer(
      home.waymark("import", "notes/lader.md"), code: 66,
      errors: "Could not import 'notes/lader.md': there is no such file or folder. "
        + "Did you mean 'notes/ladders.md'?\n")
  }

  @Test func `the error about a file in an unsupported format names the format`() throws {
    let home = try HomeFixture()

    let answer = try home.waymark(Fixtures.path("foreign/quiz.h5p"), "--linear")

    #expect(answer.code == 65)
    #expect(answer.errors.hasPrefix("quiz.h5p: error: It is an H5P package, a format that Waymark does not read. "))
  }

  @Test func `the error about a document without its converter names the package to install`() throws {
    let home = try HomeFixture()
    home.environment["PATH"] = "/nowhere"

    let answer = try home.waymark(Fixtures.path("document/ladders.org"), "--linear")

    #expect(answer.errors.contains("Install the package 'pandoc'."), "\(answer)")
    #expect(answer.code == 69, "\(answer)")
  }

  // MARK: - Git

  @Test func `a dot in a repository's name is part of the course's key`() throws {
    let home = try HomeFixture()
    let address = try repository(home)
    try FileManager.default.moveItem(atPath: home.path("ladders"), toPath: home.path("ladders.js"))

    let answer = try home.waymark("import", address + ".js", "--format", "jsonl")

    #expect(answer.code == 0 && answer.output.contains("\"course\":\"ladders-js\""), "\(answer)")
  }

  /// Creates a repository with one commit. Returns its address.
  private func repository(_ home: HomeFixture) throws -> String {
    try home.write("# Ladders\n\nThree points of contact.\n", to: "ladders/README.md")
    try git(home, "init", "-q")
    try commit(home)
    return "file://" + home.path("ladders")
  }

  private func commit(_ home: HomeFixture) throws {
    try git(home, "add", "-A")
    try git(home, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "Words")
  }

  private func git(_ home: HomeFixture, _ arguments: String...) throws {
    let answer = try home.run("/usr/bin/git", ["-C", home.path("ladders")] + arguments)
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
  }

  @Test func `a Git repository is opened by its address and updated`() throws {
    let home = try homeWithTemporaryFolder()
    let address = try repository(home)

    let opened = try home.waymark(address, "--linear")
    try home.write("# Ladders\n\nFour points of contact.\n", to: "ladders/README.md")
    try home.write("# Ropes\n\nTie a knot.\n", to: "ladders/ropes.md")
    try commit(home)
    let preview = try home.waymark("update", "ladders", "--dry-run")
    let updated = try home.waymark("update", "ladders")
    let again = try home.waymark("update", "ladders", "--format", "jsonl")

    #expect(opened.code == 0 && opened.output.contains("Three points of contact."), "\(opened)")
    #expect(preview.code == 0 && preview.output.contains("added"), "\(preview)")
    #expect(updated.code == 0 && updated.output.contains("added"), "\(updated)")
    #expect(again.output.contains("\"source\":\"\(address)\"") && again.output.contains("\"added\":0"), "\(again)")
    #expect(try courses(home) == ["ladders"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path("tmp")) == [])
  }

  @Test func `submodules, hooks and other transports are not followed`() throws {
    let home = try HomeFixture()
    let address = try repository(home)
    try home.write(
      "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c \"touch \(home.path("harmed"))\"\n", to: "ladders/.gitmodules")
    try commit(home)

    let opened = try home.waymark(address, "--linear")
    let refused = try home.waymark("ext::sh -c \"touch \(home.path("harmed"))\"", "--linear")
    let redirected = try home.waymark("file://" + home.path("none"), "--linear")

    #expect(opened.code == 0, "\(opened)")
    #expect(refused.code == 1 && refused.errors.hasPrefix("Could not open 'ext::sh "), "\(refused)")
    #expect(redirected.code == 69 && redirected.errors.hasPrefix("Could not fetch 'file://"), "\(redirected)")
    #expect(!FileManager.default.fileExists(atPath: home.path("harmed")))
  }

  @Test func `a course without a known source folder cannot be updated`() throws {
    let home = try HomeFixture.withBundledCourse()

    let answer = try home.waymark("update", "english-for-business")

    expectAnswer(
      answer, code: 66,
      errors: "Could not update 'english-for-business': it was imported from 'english-for-business.json', whose folder "
        + "is not known. Import it again with 'waymark import', or open it with 'waymark' and its path.\n"
    )
  }
}
