import ExternalPrograms
import Foundation
import LearningModel
import Synchronization
import TestSupport
import Testing

@testable import Exercises

@Suite(.timeLimit(.minutes(3))) struct ExerciseRunnerTests {
  private func result(
    _ script: String, _ expectation: Exercise.Run.Expectation = .exit(0), input: String? = nil, seconds: Int? = nil
  ) throws -> CheckResult {
    try ExerciseFixture(
      ["a": "file\n"],
      check: [Exercise.Run(.shell(script), input: input, expectation: expectation, seconds: seconds)]
    ).check()
  }

  @Test(
    arguments: [
      ("exit 0", .exit(0), nil), ("exit 3", .exit(3), nil),
      ("exit 3", .exit(0), "The check ended with the code 3 instead of 0."),
      ("echo a b", .contains("a"), nil), ("echo a", .contains("b"), "The check did not print 'b'."),
      ("printf 'a\\r\\nb\\r\\n'", .equals("a\nb"), nil), ("echo a", .equals("a \n\n"), nil),
      ("echo ab", .equals("a"), "The check printed something else than 'a'."),
      ("echo a1", .matches("^a\\d"), nil), ("echo a", .matches("\\d"), "The check printed nothing that matches '\\d'."),
      ("echo a", .matches("("), "The check has an invalid regular expression: '('."),
      (
        "head -c 200 /dev/zero | tr '\\0' a; echo !", .matches("(a|aa)+$"),
        "The check has a regular expression that takes too long: '(a|aa)+$'."
      ),
      ("echo a; exit 1", .contains("a"), "The check ended with the code 1."),
      ("kill -9 $$", .exit(0), "The check ended with the code 137 instead of 0."),
    ] as [(String, Exercise.Run.Expectation, String?)])
  func `an expectation is met or explained`(
    _ script: String, _ expectation: Exercise.Run.Expectation, _ reason: String?
  ) throws {
    #expect(try result(script, expectation).outcome == reason.map { .failed(reason: $0) } ?? .passed)
  }

  @Test func `commands run one after the other with their input, and the first that fails ends the check`() throws {
    let fixture = try ExerciseFixture(
      ["a": "file\n"],
      check: [
        Exercise.Run(.argv(["cat", "{edit}"])),
        Exercise.Run(.argv(["cat"]), input: "input\n", expectation: .equals("input")),
        Exercise.Run(.argv(["false"]), name: "third"), Exercise.Run(.argv(["echo", "never"])),
      ])

    let result = try fixture.check()

    #expect(result.outcome == .failed(reason: "'third' ended with the code 1 instead of 0."))
    #expect(result.output.text == "file\ninput\n")
  }

  @Test func `limits of time end a check`() throws {
    #expect(
      try result("sleep 60", seconds: 1).outcome
        == .tooSlow(reason: "The check took longer than 1 s. Look for a loop that does not end."))
  }

  @Test(arguments: [SandboxProtection.full, .landlock])
  func `a loop that does not end is interrupted, and its last output is kept`(_ strongest: SandboxProtection) throws {
    let script = "trap 'echo interrupted; exit 1' INT; while :; do :; done"
    let fixture = try ExerciseFixture(["a": "file\n"], check: [Exercise.Run(.shell(script))])
    try fixture.update()
    var runner = fixture.runner
    (runner.strongest, runner.processorSeconds) = (strongest, 1)

    let result = try runner.run()

    #expect(
      result.outcome
        == .tooSlow(reason: "The check used more than 1 s of processor time. Look for a loop that does not end."))
    #expect(result.output.text == "interrupted\n")
  }

  @Test func `commands get the width of the output`() throws {
    let fixture = try ExerciseFixture(["a": ""], check: [Exercise.Run(.shell("echo $COLUMNS"))])
    try fixture.update()
    var runner = fixture.runner
    runner.columns = 74

    #expect(try runner.run().output.text == "74\n")
  }

  @Test(
    arguments: [
      (Exercise.Run(.shell("sudo true")), "The check needs the administrator, so it did not run."),
      (Exercise.Run(.argv(["./nothing"])), "There is no program './nothing'."),
    ])
  func `a check that cannot run is not a failed one`(_ run: Exercise.Run, _ reason: String) throws {
    #expect(try ExerciseFixture(["a": ""], check: [run]).check().outcome == .impossible(reason: reason))
    #expect(try ExerciseFixture(["a": ""]).check().outcome == .impossible(reason: "The exercise has no check."))
  }

  @Test func `the work folder, the home folder and the temporary folder can be written, and nothing else`() throws {
    let outside = try TemporaryFolder()
    let script = """
      echo x > new && echo x > "$HOME/x" && echo x > "$TMPDIR/x" && echo x > /tmp/x && echo written
      for path in / /etc /usr \(outside.path) "$HOME/.." "$HOME/../.." "$PWD/.." "$PWD/../.."; do echo x > "$path/y"; done 2>/dev/null
      ls / \(outside.path) 2>/dev/null | grep -x y
      true
      """
    let fixture = try ExerciseFixture(["a": "file\n"], check: [Exercise.Run(.shell(script))])

    let text = try fixture.check().output.text
    #expect(text == "written\n")
    #expect(try outside.names == [])
    let written = try FileManager.default.subpathsOfDirectory(atPath: fixture.root.path).filter { $0.hasSuffix("/y") }
    #expect(written == [])
  }

  @Test func `a check has no secrets of the environment and no network, and reaches itself`() throws {
    setenv("WAYMARK_EXERCISE_SECRET", "x", 1)
    defer { unsetenv("WAYMARK_EXERCISE_SECRET") }

    let result = try result(
      """
      env | grep -c WAYMARK
      python3 - <<'END'
      import socket
      def can(family, kind, address):
        try:
          with socket.socket(family, kind) as s: s.settimeout(5); s.connect(address); return True
        except OSError: return False
      with socket.create_server(("127.0.0.1", 0)) as server: print(can(socket.AF_INET, socket.SOCK_STREAM, server.getsockname()))
      print(can(socket.AF_INET, socket.SOCK_STREAM, ("1.1.1.1", 53)))
      print(can(socket.AF_UNIX, socket.SOCK_STREAM, "/run/systemd/private"), can(socket.AF_UNIX, socket.SOCK_STREAM, "\\0/tmp/.X11-unix/X0"))
      END
      true
      """)

    guard [.full, .partial].contains(result.protection) else { return }
    #expect(result.output.text == "0\nTrue\nFalse\nFalse False\n")
  }

  /// A program that listens at a port of 127.0.0.1, and at a socket with a path like that of Wayland.
  private struct Services {
    let folder: TemporaryFolder
    let port: Int
    private let descriptors: [Int32]

    init() throws {
      let folder = try TemporaryFolder()
      self.folder = folder
      chmod(folder.path, 0o755)
      let (tcp, unix) = (
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      )
      descriptors = [tcp, unix]
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      var path = sockaddr_un()
      path.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &path.sun_path) { $0.copyBytes(from: "\(folder.path)/wayland-0".utf8) }
      let isListening = withUnsafeMutableBytes(of: &address) { tcpBytes in
        withUnsafeBytes(of: &path) { unixBytes in
          let tcpAddress = tcpBytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
          return bind(tcp, tcpAddress, size) == 0 && listen(tcp, 10) == 0
            && bind(unix, unixBytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(unixBytes.count))
              == 0
            && listen(unix, 10) == 0 && getsockname(tcp, tcpAddress, &size) == 0
        }
      }
      try #require(isListening)
      chmod(folder.file("wayland-0"), 0o777)
      port = Int(UInt16(bigEndian: address.sin_port))
    }

    func close() { for descriptor in descriptors { Foundation.close(descriptor) } }
  }

  @Test(arguments: [SandboxProtection.full, .landlock], TestUser.possible)
  func `a preparation reaches a server of this machine and resolves names, and a check does not`(
    _ strongest: SandboxProtection, _ user: TestUser
  ) throws {
    let services = try Services()
    defer { services.close() }
    let script = """
      python3 - <<'END'
      import socket
      def can(family, address):
        try:
          with socket.socket(family) as s: s.settimeout(5); s.connect(address); return True
        except OSError: return False
      print("port", can(socket.AF_INET, ("127.0.0.1", \(services.port))))
      print("Wayland", can(socket.AF_UNIX, "\(services.folder.path)/wayland-0"))
      END
      cat /etc/hosts >/dev/null 2>&1 && echo hosts
      echo done > prepared
      """
    try user.run {
      let fixture = try ExerciseFixture(
        ["a": ""], prepare: [Exercise.Run(.shell("sudo true")), Exercise.Run(.shell(script), expectation: .exit(9))],
        check: [Exercise.Run(.shell(script))])
      try fixture.update()
      var runner = fixture.runner
      runner.isUnprotectedAllowed = geteuid() == 0
      runner.strongest = strongest
      let check = try runner.run()
      runner.purpose = .prepare
      let preparation = try runner.run()

      guard check.protection == strongest else { return }
      #expect(preparation.protection == strongest)
      #expect(check.output.text == "port False\nWayland False\n")
      #expect(preparation.output.text == "port True\nWayland False\nhosts\n")
      #expect(check.outcome == .passed && preparation.outcome == .passed)
      #expect(fixture.text(of: "prepared") == "done\n")
    }
  }

  @Test func `a check reads no folder to which a link in its work folder leads`() throws {
    let secret = try TemporaryFolder()
    try secret.write(Data("secret".utf8), to: "secret")
    try secret.write(Data("#!/bin/sh\ncat \(secret.path)/secret\n".utf8), to: "run")
    chmod(secret.file("run"), 0o755)
    for strongest in [SandboxProtection.full, .landlock] {
      let fixture = try ExerciseFixture(
        ["a": ""],
        check: [Exercise.Run(.shell("ln -s \(secret.path)/run run")), Exercise.Run(.argv(["./run"]))])
      try fixture.update()
      var runner = fixture.runner
      runner.strongest = strongest

      let result = try? runner.run()

      #expect(result?.outcome != .passed)
      #expect(result?.output.text.contains("secret") != true)
    }
  }

  @Test func `while a check runs, no other program checks the exercise or writes its files`() throws {
    let fixture = try ExerciseFixture(
      ["a": "", "test:t": "old\n"], check: [Exercise.Run(.shell("echo begun; sleep 60"))])
    let changed = try ExerciseFixture(["a": "", "test:t": "new\n"], root: fixture.root)
    try fixture.update()
    let running = RunningCheck(fixture.runner)
    while running.takeOutput().isEmpty { usleep(1_000) }

    let inUse = WorkFolderError.inUse(fixture.folder.path)
    #expect(throws: inUse) { try fixture.runner.run() }
    #expect(throws: inUse) { try changed.update() }
    #expect(throws: inUse) {
      try changed.folder.startAgain(changed.exercise) { try #require(changed.contents[$0.digest]) }
    }
    #expect(throws: inUse) { try fixture.folder.restore(fixture.exercise, from: fixture.root.path) }
    try fixture.update()
    running.cancel()
    while running.result == nil { usleep(1_000) }

    #expect(try changed.update() == WorkFolder.Update())
    #expect(fixture.text(of: "t") == "new\n")
  }

  @Test func `two programs that start an exercise at the same time both succeed`() throws {
    let fixture = try ExerciseFixture(["a": "author\n", "test:t": "test\n"])
    let results = Mutex<[Result<WorkFolder.Update, any Error>]>([])

    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let result = Result { try fixture.update() }
      results.withLock { $0.append(result) }
    }

    let created = try results.withLock { try $0.flatMap { try $0.get().created } }
    #expect(created.sorted() == ["a", "t"])
  }

  @Test func `a folder that is removed during a check is an error`() throws {
    let fixture = try ExerciseFixture(
      ["a": ""], check: [Exercise.Run(.shell("echo begun; while [ -e a ]; do sleep 0.01; done"))])
    try fixture.update()
    let running = RunningCheck(fixture.runner)
    while running.takeOutput().isEmpty { usleep(1_000) }
    try FileManager.default.removeItem(atPath: fixture.folder.path)
    while running.result == nil { usleep(1_000) }

    #expect(throws: WorkFolderError.removed(fixture.folder.path)) { try running.result?.get() }
  }

  @Test func `an output of gigabytes is read in bounded memory, also if it is never taken`() throws {
    let bytes = Tier.isLong ? 5_000_000_000 : 500_000_000
    let fixture = try ExerciseFixture(
      ["a": ""], check: [Exercise.Run(.argv(["head", "-c", String(bytes), "/dev/zero"]))])
    try fixture.update()

    let running = RunningCheck(fixture.runner)
    while running.result == nil { usleep(10_000) }

    let result = try #require(try running.result?.get())
    #expect(result.outcome == .passed)
    let omitted = bytes - CheckOutput.firstBytes - CheckOutput.lastBytes
    #expect(result.output.text.contains("\n… \(omitted) bytes are left out …\n"))
    let pending = running.takeOutput()
    #expect(pending.count < 5 << 20 && String(decoding: pending, as: UTF8.self).contains(" bytes are left out …"))
    #expect(running.takeOutput() == [])
  }

  @Test func `hidden files of installed packages stay`() throws {
    let result = try result("mkdir -p node_modules/.bin; echo x > node_modules/.bin/jest; echo x > .npmrc")

    #expect(result.removedFiles == [".npmrc"])
  }

  @Test func `hidden files that a check makes are removed and named`() throws {
    let result = try result(
      "mkdir -p .vscode/x lib/.git target; echo x > .envrc; echo x > .vscode/x/y; echo x > target/.lock; ln -s /etc .link"
    )

    #expect(result.outcome == .passed)
    #expect(result.removedFiles == [".envrc", ".link", ".vscode", "lib/.git", "target/.lock"])
  }

  @Test func `hidden files of the exercise and of the learner stay`() throws {
    let fixture = try ExerciseFixture(
      [".config/a": "a\n", "b": "b\n"], check: [Exercise.Run(.shell("echo x >> .config/a; echo x > .new"))])
    try fixture.update()
    try fixture.edit(".mine", "x")

    let result = try fixture.check()

    #expect(result.removedFiles == [".new"])
    #expect(fixture.text(of: ".mine") == "x" && fixture.text(of: ".config/a") == "a\nx\n")
  }

  @Test func `all missing programs of the commands are named`() throws {
    let fixture = try ExerciseFixture(
      ["a": ""],
      check: [
        Exercise.Run(.argv(["waymark-none"])), Exercise.Run(.shell("waymark-nothing -x | cat")),
        Exercise.Run(.shell("cd . && waymark-hidden")), Exercise.Run(.argv(["waymark-none", "x"])),
      ])

    #expect(
      try fixture.check().outcome
        == .missing(
          ["waymark-none", "waymark-nothing"].map {
            MissingTool(Recipe.Tool(program: $0, package: nil, probe: nil), .notInstalled)
          }))
  }

  @Test func `without a protection, and as root, nothing runs unless that is allowed`() throws {
    let fixture = try ExerciseFixture(["a": ""], check: [Exercise.Run(.shell("echo x > ran"))])
    try fixture.update()
    var runner = fixture.runner
    runner.isUnprotectedAllowed = false
    runner.strongest = .unprotected

    #expect(try runner.run().outcome == .unprotected)
    #expect(fixture.text(of: "ran") == nil)
    runner.isUnprotectedAllowed = true
    #expect(try runner.run().outcome == .passed)
    #expect(fixture.text(of: "ran") == "x\n")
  }

  @Test func `a check is cancelled while it runs, and its output can be read before`() throws {
    let fixture = try ExerciseFixture(["a": ""], check: [Exercise.Run(.shell("echo begun; sleep 60 & sleep 60"))])
    try fixture.update()

    let running = RunningCheck(fixture.runner)
    var text = ""
    while text.isEmpty {
      text += String(decoding: running.takeOutput(), as: UTF8.self)
      usleep(1_000)
    }
    #expect(running.result == nil)
    running.cancel()
    while running.result == nil { usleep(1_000) }

    #expect(text == "begun\n")
    #expect(try running.result?.get().outcome == .cancelled)
  }

  @Test func `of a long output the beginning and the end are kept, and the rest is counted`() throws {
    let text = try result("i=0; while [ $i -lt 20000 ]; do echo \"line $i of a long output\"; i=$((i + 1)); done")
      .output.text
    let whole = (0..<20_000).map { "line \($0) of a long output\n" }.joined()
    let middle = whole.utf8.count - CheckOutput.firstBytes - CheckOutput.lastBytes

    #expect(
      text == String(decoding: whole.utf8.prefix(CheckOutput.firstBytes), as: UTF8.self)
        + "\n… \(middle) bytes are left out …\n"
        + String(decoding: whole.utf8.suffix(CheckOutput.lastBytes), as: UTF8.self))
  }

  @Test func `consent belongs to the source and the commands, and with a partial protection also to the tests`() throws
  {
    func digest(_ source: String, _ script: String, _ test: String, isComplete: Bool = true) throws -> String {
      Trust.digest(
        of: [try ExerciseFixture(["a": "", "test:t": test], check: [Exercise.Run(.shell(script))]).exercise],
        source: source,
        isComplete: isComplete)
    }
    let trusted = try digest("s", "x", "t")
    #expect(try trusted == digest("s", "x", "other"))
    #expect(try trusted != digest("s2", "x", "t"))
    #expect(try trusted != digest("s", "y", "t"))
    #expect(try digest("s", "x", "t", isComplete: false) != digest("s", "x", "other", isComplete: false))
    func preparation(_ script: String, _ test: String) throws -> String {
      Trust.digest(
        of: [try ExerciseFixture(["a": "", "test:t": test], prepare: [Exercise.Run(.shell(script))]).exercise],
        source: "s", isComplete: true, for: .prepare)
    }
    #expect(try preparation("x", "t") == preparation("x", "t"))
    #expect(try preparation("x", "t") != preparation("x", "other"))
    #expect(try preparation("x", "t") != preparation("y", "t"))

    let folder = try ExerciseFixture(["a": ""]).folder
    let trust = Trust(folder)
    #expect(try !trust.contains(trusted))
    try trust.set(trusted)
    #expect(try trust.contains(trusted))
    #expect(try !Trust(folder, for: .prepare).contains(trusted))
    try trust.set(try digest("s", "y", "t"))
    #expect(try !trust.contains(trusted))
    try trust.set(nil)
    #expect(try !trust.contains(trusted))
  }
}
