#if canImport(Glibc)
import Foundation
import Glibc
import TestSupport
import Testing

@testable import ExternalPrograms

/// The abilities of a confined program, for each protection of the system. Each test runs as the current user, and as the user
/// `nobody` if the current user is root.
@Suite(.timeLimit(.minutes(2))) struct SandboxTests {
  static let users = TestUser.possible

  /// The protections under which an attack succeeds if the program may write to no file.
  static let attacks: [(name: String, succeedsUnder: Set<SandboxProtection>)] = [
    ("read", [.unprotected]), ("write", []), ("append", []), ("create", [.unprotected]), ("empty", [.unprotected]),
    ("empty while reading", []), ("truncate", []), ("delete", []), ("delete folder", []), ("rename", []),
    ("make folder", []), ("make link", []), ("make symbolic link", []), ("make device", []), ("chmod", []),
    ("chown", []), ("set times", []), ("set attribute", []), ("set flags", []), ("write through link", []),
    ("delete through link", []), ("delete link", []), ("connect to socket", []), ("connect to port", []),
    ("send datagram", []), ("send signal", []), ("change limits", []), ("ptrace", []), ("read memory", []),
    ("read memory by file", []), ("read environment", []), ("see files of process", []),
    ("connect to abstract socket", []), ("connect to other machine", []),
    ("see processes", [.partial, .landlock, .unprotected]), ("read through process", []), ("io_uring", []),
    ("keys", []), ("mount", []), ("new namespace", []), ("new namespace by clone", []), ("shared memory", []),
    ("write kernel setting", []),
  ]

  /// The actions that must be possible under every protection.
  static let needs = [
    "use null device", "use standard error by name", "use own process", "use readable file", "abort", "leave daemon",
  ]

  /// Files that are attacked, a readable folder with a link to them, and a process outside.
  private final class Fixture {
    let folder: TemporaryFolder
    let mark = "mark-\(UUID().uuidString)"
    let program: ExternalProgram
    private let outside: RunningProgram
    private let input = Foundation.Pipe()
    private let numbers: [String]

    init() throws {
      folder = try TemporaryFolder()
      let files = FileManager.default
      for name in ["attacked", "readable", "writable", "attacked/delete folder", "programs"] {
        try files.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
      }
      for (name, _) in SandboxTests.attacks
      where !["create", "delete folder"].contains(name) && !name.hasPrefix("make") {
        try folder.write(Data("text".utf8), to: "attacked/\(name)")
      }
      try folder.write(Data("text".utf8), to: "readable/text")
      try files.createSymbolicLink(
        atPath: folder.file("readable/link"), withDestinationPath: folder.file("attacked"))
      let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      try files.copyItem(
        atPath: tests.deletingLastPathComponent().appending(path: "SandboxAttacks").path,
        toPath: folder.file("programs/attacks"))
      for path in try files.subpathsOfDirectory(atPath: folder.path) where path != "readable/link" {
        chmod(folder.file(path), 0o777)
      }
      chmod(folder.path, 0o777)
      program = ExternalProgram(path: folder.file("programs/attacks"))
      let output = Foundation.Pipe()
      outside = try #require(
        program.start(
          ["--listen", folder.file("attacked/socket")], input: input.fileHandleForReading.fileDescriptor,
          output: output.fileHandleForWriting.fileDescriptor))
      output.fileHandleForWriting.closeFile()
      numbers = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        .split(whereSeparator: \.isWhitespace).map(String.init)
      try #require(numbers.count == 2)
    }

    deinit {
      outside.terminate()
      _ = outside.waitForEnd()
    }

    /// Runs attacks, and returns the names of those that succeed.
    func successes(_ attacks: [String], in sandbox: ProgramSandbox) throws -> (Set<String>, ProgramResult) {
      var sandbox = sandbox
      sandbox.readable = [folder.file("readable")]
      let result = try program.run(
        [folder.file("attacked"), folder.file("readable")] + numbers + [mark] + attacks,
        folder: folder.file("readable"),
        limits: ProgramLimits(seconds: 60, output: 1 << 20, sandbox: sandbox))
      let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      #expect(lines.count == attacks.count, "\(String(decoding: result.errors, as: UTF8.self))")
      return (Set(lines.filter { $0.hasSuffix(": done") }.map { String($0.dropLast(6)) }), result)
    }

    /// The number of processes with the mark that still run.
    var remaining: Int { ProcessList.count(withArgument: mark) }
  }

  private func sandbox(_ strongest: SandboxProtection) -> ProgramSandbox {
    var sandbox = ProgramSandbox()
    sandbox.strongest = strongest
    return sandbox
  }

  @Test(arguments: SandboxProtection.allCases, users)
  func `a program that may write to no file changes nothing outside`(_ strongest: SandboxProtection, _ user: TestUser)
    throws
  {
    try user.run {
      let fixture = try Fixture()
      let names = Self.attacks.map(\.name)

      let (successes, result) = try fixture.successes(names, in: sandbox(strongest))

      var expected = Set(Self.attacks.filter { $0.succeedsUnder.contains(result.protection) }.map(\.name))
      if result.protection == .unprotected, geteuid() == 0 { expected.insert("write kernel setting") }
      #expect(successes == expected, "\(strongest) became \(result.protection)")
      #expect(!result.hadNetwork)
      #expect(isAtMost(result.protection, strongest))
      let changed = Self.attacks.map(\.name).filter { name in
        !["create", "delete folder", "empty"].contains(name) && !name.hasPrefix("make")
          && (try? fixture.folder.bytes(of: "attacked/\(name)")) != Data("text".utf8)
      }
      #expect(changed == [])
    }
  }

  @Test(arguments: SandboxProtection.allCases, users)
  func `a program can use its devices and files, and its processes end with it`(
    _ strongest: SandboxProtection, _ user: TestUser
  ) throws {
    try user.run {
      let fixture = try Fixture()
      var sandbox = sandbox(strongest)
      sandbox.fileBytes = 1 << 20

      let (successes, result) = try fixture.successes(Self.needs + ["use temporary file"], in: sandbox)

      let hasTemporaryFiles = [.full, .partial].contains(result.protection)
      #expect(successes.subtracting(["use temporary file"]) == Set(Self.needs))
      if hasTemporaryFiles { #expect(successes.contains("use temporary file")) }
      #expect(fixture.remaining == 0)
    }
  }

  @Test(arguments: [SandboxProtection.full, .partial, .landlock], users)
  func `a program changes a writable folder and nothing else`(_ strongest: SandboxProtection, _ user: TestUser) throws {
    try user.run {
      let fixture = try Fixture()
      var sandbox = sandbox(strongest)
      sandbox.writable = [fixture.folder.file("writable")]
      sandbox.fileBytes = 1 << 20
      let attributes = ["chmod", "chown", "set times", "set attribute", "set flags"]
      let names =
        Self.attacks.map(\.name).filter { !attributes.contains($0) } + ["create next to readable", "write system file"]

      let (successes, result) = try fixture.successes(names, in: sandbox)
      let outside = try fixture.successes(attributes, in: sandbox).0
      sandbox.hasLoopback = true
      let withLoopback = try fixture.successes(names, in: sandbox).0

      // A datagram to the own network succeeds, although nobody receives it.
      let hasNetwork = [.full, .partial].contains(result.protection)
      #expect(withLoopback == successes.union(hasNetwork ? ["send datagram"] : []))
      #expect(successes == (result.protection == .full ? [] : ["see processes"]))
      if result.protection == .landlock { #expect(outside.contains("chmod")) } else { #expect(outside == []) }
      sandbox.readable = []
      let script = "cd \"$1\" && mkdir a && echo text > a/b && mv a/b c && chmod 600 c && cat c > /dev/stdout; ls /tmp"
      let shell = try #require(ExternalProgram(named: "sh"))
      let written = try shell.run(
        ["-c", script, "sh", fixture.folder.file("writable")],
        limits: ProgramLimits(seconds: 60, output: 1 << 20, sandbox: sandbox))
      #expect(String(decoding: written.output, as: UTF8.self).hasPrefix("text\n"))
      #expect(try fixture.folder.bytes(of: "writable/c") == Data("text\n".utf8))
      #expect(try fixture.folder.permissions(of: "writable/c") == 0o600)
    }
  }

  /// Programs that use more and more of something, and end by themselves after 20 seconds.
  static let greedy: [(script: String, kind: TotalLimits.Kind)] = [
    ("for i in 1 2 3 4; do (x=$(head -c 30000000 /dev/zero | tr '\\0' x); sleep 20; :) & done; wait", .memory),
    ("i=0; while [ $i -lt 200 ]; do sleep 20 & i=$((i + 1)); done; wait", .processes),
    ("for i in 1 2 3 4; do head -c 10000000 /dev/zero >f$i; done; sleep 20", .bytes),
    ("for i in 1 2 3 4 5 6 7; do mkdir d$i; cd d$i; for j in 1 2 3 4; do >$j; done; done; sleep 20", .files),
    ("i=0; while [ $i -lt 70 ]; do mkdir d; cd d; i=$((i + 1)); done; sleep 20", .files),
    ("head -c 30000000 /dev/zero >f", .bytes), ("while :; do :; done", .processorSeconds),
  ]

  @Test(arguments: [SandboxProtection.full, .landlock, .unprotected], greedy)
  func `a program that uses too much together is ended with all its processes`(
    _ strongest: SandboxProtection, _ greedy: (script: String, kind: TotalLimits.Kind)
  ) throws {
    for user in Self.users {
      try user.run {
        let folder = try TemporaryFolder()
        try folder.write(Data(count: 20_000_000), to: "before")
        var sandbox = sandbox(strongest)
        sandbox.writable = [folder.path]
        sandbox.fileBytes = 1 << 30
        var total = TotalLimits(
          memory: 80 << 20, processes: 100, folders: [folder.path], bytes: 25_000_000,
          files: greedy.script.contains("70") ? 1_000 : 30)
        if greedy.kind == .processorSeconds { total.processorSeconds = 1 }
        var limits = ProgramLimits(seconds: 60, output: 1 << 20, sandbox: sandbox)
        limits.total = total
        let mark = "mark-\(UUID().uuidString)"
        let shell = try #require(ExternalProgram(named: "sh"))
        let expected: [TotalLimits.Kind: Int] = [
          .memory: total.memory, .processes: total.processes, .bytes: total.bytes, .files: total.files,
          .processorSeconds: 1,
        ]

        let failure = ProgramFailure.exceeded(greedy.kind, limit: expected[greedy.kind] ?? 0)
        #expect(throws: failure, "\(strongest), \(user)") {
          _ = try shell.run(["-c", greedy.script, mark], folder: folder.path, limits: limits)
        }
        #expect(ProcessList.count(withArgument: mark) == 0)
      }
    }
  }

  @Test(arguments: SandboxProtection.allCases, users)
  func `a program that starts itself again and again ends with all its processes`(
    _ strongest: SandboxProtection, _ user: TestUser
  ) throws {
    try user.run {
      var limits = ProgramLimits(seconds: 60, output: 1 << 20, sandbox: sandbox(strongest))
      limits.total = TotalLimits(memory: 1 << 30, processes: 200, folders: [], bytes: 0, files: 0)
      let mark = "mark-\(UUID().uuidString)"
      let script = "f() { [ $(date +%s) -lt $0 ] && { f & f & }; }; f & sleep 5"
      let end = String(Int(Date().timeIntervalSince1970) + 20)

      do {
        _ = try #require(ExternalProgram(named: "sh")).run(
          ["-c", script, end, mark], limits: limits, receive: { _ in })
      } catch {
        #expect(error as? ProgramFailure == .exceeded(.processes, limit: 200))
      }
      #expect(ProcessList.count(withArgument: mark) == 0)
    }
  }

  @Test(arguments: users) func `the data of a process is limited`(_ user: TestUser) throws {
    try user.run {
      var limits = ProgramLimits(seconds: 60, output: 1 << 20, sandbox: ProgramSandbox())
      limits.data = 64 << 20

      let result = try #require(ExternalProgram(named: "sh"))
        .run(["-c", "x=$(head -c 100000000 /dev/zero | tr '\\0' x); echo ${#x}"], limits: limits)

      #expect(result.code != 0 && result.output == [])
    }
  }

  @Test func `a program gets no rights from a set-user-ID file`() throws {
    for strongest in SandboxProtection.allCases {
      let result = try #require(ExternalProgram(named: "grep"))
        .run(["NoNewPrivs", "/proc/self/status"], limits: ProgramLimits(output: 100, sandbox: sandbox(strongest)))
      #expect(String(decoding: result.output, as: UTF8.self) == "NoNewPrivs:\t1\n")
    }
  }

  @Test(arguments: users) func `a program reads no secrets of the system`(_ user: TestUser) throws {
    try user.run {
      let (successes, result) = try Fixture().successes(["read secrets"], in: ProgramSandbox())

      #expect(result.protection == .unprotected || successes == [])
    }
  }

  @Test(arguments: SandboxProtection.allCases, users)
  func `a program with the network reaches ports, but no sockets of other programs`(
    _ strongest: SandboxProtection, _ user: TestUser
  ) throws {
    try user.run {
      var sandbox = sandbox(strongest)
      let names = Self.attacks.map(\.name)
      let without = try Fixture().successes(names, in: sandbox).0
      sandbox.hasNetwork = true

      let (successes, result) = try Fixture().successes(names, in: sandbox)

      var expected = without.union(["connect to port", "send datagram"])
      if result.protection == .unprotected, geteuid() != 0 {
        // The program is in no user namespace, so that it has access to other processes of the user.
        expected.formUnion([
          "read memory by file", "read environment", "see files of process", "read through process",
        ])
      }
      #expect(successes == expected)
      #expect(result.hadNetwork)
    }
  }

  @Test func `a program in the home folder does not make credentials next to it readable`() throws {
    let home = try #require(ProcessInfo.processInfo.environment["HOME"])
    func readable(_ program: String) -> [String] {
      ProgramSandbox().readableFiles(of: ExternalProgram(path: "\(home)/\(program)"), in: nil)
    }

    for folder in [".cargo", ".cabal", "go"] {
      let paths = readable("\(folder)/bin/tool")
      #expect(paths.contains("\(home)/\(folder)/bin"))
      #expect(!paths.contains("\(home)/\(folder)"))
    }
    #expect(readable("tools/node/bin/node").contains("\(home)/tools/node"))
    #expect(!readable(".gem/bin/tool").contains { "\(home)/.gem/credentials".hasPrefix($0 + "/") })
  }

  @Test func `a program connects to itself only if the loopback interface is active`() throws {
    let script = "exec 3<>/dev/tcp/127.0.0.1/9"
    let bash = try #require(ExternalProgram(named: "bash"))
    func message(_ hasLoopback: Bool) throws -> String? {
      var sandbox = ProgramSandbox()
      sandbox.hasLoopback = hasLoopback
      let result = try bash.run(["-c", script], limits: ProgramLimits(output: 100, sandbox: sandbox))
      guard [.full, .partial].contains(result.protection) else { return nil }
      return String(decoding: result.errors, as: UTF8.self)
    }

    guard let active = try message(true), let inactive = try message(false) else { return }
    #expect(active.contains("Connection refused"))
    #expect(inactive.contains("Permission denied"))
  }

  @Test(arguments: SandboxProtection.allCases)
  func `all processes of a program end when its run is cancelled`(_ strongest: SandboxProtection) throws {
    struct Cancelled: Error {}
    let mark = "3599.\(UInt32.random(in: 0 ... .max))"
    let shell = try #require(ExternalProgram(named: "sh"))

    #expect(throws: Cancelled.self) {
      _ = try shell.run(
        ["-c", "setsid sleep \(mark) & sleep \(mark) & sleep \(mark)"],
        limits: ProgramLimits(seconds: 60, output: 100, sandbox: sandbox(strongest))
      ) {
        if ProcessList.count(withArgument: mark) == 3 { throw Cancelled() }
      }
    }

    #expect(ProcessList.count(withArgument: mark) == 0)
  }

  @Test(arguments: [SandboxProtection.full, .landlock, .unprotected], users)
  func `all processes of a program end with the thread that runs it`(
    _ strongest: SandboxProtection, _ user: TestUser
  ) throws {
    let mark = "3599.\(UInt32.random(in: 0 ... .max))"
    let limits = ProgramLimits(output: 100, sandbox: sandbox(strongest))
    let shell = try #require(ExternalProgram(named: "sh"))
    nonisolated(unsafe) var program: RunningProgram?
    // The thread ends afterwards. This has the same effect as a caller that is killed. Source: PR_SET_PDEATHSIG(2const).
    try user.run {
      let nothing = [Int32](repeating: -1, count: 3)
      program = try shell.launch(
        ["-c", "setsid sleep \(mark) & sleep \(mark); true"], descriptors: nothing, hasOwnSession: true, limits: limits
      ).program
      #expect(ProcessList.reaches(2, withArgument: mark))
    }

    #expect(ProcessList.reaches(0, withArgument: mark))
    _ = try #require(program).waitForStatus()
  }

  @Test func `the report names what the system does not enforce`() throws {
    func weakness(_ strongest: SandboxProtection) throws -> (SandboxProtection, String?) {
      let result = try #require(ExternalProgram(named: "true"))
        .run([], limits: ProgramLimits(output: 100, sandbox: sandbox(strongest)))
      return (result.protection, result.weakness(of: "pandoc"))
    }
    let start = "pandoc ran without a part of its sandbox: "
    let expected: [SandboxProtection: String] = [
      .partial: "it could see the running processes, because this system does not allow a new /proc.",
      .landlock:
        "Landlock and a filter of system calls confined it, because this system does not allow user namespaces.",
      .unprotected:
        "it could read your files, empty files and create empty ones, because this system allows neither user namespaces nor Landlock.",
    ]

    for strongest in SandboxProtection.allCases {
      let (protection, text) = try weakness(strongest)
      #expect(text == expected[protection].map { start + $0 })
    }
  }

  @Test func `a program is read through links from a folder of its own`() throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    for name in ["links", "real/bin", "real/lib"] {
      try files.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    try folder.write(Data("library\n".utf8), to: "real/lib/text")
    try folder.write(
      Data("#!/bin/sh\ncat \"$(dirname \"$(readlink -f \"$0\")\")/../lib/text\"\n".utf8), to: "real/bin/tool")
    chmod(folder.file("real/bin/tool"), 0o755)
    try files.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file("links"))
    try files.createSymbolicLink(atPath: folder.file("links/second"), withDestinationPath: "../real/bin/tool")
    try files.createSymbolicLink(atPath: folder.file("links/tool"), withDestinationPath: "second")

    for strongest in SandboxProtection.allCases {
      let result = try ExternalProgram(path: folder.file("link/tool"))
        .run([], limits: ProgramLimits(output: 100, sandbox: sandbox(strongest)))
      #expect(String(decoding: result.output, as: UTF8.self) == "library\n", "\(result)")
    }
  }

  @Test func `a confined program gets only listed variables`() throws {
    setenv("WAYMARK_SECRET_TOKEN", "x", 1)
    defer { unsetenv("WAYMARK_SECRET_TOKEN") }

    let result = try #require(ExternalProgram(named: "env"))
      .run([], limits: ProgramLimits(output: 1 << 16, sandbox: ProgramSandbox()))

    #expect(!String(decoding: result.output, as: UTF8.self).contains("WAYMARK_SECRET_TOKEN"))
    #expect(String(decoding: result.output, as: UTF8.self).contains("PATH="))
  }

  private func isAtMost(_ protection: SandboxProtection, _ strongest: SandboxProtection) -> Bool {
    let order = SandboxProtection.allCases
    return order.firstIndex(of: protection)! >= order.firstIndex(of: strongest)!
  }
}
#endif
