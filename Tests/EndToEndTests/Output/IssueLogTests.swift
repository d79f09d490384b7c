import Foundation
import LearningModel
import ScreenKit
import TestSupport
import Testing

@testable import waymark

/// The log of program faults, which users attach to bug reports.
struct IssueLogTests {
  private let time = Timestamp(milliseconds: 1_763_632_800_000)

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func `each line contains the time, the version and the message`() throws {
    let folder = try TemporaryFolder()
    let log = IssueLog(path: folder.file("state/waymark/issues.log"))

    log.write("Could not\u{1B}[2J do it.", at: time)
    log.write("Nor that.", at: time)

    #expect(
      try String(contentsOfFile: log.path, encoding: .utf8).split(separator: "\n").map { $0.contains("\u{1B}") } == [
        false, false,
      ])
    #expect(
      try String(contentsOfFile: log.path, encoding: .utf8).hasSuffix(
        "\n2025-11-20T10:00:00.000Z waymark 0.1.0: Nor that.\n"))
    #expect(log.count == 2)
    #expect(try permissions(log.path) == 0o600)
    #expect(try permissions(folder.file("state/waymark")) == 0o700)
  }

  @Test func `the log never exceeds its limit and keeps the newest lines`() throws {
    let folder = try TemporaryFolder()
    let log = IssueLog(path: folder.file("issues.log"))
    var largest = 0

    for number in 1...2000 {
      log.write("Fault \(number) " + String(repeating: "x", count: 100), at: time)
      if number % 100 == 0 {
        largest = max(largest, try Data(contentsOf: URL(filePath: log.path)).count)
      }
    }
    log.write(String(repeating: "y", count: 1_000_000), at: time)

    let text = try String(contentsOfFile: log.path, encoding: .utf8)
    #expect(largest <= IssueLog.limit)
    #expect(text.utf8.count <= IssueLog.limit)
    #expect(text.contains("Fault 2000 ") && !text.contains("Fault 1 "))
    #expect(text.hasPrefix("2025-11-20T10:00:00.000Z waymark"))
  }

  @Test func `an existing log becomes private, and a symbolic link is not followed`() throws {
    let folder = try TemporaryFolder()
    let (open, other, link) = (folder.file("open.log"), folder.file("other"), folder.file("link.log"))
    for path in [open, other] { try "old\n".write(toFile: path, atomically: false, encoding: .utf8) }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: other)

    IssueLog(path: open).write("x", at: time)
    IssueLog(path: link).write("x", at: time)

    #expect(try permissions(open) == 0o600)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "old\n")
  }

  @Test func `a fault of the screens is logged and stops a debug build`() async throws {
    let home = try HomeFixture.withBundledCourse()

    await #expect(processExitsWith: .failure) { [folder = home.folder.path as String] in
      unsetenv("XDG_STATE_HOME")
      setenv("HOME", folder, 1)
      await Waymark.run(["database", "path"])
      await MainActor.run { TabScreen([Screen(), Screen()]).selectedIndex = 9 }
    }
    let check = try home.waymark("database", "check")

    #expect(
      try String(contentsOfFile: home.path(".local/state/waymark/issues.log"), encoding: .utf8).normalized() == """
        TIME waymark 0.1.0: Could not select the screen with the index 9 in 'TabScreen': it has 2 screens. The first index is 0.

        """)
    expectAnswer(
      check.steadied(home), code: 0,
      output: """
        No problems found.
        The browser logged 1 internal error in HOME/.local/state/waymark/issues.log. \
        Send this file with a bug report, then delete it.

        """)
  }
}
