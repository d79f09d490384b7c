import Foundation
import TerminalHarness
import Testing

/// `waymark import --watch` while an author edits and saves.
struct WatchingTests {
  private let home: HomeFixture

  init() throws {
    home = try HomeFixture.withDatabase()
    try home.write("# Dough\n\nFlour and water.\n", to: "bread/1-dough.md")
    try home.write("# Oven\n\nHot.\n", to: "bread/2-oven.md")
  }

  private func start(_ arguments: String...) throws -> PipedProgram {
    let program = try home.start(["import", "bread", "--watch"] + arguments)
    program.closeInput()
    return program
  }

  /// Reads a number of lines.
  private func lines(_ count: Int, of program: PipedProgram) throws -> [String] {
    try (0..<count).map { _ in try program.readLine() ?? "the end" }
  }

  /// Interrupts the program as Control-C does, and waits until it has ended.
  private func end(_ program: PipedProgram) throws -> Answer {
    program.signal(SIGINT)
    return Answer(try program.waitForExit(), program)
  }

  @Test func `each save is imported and its changes are reported`() throws {
    let program = try start()
    #expect(
      try lines(4, of: program) == [
        "Bread: imported as 'bread'", "  format   markdown", "  has      1 folder, 2 notes, 2 pages",
        "  changes  6 added",
      ])

    try home.write("# Dough\n\nFlour, water and salt.\n", to: "bread/1-dough.md")
    #expect(
      try lines(3, of: program) == [
        "Bread: 2 changed", "    changed  note     Dough", "    changed  page     Dough",
      ])
    try home.write("# Cooling\n\nWait.\n", to: "bread/3-cooling.md")
    #expect(
      try lines(3, of: program) == [
        "Bread: 2 added", "    added    note     Cooling", "    added    page     Cooling",
      ])

    let answer = try end(program)
    #expect(answer.code == 130)
    #expect(answer.errors == "Watching 'bread'. Each change is imported. Press Ctrl-C to stop.\n")
    let folder = home.database.deletingLastPathComponent().path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix("-sessions") }
    #expect(files == ["waymark.sqlite"])
    #expect(try home.waymark("show", "bread/bread/dough/dough").output.contains("Flour, water and salt."))
  }

  /// Waits until the program has printed a text to standard error.
  private func wait(for text: String, of program: PipedProgram) throws {
    for _ in 0..<600 where !String(decoding: program.errors, as: UTF8.self).contains(text) {
      #expect(throws: HarnessError.self) { try program.readLine(within: 0.1) }
    }
    try #require(String(decoding: program.errors, as: UTF8.self).contains(text))
  }

  @Test func `the last good edition of a page is kept until the page can be read`() throws {
    let program = try start()
    _ = try lines(4, of: program)

    try home.write("# Dough\n\n\0", to: "bread/1-dough.md")
    try wait(for: "The last good edition of the page stays.", of: program)
    #expect(try home.waymark("show", "bread/bread/dough/dough").output.contains("Flour and water."))
    try home.write("# Dough\n\nFlour and water.\n", to: "bread/1-dough.md")

    #expect(try program.readLine() == "Bread: valid again, no changes")
    #expect(
      try end(program).errors == """
        Watching 'bread'. Each change is imported. Press Ctrl-C to stop.
        1-dough.md:3: warning: Byte 0x00 at offset 9 is not UTF-8 text. Save the file as UTF-8. The last good edition \
        of the page stays.

        """)
  }

  @Test func `after a refusal, the last valid version is kept until the next valid one`() throws {
    let program = try start("--strict")
    _ = try lines(4, of: program)

    try home.write("\0", to: "bread/3-cooling.md")
    try wait(for: "Nothing was changed.", of: program)
    #expect(try home.waymark("show", "bread/bread/dough/dough").output.contains("Flour and water."))
    try FileManager.default.removeItem(atPath: home.path("bread/3-cooling.md"))

    #expect(try program.readLine() == "Bread: valid again, no changes")
    #expect(
      try end(program).errors == """
        Watching 'bread'. Each change is imported. Press Ctrl-C to stop.
        3-cooling.md:1: error: Byte 0x00 at offset 0 is not UTF-8 text. Save the file as UTF-8.
        Could not import 'bread': it has an error. Correct it and import again. \
        Nothing was changed.

        """)
  }

  @Test func `a source with errors at the start can be fixed while watching`() throws {
    try home.write("\0", to: "bread/1-dough.md")
    try home.write("\0", to: "bread/2-oven.md")
    let program = try start()
    try wait(for: "Watching", of: program)

    try home.write("# Dough\n\nWords.\n", to: "bread/1-dough.md")
    try home.write("# Oven\n\nHot.\n", to: "bread/2-oven.md")

    #expect(try program.readLine()?.hasPrefix("Bread: ") == true)
    #expect(try end(program).code == 130)
  }

  @Test func `JSON Lines output has one report per line`() throws {
    let program = try start("--format", "jsonl")
    let first = try #require(try program.readLine())
    try home.write("# Dough\n\nSalt.\n", to: "bread/1-dough.md")
    let second = try #require(try program.readLine())

    #expect(first.contains(#""difference":{"added":6,"#) && second.contains(#""changed":2,"#))
    #expect(try end(program).code == 130)
  }

  @Test func `watching continues when the folder is away, and imports it when it is back`() throws {
    let program = try start()
    _ = try lines(4, of: program)

    try FileManager.default.moveItem(atPath: home.path("bread"), toPath: home.path("away"))
    try wait(for: "Check the path. The import is repeated when it is back.\n", of: program)
    try home.write("# Oven\n\nCold.\n", to: "away/2-oven.md")
    try FileManager.default.moveItem(atPath: home.path("away"), toPath: home.path("bread"))

    #expect(try lines(1, of: program) == ["Bread: 2 changed"])
    #expect(try end(program).code == 130)
  }
}
