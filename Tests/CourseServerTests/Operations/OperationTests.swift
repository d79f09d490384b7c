import Foundation
import GRDB
import TerminalHarness
import TestSupport
import Testing

/// Starting, monitoring and stopping the server.
struct OperationTests {
  @Test func `health checks and metrics require no token and contain no names`() throws {
    let (home, token) = try ServerFixture.serving()
    let connection = try home.connect()
    #expect(try connection.ask("GET", "/v1/courses/english-for-business", token: token).status == 200)
    _ = try connection.ask("GET", "/v1/courses/nope", token: token)
    _ = try connection.ask("GET", "/v1/me", token: "wrong")
    _ = try connection.ask("POST", "/v1/steps", token: token, body: step("resume"))

    #expect(try connection.ask("GET", "/live").body == "live\n")
    #expect(try connection.ask("GET", "/ready").body == "ready\n")
    let metrics = try connection.ask("GET", "/metrics")
    #expect(metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    let lines = metrics.body.split(separator: "\n").map(String.init)
    #expect(lines.contains("waymark_requests_total{method=\"GET\",route=\"/v1/courses/{path}\",status=\"200\"} 1"))
    #expect(lines.contains("waymark_requests_total{method=\"GET\",route=\"/v1/courses/{path}\",status=\"404\"} 1"))
    #expect(lines.contains("waymark_requests_total{method=\"POST\",route=\"/v1/steps\",status=\"200\"} 1"))
    #expect(lines.contains("waymark_wrong_tokens_total 1"))
    // Each line is a comment, or a name with optional labels and a number.
    for line in lines {
      #expect(line.hasPrefix("# ") || line.wholeMatch(of: /[a-z_]+(\{.*\})? [0-9.e+-]+/) != nil, "\(line)")
    }
    #expect(!metrics.body.contains("nope") && !metrics.body.contains("english") && !metrics.body.contains("ada"))
  }

  @Test func `a shutdown completes every request that has started`() throws {
    let home = try ServerFixture()
    let tokens = try (0..<4).map { try home.token("learner-\($0)") }
    try home.serve()
    let port = home.port
    let tally = StatusCounter()
    let threads = DispatchGroup()
    for token in tokens {
      DispatchQueue.global().async(group: threads) {
        guard let connection = try? HTTPConnection(port: port) else { return }
        var isOdd = false
        while true {
          isOdd.toggle()
          let body = step("open", isOdd ? "english-for-business" : "english-for-business/meetings")
          // If the connection is closed before the request was sent, no response is lost.
          guard (try? connection.send("POST", "/v1/steps", token: token, body: body)) != nil,
            let answer = try? connection.answer()
          else { return }
          tally.note(answer.status)
        }
      }
    }
    tally.wait(for: 100)

    let end = try home.stop()
    threads.wait()

    #expect(end.code == 0)
    #expect(tally.statuses.keys.sorted() == [200])
    var steps = 0
    for number in 0..<4 {
      steps += try home.waymark("history", "list", "--cause", "api", "--format", "jsonl", learner: "learner-\(number)")
        .output
        .split(separator: "\n").count
    }
    // Every acknowledged event exists. For each connection, one more event may have been written without its response
    // being read.
    #expect((tally.statuses[200]!...tally.statuses[200]! + 4).contains(steps))
    #expect(try home.waymark("database", "check").code == 0)
  }

  @Test func `a client that retries during restarts records each event exactly once`()
    throws
  {
    let home = try ServerFixture()
    let tokens = try (0..<4).map { try home.token("learner-\($0)") }
    try home.serve()
    let port = home.port
    let (tally, done, over) = (StatusCounter(), StatusCounter(), StatusCounter())
    let threads = DispatchGroup()
    for (number, token) in tokens.enumerated() {
      DispatchQueue.global().async(group: threads) {
        var connection: HTTPConnection?
        var index = 0
        while over.statuses.isEmpty {
          let place = index.isMultiple(of: 2) ? "english-for-business" : "english-for-business/meetings"
          if connection == nil { connection = try? HTTPConnection(port: port) }
          let answer = try? connection?.ask(
            "POST", "/v1/steps", token: token, headers: ["Idempotency-Key": "\(number)-\(index)"],
            body: step("open", place))
          // The connection is closed or missing, so the same event is sent again.
          guard let answer else {
            connection = nil
            usleep(2_000)
            continue
          }
          tally.note(answer.status)
          if answer.status == 200 {
            done.note(number)
            index += 1
          }
        }
      }
    }

    for round in 1...Tier.count(4, long: 40) {
      tally.wait(for: 50 * round)
      #expect(try home.stop().code == 0)
      try home.serve("--port", "\(port)")
    }
    tally.wait(for: 50 * Tier.count(5, long: 41))
    over.note(1)
    threads.wait()

    #expect(Set(tally.statuses.keys).isSubset(of: [200, 503]), "\(tally.statuses)")
    for number in 0..<4 {
      let rows = try home.waymark(
        "history", "list", "--cause", "api", "--format", "jsonl", learner: "learner-\(number)"
      ).output.split(separator: "\n").count
      let answered = done.statuses[number] ?? 0
      // The last event of each learner may have been recorded without its response being read.
      #expect((answered...answered + 1).contains(rows))
    }
    #expect(try home.waymark("database", "check").code == 0)
  }

  @Test func `a backup that is made under load is complete and can be served`() throws {
    let (home, token) = try ServerFixture.serving()
    let port = home.port
    let tally = StatusCounter()
    let threads = DispatchGroup()
    DispatchQueue.global().async(group: threads) {
      guard let connection = try? HTTPConnection(port: port) else { return }
      while let answer = try? connection.ask(
        "POST", "/v1/steps", token: token,
        body: step("open", tally.next() ? "english-for-business" : "english-for-business/meetings"))
      {
        tally.note(answer.status)
      }
    }
    tally.wait(for: 20)
    let copy = home.folder.file("copy.sqlite")
    let answered = tally.statuses[200] ?? 0
    #expect(try home.waymark("database", "backup", copy).code == 0)
    try home.stop()
    threads.wait()

    #expect(try home.waymark("database", "check", "--database", copy).code == 0)
    try home.serve("--database", copy)
    // Tokens remain valid in the copy.
    let rows = try home.ask("GET", "/v1/statistics?by=learner&learner=ada", token: token)
    let counted = try JSONSerialization.jsonObject(with: Data(rows.body.utf8)) as? [[String: Any]]
    #expect(counted?.first?["visits"] as? Int ?? 0 >= answered)
  }

  @Test func `an older database is copied and migrated before the server is ready`() throws {
    let home = try ServerFixture()
    #expect(try home.waymark("nav", "open", "english-for-business").code == 0)
    let database = try DatabaseQueue(path: home.database)
    try database.write { database in
      for table in ["answeredRequest", "accessToken", "learnerAudit", "pendingSweep", "member", "class"] {
        try database.execute(sql: "DROP TABLE \(table)")
      }
      try database.execute(
        sql: """
          DELETE FROM grdb_migrations WHERE identifier = '0004_server';
          PRAGMA user_version = 7;
          """)
    }
    try database.close()

    try home.serve()

    #expect(try home.ask("GET", "/ready").status == 200)
    let token = try home.token()
    #expect(try home.ask("GET", "/v1/where", token: token).body.contains("english-for-business"))
    #expect(try home.folder.names.contains("waymark.sqlite.before-0004_server"))
  }

  @Test func `unusable options and files are reported at the start, with an exit code`() throws {
    let home = try ServerFixture()
    try home.serve()
    let program = ServerFixture.path("waymark-server")

    let wrong = try home.run(program, ["serve", "--port", "70000"])
    let level = try home.run(program, ["serve", "--log-level", "loud"])
    try home.folder.write(Data("no database".utf8), to: "text")
    let text = try home.run(program, ["serve", "--database", home.folder.file("text")])

    #expect(wrong.code == 64 && wrong.errors.contains("--port must be from 0 to 65535, not 70000."))
    #expect(level.code == 64 && level.errors.contains("--log-level must be one of trace, debug"))
    #expect(text.code == 65 && text.errors.contains("the file is not a SQLite database"))
  }

  @Test func `the server creates a database only with the create option`() throws {
    let home = try ServerFixture()
    let program = ServerFixture.path("waymark-server")
    let path = home.folder.file("mistyped.sqlite")

    let refused = try home.run(program, ["serve", "--port", "0", "--database", path])
    let refusedByVariable = try home.run(program, ["serve", "--port", "0"], variables: ["WAYMARK_DATABASE": path])

    let message =
      "Could not serve '\(path)': there is no such database. "
      + "Check --database and WAYMARK_DATABASE, or create it with --create.\n"
    #expect(refused == .init(code: 66, output: "", errors: message))
    #expect(refusedByVariable == refused)
    #expect(!FileManager.default.fileExists(atPath: path))
    try home.folder.write(Data(), to: "mistyped.sqlite")
    #expect(try home.run(program, ["serve", "--port", "0", "--database", path]) == refused)
    #expect(try home.folder.bytes(of: "mistyped.sqlite").isEmpty)
    try home.serve("--create", "--database", path)
    #expect(try home.ask("GET", "/ready").status == 200)
    try home.stop()
    try home.serve("--database", path)
    #expect(try home.ask("GET", "/ready").status == 200)
  }

  @Test func `the systemd unit lets the server create its database`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let unit = try String(
      contentsOf: folder.appending(path: "Sources/System/server/waymark-server.service"), encoding: .utf8)

    #expect(unit.contains("\nExecStart=/usr/bin/waymark-server serve --create\n"))
  }

  @Test func `the command that a trial server prints can be run`() throws {
    let home = try ServerFixture()
    let program = try PipedProgram(
      ServerFixture.path("waymark-server"),
      ["serve", "--trial", "--port", "0", "--database", home.folder.file("new.sqlite")],
      environment: ["HOME": home.folder.path, "PATH": "/usr/bin:/bin"])
    let lines = try (0..<3).map { _ in try program.readLine() ?? "" }

    let answer = try home.run("/bin/sh", ["-c", "\(lines[2]) --silent"])

    #expect(lines[0].hasPrefix("Listening at http://127.0.0.1:"))
    #expect(lines[1].hasPrefix("Token: waymark_"))
    #expect(answer.output.contains("English for Business"))
    program.signal(SIGINT)
    #expect(try program.waitForExit() == .exited(0))
  }

  @Test func `the server's commands use the same default database as the command line`() throws {
    let home = try ServerFixture()
    let unset = ["WAYMARK_DATABASE": ""]

    let added = try home.run(ServerFixture.path("waymark-server"), ["class", "add", "7b"], variables: unset)
    let learners = try home.run(ServerFixture.path("waymark"), ["learners", "list"], variables: unset)

    #expect(added == .init(code: 0, output: "Created the class 7b.\n"))
    #expect(learners.code == 0)
    #expect(FileManager.default.fileExists(atPath: home.folder.file(".local/share/waymark/waymark.sqlite")))
  }

  @Test func `the server, a browser, the command line and imports share one database`() throws {
    let home = try ServerFixture()
    let steps = Tier.count(150, long: 5_000)
    let tokens = try (0..<2).map { try home.token("learner-\($0)") }
    try home.serve()
    let (port, tally) = (home.port, StatusCounter())
    let threads = DispatchGroup()
    for token in tokens {
      DispatchQueue.global().async(group: threads) {
        guard let connection = try? HTTPConnection(port: port) else { return }
        for index in 0..<steps {
          let place = index.isMultiple(of: 2) ? "english-for-business" : "english-for-business/meetings"
          tally.note((try? connection.ask("POST", "/v1/steps", token: token, body: step("open", place)))?.status ?? 0)
        }
      }
    }
    let lines =
      (0..<steps).map { step("open", $0.isMultiple(of: 2) ? "english-for-business" : "english-for-business/meetings") }
      .joined(separator: "\n") + "\n"
    let (folder, database) = (home.folder, home.database)
    for number in 2..<8 {
      DispatchQueue.global().async(group: threads) {
        let environment = [
          "HOME": folder.path, "PATH": "/usr/bin:/bin", "WAYMARK_DATABASE": database,
          "WAYMARK_LEARNER": "learner-\(number)",
        ]
        if number == 7 { return tally.note((try? Self.browse(environment, steps: steps)) == .exited(0) ? 1 : 0) }
        guard
          let program = try? PipedProgram(ServerFixture.path("waymark"), ["nav", "run"], environment: environment),
          (try? program.write(lines)) != nil
        else { return tally.note(0) }
        program.closeInput()
        tally.note((try? program.waitForExit(within: 3_600)) == .exited(0) ? 1 : 0)
      }
    }
    for number in 0..<Tier.count(3, long: 20) {
      let course = RandomCourse.numbered(number)
      try home.folder.write(Data(course.utf8), to: "c\(number).json")
      #expect(try home.waymark("import", home.folder.file("c\(number).json")).code == 0)
    }
    threads.wait()

    #expect(tally.statuses == [200: 2 * steps, 1: 6])
    #expect(try home.waymark("database", "check").code == 0)
    for number in 0..<8 {
      // The browser also records events at its start, so only those caused by keys are counted.
      let cause = number == 7 ? ["--cause", "key"] : []
      let rows = try home.waymark(["history", "list", "--format", "jsonl"] + cause, learner: "learner-\(number)").output
      #expect(rows.split(separator: "\n").count == steps + (number == 7 ? 0 : 1))
    }
  }

  /// Switches between two pages in a browser, then quits. Each page must be visible before the next key is sent.
  private static func browse(_ environment: [String: String], steps: Int) throws -> Ending {
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    try terminal.launch(
      ServerFixture.path("waymark"),
      ["browse", "english-for-business/negotiating/opening-offers/anchors-and-ranges", "--motion", "none"],
      environment: environment)
    try terminal.waitFor("activity 3 of 4")
    for number in 0..<steps {
      terminal.type(number.isMultiple(of: 2) ? "n" : "p")
      try terminal.waitFor("activity \(number.isMultiple(of: 2) ? 4 : 3) of 4")
    }
    terminal.type("q")
    return try terminal.waitForExit()
  }
}

/// Counts responses by status. May be used on any thread.
private final class StatusCounter: @unchecked Sendable {
  private let condition = NSCondition()
  private var counts: [Int: Int] = [:]
  private var turn = false

  var statuses: [Int: Int] { condition.withLock { counts } }

  func next() -> Bool {
    condition.withLock {
      turn.toggle()
      return turn
    }
  }

  func note(_ status: Int) {
    condition.withLock {
      counts[status, default: 0] += 1
      condition.broadcast()
    }
  }

  /// Waits until a number of responses were counted.
  func wait(for count: Int) {
    condition.withLock {
      while counts.values.reduce(0, +) < count, condition.wait(until: Date().addingTimeInterval(60)) {}
    }
  }
}
