#if os(Linux)
import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Kills `waymark exercise check` and its process group at random times. Nothing that the check started may survive, and the
/// database, the work folder and the terminal must be intact.
@Suite(.timeLimit(.minutes(30))) struct CheckKillTests {
  private static let kills = Tier.count(10, long: 200)
  private static let place = "bees/hive/count/boxes"
  private static let task = "---\ntitle: Boxes\ncheck: [sh boxes_test.sh]\n---\nCount.\n"

  /// Starts children and daemons, ignores signals, and writes to its output and its folder until it is killed.
  private static func script(_ mark: String) -> String {
    """
    trap '' HUP INT TERM
    sleep \(mark) &
    setsid sleep \(mark) &
    (setsid sh -c 'setsid sleep \(mark) & setsid sh -c "sleep \(mark) & sleep \(mark)" & exit 0' &)
    i=0
    while :; do i=$((i + 1)); echo $i; echo $i > out; done

    """
  }

  private static let withoutNamespaces = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\""

  @Test(arguments: [false, true])
  func `after a kill, nothing that a check started is left`(isWithoutNamespaces: Bool) throws {
    let home = try HomeFixture()
    let mark = "3599.\(UInt32.random(in: 1_000_000 ... .max))"
    try home.write("key: bees\ntitle: Bees\n", to: "bees/course.yml")
    try home.write("title: Hive\n", to: "bees/1-hive/goal.yml")
    try home.write("title: Count\n", to: "bees/1-hive/1-count/lesson.yml")
    try home.write(Self.task, to: "bees/1-hive/1-count/1-boxes/exercise.md")
    try home.write("echo 0\n", to: "bees/1-hive/1-count/1-boxes/boxes.sh")
    try home.write(Self.script(mark), to: "bees/1-hive/1-count/1-boxes/boxes_test.sh")
    try #require(home.waymark("import", home.path("bees")).code == 0)
    let folder = try #require(home.waymark("exercise", "path", Self.place).output.split(separator: "\n").first)
    try Data("echo mine\n".utf8).write(to: URL(filePath: folder + "/boxes.sh"))
    let check = [BuiltProgram.path, "exercise", "check", Self.place, "--trust", "--unprotected"]
    let command =
      isWithoutNamespaces ? ["/usr/bin/unshare", "-Ur", "sh", "-c", Self.withoutNamespaces, "sh"] + check : check
    if isWithoutNamespaces {
      let sandbox = try home.run(command[0], Array(command[1...5]) + [BuiltProgram.path, "exercise", "sandbox"])
      guard sandbox.output.contains("does not allow user namespaces") else {
        return print("skipped: this system does not allow to test without user namespaces")
      }
    }
    var random = SplitMix64(seed: isWithoutNamespaces ? 2 : 1)
    var running = 0

    for kill in 1...Self.kills {
      let terminal = try PseudoTerminal(columns: 80, rows: 24)
      let settings = terminal.settings
      try terminal.launch(command[0], Array(command[1...]), environment: home.environment, directory: home.folder)
      // In half of the rounds, all processes of the check run.
      if random.oneIn(2) {
        try terminal.waitUntil("the processes of the check") { ProcessList.count(withArgument: mark) == 5 }
      }
      terminal.pump(for: Double(random.below(400)) / 1000)
      if ProcessList.count(withArgument: mark) > 0 { running += 1 }
      let signal = [SIGKILL, SIGHUP, SIGINT, SIGTERM][random.below(4)]
      let process = terminal.processIdentifier

      Foundation.kill(random.oneIn(2) ? process : -process, signal)

      let what: Comment = "kill \(kill) with signal \(signal)"
      #expect(try terminal.waitForExit() == .signalled(Int(signal)), what)
      #expect(ProcessList.reaches(0, withArgument: mark), what)
      #expect(terminal.settings == settings, what)
      #expect(
        try home.waymark("database", "check") == Answer(code: 0, output: "No problems found.\n"), what)
      let names = try FileManager.default.contentsOfDirectory(atPath: String(folder)).filter { $0 != "out" }.sorted()
      #expect(names == ["boxes.sh", "boxes_test.sh"], what)
      #expect(try String(contentsOfFile: folder + "/boxes.sh", encoding: .utf8) == "echo mine\n", what)
      #expect(try String(contentsOfFile: folder + "/boxes_test.sh", encoding: .utf8) == Self.script(mark), what)
    }
    #expect(running >= Self.kills / 2)
    print("Killed \(Self.kills) checks, \(running) of them while their processes ran")
  }
}
#endif
