import Foundation
import TerminalHarness
import Testing

/// The limits and standard streams that the program inherits from its parent process.
struct InheritedProcessTests {
  private static let commands = [
    "tree", "courses", "search meeting", "where", "nav open english-for-business", "history list", "history export",
    "review list", "progress", "bookmarks", "notes", "recents", "learners", "formats", "database check",
    "database rebuild", "export english-for-business --output o.zip", "import a.md", "import f", "import --bundled",
    "mcp",
    "--linear", "nope", "--help",
  ]

  private func home() throws -> HomeFixture {
    let home = try HomeFixture.withBundledCourse()
    try home.write("# A\n\ntext\n", to: "a.md")
    try home.write("# B\n\ntext\n", to: "f/b.md")
    try home.write("# C\n\ntext\n", to: "f/c.md")
    return home
  }

  /// Runs a command with the words of a shell before and after it. The code is 124 if it does not end.
  private func run(_ command: String, in home: HomeFixture, before: String = ":", redirecting: String = "") throws
    -> Answer
  {
    try home.run(
      "/bin/sh", ["-c", "\(before); exec timeout -s KILL 60 \"$0\" \(command) \(redirecting)", BuiltProgram.path])
  }

  @Test func `with few open files every command ends with a message`() throws {
    let home = try home()
    let database = try Data(contentsOf: home.database)

    // With fewer, the shell and the loader themselves cannot open files.
    for limit in [8, 31] {
      for command in Self.commands {
        let answer = try run(command, in: home, before: "ulimit -n \(limit)")
        #expect(
          answer
            == Answer(
              code: 69,
              errors:
                "Could not start: only \(limit) files can be open. Raise the limit with 'ulimit -n 256'.\n"),
          "\(command)")
      }
    }
    #expect(try Data(contentsOf: home.database) == database)
  }

  @Test func `a soft limit of open files is raised`() throws {
    let home = try home()

    let answer = try run("tree", in: home, before: "ulimit -S -n 8")

    #expect(answer.code == 0 && answer.errors.isEmpty)
  }

  @Test func `the permitted number of open files is enough for every command`() throws {
    for command in Self.commands {
      let home = try home()
      let expected = try run(command, in: home)
      let limited = try self.home()

      let answer = try run(command, in: limited, before: "ulimit -n 32")

      #expect(answer.code == expected.code, "\(command): \(answer)")
    }
  }

  @Test(arguments: [0, 1, 8, 64])
  func `with a limit of the size of files no command is ended by a signal`(_ limit: Int) throws {
    for command in Self.commands {
      let home = try home()
      // `sh` counts blocks of 512 bytes.
      let answer = try run(command, in: home, before: "ulimit -f \(2 * limit)")

      #expect(answer.code < 124, "\(command): \(answer)")
      #expect(answer.code == 0 || !answer.errors.isEmpty, "\(command): \(answer)")
      #expect(try home.waymark("database", "check").code == 0)
    }
  }

  @Test(arguments: ["0<&-", "1>&-", "2>&-", "0<&- 1>&-", "0<&- 2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"])
  func `with closed standard streams every command ends, and the database is intact`(_ closed: String) throws {
    for command in Self.commands {
      let home = try home()
      let expected = try run(command, in: home)
      let other = try self.home()

      let answer = try run(command, in: other, redirecting: closed)

      // Printing to a closed stream is an error. `mcp` has no input and prints nothing.
      #expect(
        closed.contains("1>&-") && !["mcp", "nope"].contains(command) && answer.code == 74
          || answer.code == expected.code, "\(command): \(answer)")
      #expect(try other.waymark("database", "check").code == 0)
    }
  }

  @Test func `the errors about a closed output and about the size of files name the cause`() throws {
    let home = try home()

    let closed = try run("tree", in: home, redirecting: "1>&-")
    let limited = try run("database backup copy.sqlite", in: home, before: "ulimit -f 200")

    expectAnswer(
      closed, code: 74,
      errors: "Could not write the output: standard output is closed. Choose another output and try again.\n")
    #expect(
      limited.code == 74
        && limited.errors.hasSuffix(
          "this process may not make a file that large. Raise the limit, for example with 'ulimit -f unlimited', and "
            + "try again. No data was lost.\n"),
      "\(limited)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  func `no file of the program gets the number of a closed standard stream`() throws {
    let home = try home()
    let script = """
      mkfifo input
      "$0" mcp 0<>input 1>&- 2>&- &
      for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        [ -e /proc/$!/fd/4 ] && break
        sleep 0.5
      done
      readlink /proc/$!/fd/1 /proc/$!/fd/2
      kill $!
      """

    let answer = try home.run("/bin/sh", ["-c", script, BuiltProgram.path])

    #expect(answer.output == "/dev/null\n/dev/null\n")
  }
}
