@testable import waymark_server
import Foundation
import LearningModel
import TerminalHarness
import TestSupport
import Testing

/// Errors and warnings at the start of the server. None of them may contain a password.
struct StartupTests {
  private static let program = ServerFixture.path("waymark-server")

  @Test func `an unusable port or address is reported in one sentence`() throws {
    let home = try ServerFixture()
    try home.serve()

    let usedPort = try home.run(Self.program, ["serve", "--port", "\(home.port)"])
    let foreign = try home.run(Self.program, ["serve", "--port", "0", "--host", "192.0.2.1"])
    let unknown = try home.run(Self.program, ["serve", "--port", "0", "--host", "no such host"])

    #expect(
      usedPort.errors.hasSuffix(
        "Could not listen at '127.0.0.1', port \(home.port): another program uses it. Choose another port with --port.\n"
      ),
      "\(usedPort)")
    for answer in [foreign, unknown] {
      #expect(
        answer.errors.hasSuffix(", port 0: this machine does not have that address. Choose another with --host.\n"),
        "\(answer)")
    }
    #expect([usedPort, foreign, unknown].allSatisfy { $0.code == 69 && $0.output == "" })
  }

  @Test(arguments: [
    (["nope"], "nope"), (["tokens", "nope"], "nope"), (["tokens", "add", "nope"], "nope"), (["--all", "nope"], "nope"),
  ])
  func `help for an unknown command names it`(words: [String], unknown: String) throws {
    let home = try ServerFixture()

    let answer = try home.run(Self.program, ["help"] + words)

    #expect(answer.code == 64 && answer.output == "", "\(answer)")
    #expect(answer.errors.hasPrefix("Error: Could not show the help of 'nope': there is no such command."))
  }

  @Test func `help for a command is the help of that command`() throws {
    let home = try ServerFixture()

    for words in [["tokens", "add"], ["serve"], []] {
      let answer = try home.run(Self.program, ["help"] + words)
      #expect(try answer == home.run(Self.program, words + ["--help"]) && answer.code == 0)
    }
  }

  @Test func `a forbidden port is reported as such`() {
    let error = ServerError.portForbidden(host: "127.0.0.1", port: 80)

    #expect(
      error.description
        == "Could not listen at '127.0.0.1', port 80: this user has no permission. Choose a port from 1024 with --port."
    )
    #expect(error.kind == .noPermission)
    #expect(
      ServerError.cannotListen(host: "::1", port: 1, reason: "Too many open files").description
        == "Could not listen at '::1', port 1: Too many open files. Choose another address or port with --host and --port."
    )
  }

  @Test func `each risky setting is reported in one sentence`() throws {
    let home = try ServerFixture()
    var settings = ServerSettings(database: home.database)
    #expect(chmod(home.database, 0o600) == 0)
    let none = settings.warnings(user: 1_000)
    #expect(chmod(home.database, 0o644) == 0)
    settings.host = "0.0.0.0"

    let all = settings.warnings(user: 0)
    settings.isBehindProxy = true
    let proxied = settings.warnings(user: 0)

    #expect(none == [])
    #expect(
      all == [
        "The server listens at '0.0.0.0' without TLS. Others on the network can read tokens and the learners' data. "
          + "Listen at 127.0.0.1 and run a proxy with TLS in front, or use --behind-proxy.",
        "The server runs as root without needing it. Run it as a separate user.",
        "Other users of this machine can access the database, which contains the learners' data. "
          + "Run chmod 600 \(home.database).",
      ])
    #expect(proxied == Array(all.dropFirst()))
    for host in ["localhost", "127.0.0.2", "::1"] {
      settings.host = host
      #expect(settings.warnings(user: 1_000).count == 1)
    }
  }

  @Test func `the warnings about risky settings appear in the log`() throws {
    let home = try ServerFixture()
    #expect(chmod(home.database, 0o644) == 0)

    try home.serve("--host", "0.0.0.0")

    let log = try home.stop().errors
    #expect(log.contains("The server listens at '0.0.0.0' without TLS") && log.contains("Run chmod 600"), "\(log)")
    #expect(log.contains("The server runs as root") == (geteuid() == 0))
  }

  @Test(arguments: [
    ["tokens", "list", "--hub", "postgre://ada:secret@127.0.0.1:1/x"],
    ["tokens", "list", "--hub", "postgres:/ada:secret@127.0.0.1:1/x"],
    ["tokens", "list", "--hub", "ada:secret@127.0.0.1/x"],
    ["tokens", "list", "--hub", "host=127.0.0.1 password=secret"],
    ["tokens", "list", "--hub", "postgres://ada:secret"], ["tokens", "list", "--hub", "postgres://ada:secret/waymark"],
    ["tokens", "list", "--hub", "postgres://ada:a@secret@127.0.0.1/x"],
    ["tokens", "list", "--hub", "postgres://ada:12/secret@127.0.0.1/x"],
    ["tokens", "list", "--hub", "postgres://ada:se%zzsecret@127.0.0.1/x"],
    ["tokens", "list", "--hub", "postgres://ada@127.0.0.1:1/x?password=a@secret"],
    ["tokens", "list", "--hub", "postgres://127.0.0.1:1/x?pasword=secret"],
    ["tokens", "list", "--hbu", "postgres://ada:secret@127.0.0.1/x"],
    ["tokens", "list", "postgres://ada:secret@127.0.0.1/x"], ["--hub=postgres://ada:secret@127.0.0.1/x"],
    ["tokens", "list", "--hub", "postgres://127.0.0.1/x", "--tenant", "postgres://ada:secret@127.0.0.1/x"],
    ["serve", "--hub", "postgres://ada:secret@127.0.0.1:1/x", "--log-level", "postgres://ada:secret@127.0.0.1/x"],
    ["migrate", "postgres//ada:secret@127.0.0.1/x"], ["move", "postgres:/ada:secret@127.0.0.1/x", "y.sqlite"],
    ["move", "DATABASE", "postgres:/ada:secret@127.0.0.1/x"],
  ])
  func `no message contains the password of a mistyped address`(arguments: [String]) throws {
    let home = try ServerFixture()

    let answer = try home.run(Self.program, arguments.map { $0.replacing("DATABASE", with: home.database) })

    #expect(answer.code != 0 && answer.code < 128 && answer.errors != "", "\(answer)")
    #expect(!(answer.errors + answer.output).contains("secret"), "\(answer)")
    #expect(try !home.folder.names.contains { $0.contains("secret") || $0.hasPrefix("postgres") })
  }

  @Test func `messages show an address only as host, port and database`() throws {
    let hosts = [
      "postgres://ada:x@127.0.0.1:5432/hub", "postgresql://a,b/hub", "postgres://ada@/hub?host=/run/postgresql",
      "postgres://ada@h:1/a%40b",
    ]
    let named = try hosts.map { try PostgresAddress($0).host }

    #expect(named == ["127.0.0.1:5432/hub", "a,b/hub", "/run/postgresql/hub", "h:1/a@b"], "\(named)")
    #expect(throws: HubError.unusableAddress(reason: "its host or port is not valid")) {
      try PostgresAddress("postgres://ada:secret@x@127.0.0.1/hub")
    }
  }
}
