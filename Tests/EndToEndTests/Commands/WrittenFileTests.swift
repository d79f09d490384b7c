import Foundation
import TerminalHarness
import Testing

/// Files that commands write must not destroy other files.
struct WrittenFileTests {
  /// The commands that write a file, without the file's name, and whether the file contains a history.
  private static let commands: [(words: [String], isPrivate: Bool)] = [
    (["export", "english-for-business", "--output"], false), (["history", "export", "--as", "csv", "--output"], true),
    (["learners", "export", "ada", "--output"], true), (["database", "backup"], true),
  ]

  private let home: HomeFixture

  init() throws { home = try .walked() }

  private func permissions(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: home.path(name))[.posixPermissions] as? Int
  }

  /// Returns the content of all files in the home folder, except for the database.
  private func files() throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: home.folder.path).filter { $0 != ".local" }
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: home.path(name)) {
          return (name, "-> " + target)
        }
        return (name, String(decoding: try Data(contentsOf: URL(filePath: home.path(name))), as: UTF8.self))
      })
  }

  @Test(arguments: commands)
  func `a new file is complete, and private if it contains a history`(
    _ arguments: [String], isPrivate: Bool
  ) throws {
    let answer = try home.waymark(arguments + ["new"])

    #expect(answer.code == 0 && answer.errors == "")
    #expect(try permissions("new") == (isPrivate ? 0o600 : 0o644))
    #expect(try files().keys.sorted() == ["new"])
    #expect(try Data(contentsOf: URL(filePath: home.path("new"))).count > 100)
  }

  @Test(arguments: commands)
  func `an existing file is kept, and replaced only with the force option`(_ arguments: [String], isPrivate: Bool)
    throws
  {
    try home.write("mine", to: "mine")

    let refused = try home.waymark(arguments + ["mine"])
    let afterwards = try files()
    let replaced = try home.waymark(arguments + ["mine", "--force"])

    expectAnswer(
      refused, code: 73,
      errors: "Could not create 'mine': the file already exists. "
        + "Choose another name, or replace it with --force.\n")
    #expect(afterwards == ["mine": "mine"])
    #expect(replaced.code == 0 && replaced.errors == "")
    #expect(try files().keys.sorted() == ["mine"])
    #expect(try files()["mine"] != "mine")
    #expect(try permissions("mine") == (isPrivate ? 0o600 : 0o644))
  }

  @Test(arguments: commands)
  func `a symbolic link is never followed, even if its target does not exist`(_ arguments: [String], isPrivate: Bool)
    throws
  {
    try home.write("mine", to: "mine")
    for (name, target) in [("link", "mine"), ("dangling", "nowhere")] {
      try FileManager.default.createSymbolicLink(atPath: home.path(name), withDestinationPath: target)
    }
    let before = try files()

    let refused = try ["link", "dangling"].map { try home.waymark(arguments + [$0]).code }
    let afterwards = try files()
    let replaced = try ["link", "dangling"].map { try home.waymark(arguments + [$0, "--force"]).code }

    #expect(refused == [73, 73])
    #expect(afterwards == before)
    #expect(replaced == [0, 0])
    #expect(try files()["mine"] == "mine" && files()["nowhere"] == nil)
    #expect(try files()["link"]?.hasPrefix("->") == false && files()["dangling"]?.hasPrefix("->") == false)
  }

  @Test(arguments: commands)
  func `the database and its log are never overwritten under any name`(_ arguments: [String], isPrivate: Bool) throws {
    let database = home.database.path
    try FileManager.default.linkItem(atPath: database, toPath: home.path("hard"))
    try FileManager.default.createSymbolicLink(atPath: home.path("soft"), withDestinationPath: database)
    try FileManager.default.createSymbolicLink(
      atPath: home.path("folder"), withDestinationPath: home.database.deletingLastPathComponent().path)
    let names =
      ["", "-wal", "-shm", "-journal"].map { database + $0 }
      + ["hard", "soft", "folder/waymark.sqlite", "folder/waymark.sqlite-wal"]

    let answers = try names.map { try home.waymark(arguments + [$0, "--force"]) }

    for (name, answer) in zip(names, answers) {
      expectAnswer(
        answer, code: 73,
        errors: "Could not create '\(name)': it is the open database or one of its files. "
          + "Choose another name.\n")
    }
    #expect(try home.waymark("database", "check").code == 0)
    #expect(try home.waymark("where", "--short").output.hasPrefix("English for Business"))
  }

  @Test(arguments: commands)
  func `missing folders are not created, and a folder is not overwritten`(_ arguments: [String], isPrivate: Bool) throws
  {
    try FileManager.default.createDirectory(atPath: home.path("folder"), withIntermediateDirectories: false)

    let missing = try home.waymark(arguments + ["none/new"])
    let folder = try home.waymark(arguments + ["folder", "--force"])

    expectAnswer(
      missing, code: 73, errors: "Could not create 'none/new': no such file or directory. Choose another path.\n")
    #expect(folder == Answer(code: 73, errors: "Could not create 'folder': it is a folder. Choose another path.\n"))
    #expect(!FileManager.default.fileExists(atPath: home.path("none")))
  }

  @Test(arguments: [("y", true), ("n", false)])
  func `on a terminal, the user is asked before a file is replaced`(key: String, isReplaced: Bool) throws {
    try home.write("mine", to: "mine")
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    try terminal.launch(
      BuiltProgram.path, ["export", "english-for-business", "--output", "mine"], environment: home.environment,
      directory: home.folder)

    try terminal.waitFor("Replace 'mine'? [y/N]")
    terminal.type(key + "\r")

    #expect(try terminal.waitForExit() == .exited(0))
    #expect(try (files()["mine"] != "mine") == isReplaced)
    #expect(try files().keys.sorted() == ["mine"])
  }

  @Test func `a recording is readable only by its owner and does not replace a file`() throws {
    try home.write("mine", to: "mine")
    func record(_ arguments: String...) throws -> (Ending, String) {
      let session = try BrowserSession(in: home, ["--record"] + arguments, shell: "\"$0\" \"$@\" </dev/null")
      if arguments.last == "--force" || arguments.last == "new" {
        try session.wait(for: "Courses")
        session.type("q")
      }
      let ending = try session.terminal.waitForExit(within: BrowserSession.timeout)
      return (ending, session.output)
    }

    let refused = try record("mine")
    #expect(refused.0 == .exited(73) && refused.1.hasPrefix("Could not create 'mine': the file already exists."))
    #expect(try files()["mine"] == "mine")
    #expect(try record("new").0 == .exited(0))
    #expect(try record("mine", "--force").0 == .exited(0))
    for name in ["new", "mine"] {
      #expect(try permissions(name) == 0o600)
      #expect(try files()[name]?.hasPrefix(#"{"version": 2"#) == true)
    }
    #expect(try files().keys.sorted() == ["mine", "new"])
  }

  @Test func `a recording does not replace the database`() throws {
    let session = try BrowserSession(in: home, ["--record", home.database.path, "--force"])

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(73))
    session.expectUntouched()
    #expect(try home.waymark("database", "check").code == 0)
  }
}
