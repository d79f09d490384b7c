import Foundation
import TerminalHarness
import TestSupport
import Testing

/// A browser that synchronises with a server in the background.
struct BackgroundTests {
  private static let page = "english-for-business/negotiating/opening-offers/anchors-and-ranges"

  /// A server and a leaf that has joined its learner there.
  private func pair() throws -> (home: ServerFixture, leaf: LeafDatabase) {
    let (home, token) = try ServerFixture.serving()
    let leaf = try LeafDatabase(home)
    #expect(try leaf.sync("--join", "--token", input: token + "\n").code == 0)
    return (home, leaf)
  }

  private func browser(_ leaf: LeafDatabase, port: Int) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    try terminal.launch(
      ServerFixture.path("waymark"), ["browse", Self.page, "--motion", "none"],
      environment: [
        "HOME": leaf.fixture.folder.path, "PATH": "/usr/bin:/bin", "TZ": "UTC", "WAYMARK_DATABASE": leaf.database,
        "WAYMARK_LEARNER": "ada", "WAYMARK_SYNC": "http://127.0.0.1:\(port)",
      ])
    try terminal.waitFor("activity 3 of 4")
    return terminal
  }

  private func steps(_ home: ServerFixture, in database: String? = nil) throws -> [String] {
    let arguments = ["history", "list", "--format", "jsonl"] + (database.map { ["--database", $0] } ?? [])
    return try home.waymark(arguments).output.split(separator: "\n").compactMap {
      $0.firstMatch(of: /"uuid":"([^"]+)"/).map { String($0.1) }
    }
  }

  @Test func `events are sent while the browser runs, and the last ones when it quits`() throws {
    let (home, leaf) = try pair()
    let terminal = try browser(leaf, port: home.port)
    var count = 0
    try terminal.waitUntil("the first steps are there") {
      count = (try? steps(home).count) ?? 0
      return count > 0
    }

    terminal.type("n")
    try terminal.waitFor("activity 4 of 4")
    terminal.type("q")

    #expect(try terminal.waitForExit() == .exited(0))
    #expect(try count >= 2 && steps(home).count > count)
    #expect(try Set(steps(home)) == Set(steps(home, in: leaf.database)))
    #expect(try leaf.sync().count("sent", "steps") == 0)
  }

  @Test(arguments: ["500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout"])
  func `an error of a proxy means that the server is unreachable`(status: String) throws {
    let (home, leaf) = try pair()
    let relay = try TCPRelay(to: home.port)
    #expect(try leaf.sync("--token", port: relay.port, input: home.token() + "\n").code == 0)
    try leaf.walk(1)

    relay.answer("HTTP/1.1 \(status)\r\nContent-Type: text/html\r\nContent-Length: 14\r\n\r\n<h1>Error</h1>")
    let away = try leaf.sync(port: relay.port)
    relay.answer(nil)
    let back = try leaf.sync(port: relay.port)

    #expect(away.code == 69)
    #expect(
      away.errors.contains(
        "Could not synchronise with '127.0.0.1:\(relay.port)': its answer \(status.prefix(3)) is not that of a Waymark "
          + "server. Your changes are saved in this database. Synchronise again when the server is reachable."),
      "\(away)")
    #expect(back.code == 0 && back.count("sent", "steps") ?? 0 > 0)
  }

  @Test func `received progress is shown, and no thread wakes up afterwards`() throws {
    let (home, leaf) = try pair()
    #expect(try home.waymark("progress", "mark", Self.page, "done").code == 0)
    let terminal = try browser(leaf, port: home.port)

    try terminal.waitFor("done")
    // A notice disappears after a while.
    terminal.pump(for: 4.5)
    try terminal.waitUntilQuiet(for: 0.5)
    let before = terminal.sleep.switches
    terminal.pump(for: 5)
    let woken = terminal.sleep.switches.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }

    #expect(woken == 0)
    terminal.type("q")
    #expect(try terminal.waitForExit() == .exited(0))
    #expect(try home.waymark("database", "check", "--database", leaf.database).code == 0)
  }

  @Test func `an unreachable server is reported once, and keys keep working`() throws {
    let home = try ServerFixture()
    let leaf = try LeafDatabase(home)
    // No server listens at that port, but the token is stored.
    #expect(try leaf.sync("--token", port: 1, input: "waymark_0123\n").code == 69)
    let terminal = try browser(leaf, port: 1)

    try terminal.waitFor("it is unreachable.")
    terminal.type("n")
    try terminal.waitFor("activity 4 of 4")
    terminal.type("q")

    #expect(try terminal.waitForExit(within: 5) == .exited(0))
    #expect(try steps(home, in: leaf.database).count >= 3)
  }

  @Test func `the browser shows a learner who has not joined how to join`() throws {
    let (home, token) = try ServerFixture.serving()
    let leaf = try LeafDatabase(home)
    try leaf.walk(2)
    #expect(try home.waymark("nav", "open", "english-for-business").code == 0)
    #expect(try leaf.sync("--token", input: token).code == 1)
    let before = try steps(home)
    let terminal = try browser(leaf, port: home.port)

    try terminal.waitFor("Use --join if they are")
    terminal.type("q")

    #expect(try terminal.waitForExit() == .exited(0))
    #expect(try steps(home) == before)
  }

  @Test func `the linear browser synchronises, and the sync command uses the address of the settings`() throws {
    let (home, leaf) = try pair()
    let variables = ["WAYMARK_DATABASE": leaf.database, "WAYMARK_SYNC": "http://127.0.0.1:\(home.port)"]

    let none = try home.run(ServerFixture.path("waymark"), ["sync"])
    try leaf.walk(2)
    let status = try home.run(ServerFixture.path("waymark"), ["sync", "status"], variables: variables)
    let sent = try home.run(ServerFixture.path("waymark"), ["sync"], variables: variables)
    let bad = try home.run(
      ServerFixture.path("waymark"), ["browse", "--linear"], variables: ["WAYMARK_SYNC": "http://school.example"])

    #expect(
      none.code == 1
        && none.errors.contains("Could not synchronise: there is no server in the command or the settings."))
    #expect(status == .init(code: 1, output: "To send: 3 steps. To receive: nothing.\n"))
    #expect(sent.code == 0 && sent.output.contains(/^Sent 3 steps \(\d+ bytes\) and received nothing \(/))
    #expect(bad.code == 1 && bad.errors.contains("without TLS, others on the network could read the token"))
  }
}
