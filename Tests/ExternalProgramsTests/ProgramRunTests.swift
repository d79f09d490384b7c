import ExternalPrograms
import Foundation
import Testing

struct ProgramRunTests {
  private static let confined = ProgramLimits(output: 1 << 20, sandbox: ProgramSandbox())

  private func run(
    _ name: String, _ arguments: [String], input: String = "", environment: [String: String]? = nil,
    folder: String? = nil, limits: ProgramLimits = confined
  ) throws -> ProgramResult {
    try #require(ExternalProgram(named: name)).run(
      arguments, input: Array(input.utf8), environment: environment, folder: folder, limits: limits)
  }

  @Test func `a program receives its input and returns output, errors and exit code`() throws {
    let result = try run("sh", ["-c", "cat; echo two >&2; exit 3"], input: "one")

    #expect(String(decoding: result.output, as: UTF8.self) == "one")
    #expect(String(decoding: result.errors, as: UTF8.self) == "two\n")
    #expect(result.code == 3)
  }

  @Test func `output is received while the program runs, with the errors in the order of writing`() throws {
    var text = ""
    let script = "echo one; echo two >&2; echo three > /dev/stderr; echo four > /dev/stdout; sleep 60"
    struct Enough: Error {}

    #expect(throws: Enough.self) {
      _ = try #require(ExternalProgram(named: "sh")).run(
        ["-c", script], limits: Self.confined, check: { if text.hasSuffix("four\n") { throw Enough() } },
        receive: { text += String(decoding: $0, as: UTF8.self) })
    }
    #expect(text == "one\ntwo\nthree\nfour\n")
  }

  @Test func `a received output has no limit`() throws {
    var count = 0

    let result = try #require(ExternalProgram(named: "head")).run(
      ["-c", "1000000000", "/dev/zero"], limits: Self.confined, receive: { count += $0.count })

    #expect(count == 1_000_000_000)
    #expect(result.code == 0 && result.output == [] && result.errors == [])
  }

  @Test func `input and output larger than a socket buffer are transferred concurrently`() throws {
    let input = String(repeating: "0123456789abcdef", count: 1 << 15)

    #expect(try run("cat", [], input: input).output == Array(input.utf8))
  }

  @Test func `a program may end without reading its input`() throws {
    let input = String(repeating: "x", count: 4 << 20)

    #expect(try run("true", [], input: input).code == 0)
  }

  @Test func `a program has no terminal and only the given variables and folder`() throws {
    let script = "(: < /dev/tty) 2>/dev/null || echo none; echo $A-$USER; pwd"

    let result = try run("sh", ["-c", script], environment: ["A": "b"], folder: "/")

    #expect(String(decoding: result.output, as: UTF8.self) == "none\nb-\n/\n")
  }

  @Test func `a confined program cannot write to a file`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }

    let result = try run("sh", ["-c", "cat /proc/version > \"$1\"; echo $?", "sh", file.path])

    // The write fails with an error instead of a signal that ends the program.
    #expect(["1\n", "2\n"].contains(String(decoding: result.output, as: UTF8.self)))
    #expect((try? Data(contentsOf: file))?.isEmpty ?? true)
  }

  @Test func `a confined program without network has only the loopback interface`() throws {
    let result = try run("cat", ["/proc/net/dev"])

    guard !result.hadNetwork else { return }
    let names = String(decoding: result.output, as: UTF8.self).split(separator: "\n").dropFirst(2).map {
      $0.prefix { $0 != ":" }.filter { $0 != " " }
    }
    #expect(names.allSatisfy { $0 == "lo" || $0.contains("tun") || $0.contains("sit") || $0.contains("gre") })
    #expect(try !run("sh", ["-c", "true"], limits: Self.confined).hadNetwork)
  }

  @Test func `a program that exceeds its processor time is ended by a signal`() throws {
    var limits = Self.confined
    limits.processorSeconds = 1

    let result = try run("sh", ["-c", "while :; do :; done"], limits: limits)

    #expect(result.code > 128)
  }

  @Test func `a program cannot exceed its memory limit`() throws {
    var limits = Self.confined
    limits.memory = 64 << 20

    let result = try run("sh", ["-c", "ulimit -v"], limits: limits)

    #expect(String(decoding: result.output, as: UTF8.self) == "65536\n")
  }

  @Test func `a program that exceeds its output limit is ended`() throws {
    var limits = Self.confined
    limits.output = 100

    #expect(throws: ProgramFailure.tooMuchOutput(bytes: 100)) { try run("yes", [], limits: limits) }
  }

  @Test func `a program that exceeds its running time is ended`() throws {
    var limits = Self.confined
    limits.seconds = 0

    #expect(throws: ProgramFailure.tooSlow(seconds: 0)) { try run("sleep", ["600"], limits: limits) }
  }

  @Test func `cancelling ends the program and the processes that it started`() throws {
    struct Cancelled: Error {}
    let folder = FileManager.default.temporaryDirectory.appending(path: "waymark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "numbers")
    let script = "sleep 600 & echo $! $$ > \"$1\"; wait"
    let program = try #require(ExternalProgram(named: "sh"))

    var numbers: [Int32] = []
    #expect(throws: Cancelled.self) {
      _ = try program.run(
        ["-c", script, "sh", file.path], limits: ProgramLimits(seconds: 60, output: 100, sandbox: nil)
      ) {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        guard text.hasSuffix("\n") else { return }
        numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
        throw Cancelled()
      }
    }

    #expect(numbers.count == 2)
    // A killed process remains in the process table until its parent waits for it.
    for number in numbers { #expect(isGone(number)) }
  }

  private func isGone(_ process: Int32) -> Bool {
    for _ in 0..<1_000 {
      let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      guard kill(process, 0) == 0, state?.contains(") Z ") != true else { return true }
      usleep(10_000)
    }
    return false
  }

  @Test func `a child process that outlives its program does not delay the result`() throws {
    #expect(try run("sh", ["-c", "sleep 600 & echo done"]).output == Array("done\n".utf8))
  }

  @Test func `a missing program is not found and does not start`() throws {
    #expect(ExternalProgram(named: "no-such-program") == nil)
    #expect(ExternalProgram(named: "sh", searchPath: "/nowhere") == nil)
    #expect(ExternalProgram(named: "/etc/passwd") == nil)
    #expect(throws: ProgramFailure.cannotStart(reason: "No such file or directory")) {
      try ExternalProgram(path: "/no/such/program").run([], limits: Self.confined)
    }
    #expect(ExternalProgram(path: "/no/such/program").start([]) == nil)
  }

  @Test func `a program without limits starts in the background`() throws {
    #expect(try #require(ExternalProgram(named: "true")).start([])?.waitForEnd() == true)
    #expect(try #require(ExternalProgram(named: "false")).start([])?.waitForEnd() == false)
  }
}
