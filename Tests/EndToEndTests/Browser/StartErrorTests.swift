import Foundation
import GRDB
import TerminalHarness
import Testing

/// A browser that cannot start reports one sentence and leaves the terminal unchanged.
@Suite struct StartErrorTests {
  /// Starts the browser, waits until it ends, and returns its output without escape sequences.
  private func errorOutput(
    _ home: HomeFixture, _ arguments: [String] = [], code: Int, _ location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let session = try BrowserSession(in: home, arguments)
    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(code), sourceLocation: location)
    session.expectUntouched(location)
    // The terminal breaks the sentence at the end of a row.
    return String(decoding: session.terminal.output, as: UTF8.self).replacing("\r\n", with: "\n").normalized(home)
  }

  @Test func `standard output that is not a terminal is reported`() throws {
    let home = try HomeFixture.withBundledCourse()

    let answer = try home.waymark("browse")
    let session = try BrowserSession(in: home, redirecting: [1: home.path("out")])

    #expect(answer.code == 69 && answer.output == "")
    #expect(
      answer.errors == "Could not open the browser: standard output is not a terminal. "
        + "Run it in a terminal, use --linear for plain lines, or print content with 'waymark tree' and 'waymark "
        + "show'.\n"
    )
    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(69))
    session.expectUntouched()
    #expect(try String(contentsOfFile: home.path("out"), encoding: .utf8) == "")
  }

  @Test func `the browser takes keys from the terminal if standard input is redirected`() throws {
    let session = try BrowserSession(
      in: .withBundledCourse(), ["english-for-business/negotiating"], redirecting: [0: "/dev/null"])

    session.expect(ExpectedScreens.goal)
    session.press(.down)
    session.expect(" │ Opening offers                                              0 of 4  25 min │", from: 10)
    try session.quit()
  }

  @Test func `the browser opens if standard input is closed`() throws {
    let session = try BrowserSession(
      in: .withBundledCourse(), ["english-for-business/negotiating"], shell: "exec \"$0\" \"$@\" 0<&-")

    session.expect(ExpectedScreens.goal)
    try session.quit()
  }

  @Test func `a file that is not a database is reported`() throws {
    let home = try HomeFixture()
    try home.write(String(repeating: "These are my notes.\n", count: 500), to: ".local/share/waymark/waymark.sqlite")
    let before = try Data(contentsOf: home.database)

    #expect(
      try errorOutput(home, code: 65)
        == "Could not open the database at 'HOME/.local/share/waymark/waymark.sqlite': the file is not a SQLite database. "
        + "Choose another with --database, or move the file away to create a new database.\n"
        + "Read more: waymark manual troubleshooting\n")
    #expect(try Data(contentsOf: home.database) == before)
  }

  @Test(arguments: [[], ["--linear"], ["nav", "resume"]])
  func `a start that waits for another program shows the reason, and continues`(arguments: [String]) throws {
    let home = try HomeFixture.withBundledCourse()
    let queue = try DatabaseQueue(path: home.database.path)

    let session = try queue.inDatabase { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      defer { try? database.execute(sql: "ROLLBACK") }
      let session = try BrowserSession(in: home, arguments)
      try session.wait(for: "Waiting: another program is using the database, perhaps an import.")
      return session
    }

    try session.wait(for: arguments.first == "nav" ? "Resumed:" : "English for Business")
    if arguments.first == "--linear" { session.type("quit\r") } else if arguments.isEmpty { session.type("q") }
    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(0))
  }

  @Test func `an unusable file for a recording is reported`() throws {
    let home = try HomeFixture.withBundledCourse()

    let output = try errorOutput(home, ["--record", home.path("no/such/folder/session.cast")], code: 73)

    #expect(
      output.hasPrefix(
        "Could not create 'HOME/no/such/folder/session.cast': no such file or directory. Choose another path."),
      "\(output)")
  }

  @Test(arguments: [["--frame-rate", "0"], ["--motion", "some"], ["--color", "many"]])
  func `an unusable flag is reported`(arguments: [String]) throws {
    let output = try errorOutput(.withBundledCourse(), arguments, code: 64)

    #expect(output.contains(arguments[0]), "\(output)")
  }
}
