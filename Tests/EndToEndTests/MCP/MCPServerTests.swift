import Foundation
import TerminalHarness
import TestSupport
import Testing

/// `waymark mcp` with requests on standard input.
struct MCPServerTests {
  private static let initialize = """
    {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
    "clientInfo":{"name":"test","version":"1"}}}
    {"jsonrpc":"2.0","method":"notifications/initialized"}

    """

  private static func call(_ id: Int, _ tool: String, _ arguments: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
      + "\n"
  }

  /// A response of the server.
  private struct Reply: Equatable {
    let id: Int?
    var text: String?
    var isError: Bool?
    var code: Int?

    init(_ line: String?) throws {
      let object = try #require(line?.json as? [String: Any])
      let result = object["result"] as? [String: Any]
      id = object["id"] as? Int
      text = (result?["content"] as? [[String: Any]])?.first?["text"] as? String
      isError = result?["isError"] as? Bool
      code = (object["error"] as? [String: Any])?["code"] as? Int
    }
  }

  /// Returns the responses to all lines, in the order of their arrival.
  private static func replies(_ home: HomeFixture, _ arguments: String..., to lines: String) throws -> [Reply] {
    let answer = try home.waymark(["mcp"] + arguments, input: initialize + lines)
    #expect(answer.code == 0 && answer.errors == "", "\(answer)")
    return try answer.output.lines.map { try Reply($0) }
  }

  @Test func `all requests are answered, even if the last one has no line feed`() throws {
    let home = try HomeFixture.withBundledCourse()
    let expected = try home.waymark("courses", "--format", "json")

    let replies = try Self.replies(home, to: String(Self.call(1, "courses").dropLast()))

    #expect(replies.map(\.id) == [0, 1])
    #expect(replies.last?.text == expected.output && replies.last?.isError == false)
  }

  @Test func `a server without requests ends when its input ends, and creates no database`() throws {
    let home = try HomeFixture()

    #expect(try home.waymark("mcp") == Answer(code: 0))
    #expect(try home.waymark(["mcp"], input: "\n  \r\n") == Answer(code: 0))
    #expect(!FileManager.default.fileExists(atPath: home.database.path))
  }

  @Test func `malformed messages are answered and do not end the server`() throws {
    var random = SplitMix64(seed: 45)
    let home = try HomeFixture.withBundledCourse()
    let server = try home.start(["mcp"])
    let requests = [Self.initialize, Self.call(1, "courses"), Self.call(2, "show", #"{"place":"/"}"#)]

    try server.write(Self.initialize)
    for _ in 0..<Tier.count(300, long: 30_000) {
      var line = Array(requests.randomElement(using: &random)!.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<line.count, using: &random)
        line[index] = UInt8.random(in: 1..<128, using: &random)
      }
      // The name of the method is changed, so that no message runs a command.
      let text = String(decoding: line, as: UTF8.self).replacing("tools/call", with: "tools/cull")
      try server.write(text + "\n")
    }
    try server.write(#"{"jsonrpc":"2.0","id":"last","method":"ping"}"# + "\n")
    server.closeInput()

    #expect(try server.waitForExit() == .exited(0))
    let lines = String(decoding: server.output, as: UTF8.self).lines
    #expect(lines.last == #"{"jsonrpc":"2.0","id":"last","result":{}}"#)
    #expect(lines.allSatisfy { ($0.json as? [String: Any])?["jsonrpc"] as? String == "2.0" })
    #expect(server.errors.isEmpty)
  }

  @Test func `a line that is too long is refused and the next one is answered`() throws {
    let long = #"{"jsonrpc":"2.0","id":1,"method":"\#(String(repeating: "x", count: 5 << 20))"}"# + "\n"

    let replies = try Self.replies(HomeFixture(), to: long + #"{"jsonrpc":"2.0","id":2,"method":"ping"}"# + "\n")

    #expect(replies.map(\.id) == [0, nil, 2])
    #expect(replies.map(\.code) == [nil, -32600, nil])
  }

  @Test func `an answer that is too long is refused with a remedy`() throws {
    let home = try HomeFixture()
    try home.writeCourse()
    try home.write(
      "---\ntitle: Long\n---\n" + String(repeating: "Many words in one text.\n\n", count: 50_000),
      to: "course/01-one/01-first/03-long.md")
    _ = try home.waymark("import", home.path("course"))

    let replies = try Self.replies(home, to: Self.call(1, "export", #"{"course":"course"}"#))

    #expect(
      replies.last?.text
        == "Could not call 'export': the answer is longer than 1048576 bytes. "
        + "Request a smaller part, such as one lesson."
    )
    #expect(replies.last?.isError == true)
  }

  @Test func `arguments that are too long for a command are refused`() throws {
    let query = String(repeating: "x", count: 1 << 20)

    let replies = try Self.replies(HomeFixture(), to: Self.call(1, "search", #"{"query":"\#(query)"}"#))

    #expect(
      replies.last?.text
        == "Could not call 'search': its command could not be started. Pass shorter arguments, or try again.")
    #expect(replies.last?.isError == true)
  }

  @Test func `a call with too many values is refused`() throws {
    let words = Array(repeating: #""a""#, count: 20_000).joined(separator: ",")

    let replies = try Self.replies(HomeFixture(), to: Self.call(1, "search", #"{"query":[\#(words)]}"#))

    let text = try #require(replies.last?.text)
    #expect(text.contains(" arguments, and the maximum is 1000. Quote words that belong together"))
    #expect(replies.last?.isError == true)
  }

  @Test func `an error repeats only a part of a long name`() throws {
    let name = String(repeating: "x", count: 1 << 20)

    let replies = try Self.replies(HomeFixture(), to: Self.call(1, name) + Self.call(2, "search", #"{"\#(name)":1}"#))

    #expect(replies.suffix(2).allSatisfy { ($0.text?.count ?? 0) < 1_000 })
    #expect(replies.last?.text?.contains("there is no argument 'xxx") == true)
  }

  @Test func `changes by other programs are visible to the next call`() throws {
    let home = try HomeFixture.withBundledCourse()
    let server = try home.start(["mcp", "--write"])
    try server.write(Self.initialize + Self.call(1, "bookmarks_list"))
    _ = try server.readLine()

    let before = try Reply(server.readLine())
    _ = try home.waymark("bookmarks", "add", "english-for-business")
    try server.write(Self.call(2, "bookmarks_remove", #"{"place":"english-for-business"}"#))
    let removed = try Reply(server.readLine())
    let after = try home.waymark("bookmarks", "--format", "json")

    #expect(before.text == "[]\n")
    #expect(removed.text == "Removed the bookmark for “English for Business”.\n")
    #expect(after.output == "[]\n")
  }

  // MARK: - Long calls

  @Test func `other calls are answered during a long call, and writing calls keep their order`() throws {
    let gate = try Gate()
    let server = try gate.home.start(["mcp", "--write"])
    try server.write(Self.initialize + Self.call(1, "import", gate.source))
    _ = try server.readLine()
    try gate.waitForStart()

    try server.write(Self.call(2, "bookmarks_add", #"{"place":"english-for-business"}"#))
    try server.write(Self.call(3, "courses") + Self.call(1, "courses"))
    let early = [try Reply(server.readLine()), try Reply(server.readLine())]
    try gate.open()
    let late = [try Reply(server.readLine()), try Reply(server.readLine())]

    #expect(early.sorted { $0.id! > $1.id! }.map(\.id) == [3, 1])
    #expect(early.first { $0.id == 1 }?.code == -32600)
    #expect(late.map(\.id) == [1, 2])
    #expect(late.map(\.isError) == [true, false])
  }

  @Test func `a cancelled call ends without an answer`() throws {
    let gate = try Gate()
    let server = try gate.home.start(["mcp", "--write"])
    try server.write(Self.initialize + Self.call(1, "import", gate.source))
    _ = try server.readLine()
    try gate.waitForStart()
    try server.write(Self.call(2, "bookmarks_add", #"{"place":"english-for-business"}"#))
    try server.write(Self.call(3, "bookmarks_add", #"{"place":"english-for-business/meetings"}"#))

    for id in [2, 1, 1, 77] {
      try server.write(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"# + "\n")
    }
    let reply = try Reply(server.readLine())
    server.closeInput()

    #expect(reply.id == 3 && reply.isError == false)
    #expect(gate.hasEnded)
    #expect(try server.waitForExit() == .exited(0))
    #expect(try server.readLine() == nil)
    #expect(try gate.home.waymark("bookmarks", "--format", "jsonl").output.lines.count == 1)
  }

  @Test func `a signal ends the server and its running commands`() throws {
    let gate = try Gate()
    let server = try gate.home.start(["mcp", "--write"])
    try server.write(Self.initialize + Self.call(1, "import", gate.source))
    _ = try server.readLine()
    try gate.waitForStart()

    server.signal(SIGTERM)

    #expect(try server.waitForExit() == .signalled(Int(SIGTERM)))
    #expect(gate.hasEnded)
    #expect(server.errors.isEmpty)
  }

  @Test func `a running call is answered after the end of the input`() throws {
    let gate = try Gate()
    let server = try gate.home.start(["mcp", "--write"])
    try server.write(Self.initialize + Self.call(1, "import", gate.source))
    _ = try server.readLine()
    try gate.waitForStart()
    server.closeInput()

    try gate.open()
    let reply = try Reply(server.readLine())

    #expect(reply.id == 1 && reply.isError == true)
    #expect(try server.waitForExit() == .exited(0))
  }

  @Test func `a signal ends a server whose client does not read`() throws {
    let home = try HomeFixture.withBundledCourse()
    let pipe = home.path("unread")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let server = try home.start(["mcp"], redirecting: [1: pipe])
    // The responses exceed the buffer of a pipe.
    try server.write(
      Self.initialize + String(repeating: #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"# + "\n", count: 200))
    var bufferedBytes: Int32 = 0
    let deadline = ContinuousClock.now + .seconds(harnessTimeout)
    while bufferedBytes < 60_000, ContinuousClock.now < deadline {
      _ = ioctl(reader, UInt(FIONREAD), &bufferedBytes)
      usleep(1000)
    }

    server.signal(SIGTERM)

    #expect(bufferedBytes >= 60_000)
    #expect(try server.waitForExit() == .signalled(Int(SIGTERM)))
  }
}

/// An import that waits. Its `git` is a script that blocks until ``open()`` is called.
private struct Gate {
  let home: HomeFixture
  /// The arguments of the import.
  let source = #"{"source":["https://example.invalid/book.git"]}"#

  init() throws {
    home = try HomeFixture.withBundledCourse()
    #expect(mkfifo(home.path("gate"), 0o600) == 0)
    let script = try home.write(
      """
      #!/bin/sh
      echo $$ >"\(home.path("starting"))"
      mv "\(home.path("starting"))" "\(home.path("started"))"
      cat "\(home.path("gate"))"
      exit 1

      """, to: "bin/git")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    home.environment["PATH"] = home.path("bin") + ":/usr/bin:/bin"
  }

  /// Waits until the import runs.
  func waitForStart() throws {
    let deadline = ContinuousClock.now + .seconds(harnessTimeout)
    while !FileManager.default.fileExists(atPath: home.path("started")) {
      guard ContinuousClock.now < deadline else { throw HarnessError.timedOut(waitingFor: "git", screen: "") }
      usleep(1000)
    }
  }

  /// Lets the import continue, which then fails.
  func open() throws {
    let deadline = ContinuousClock.now + .seconds(harnessTimeout)
    while true {
      // Fails until the script has opened the pipe for reading.
      let descriptor = Foundation.open(home.path("gate"), O_WRONLY | O_NONBLOCK)
      if descriptor >= 0 { return _ = close(descriptor) }
      guard ContinuousClock.now < deadline else { throw HarnessError.timedOut(waitingFor: "git", screen: "") }
      usleep(1000)
    }
  }

  /// Whether the script's process has ended.
  var hasEnded: Bool {
    guard let text = try? String(contentsOfFile: home.path("started"), encoding: .utf8),
      let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
