import Answers
import Foundation
import LearningModel
import NavigationKit
import Snapshots
import TerminalIO
import Testing

@testable import waymark

struct ExitStatusTests {
  @Test func `every kind of failure has its own exit status`() {
    let codes = FailureKind.allCases.map { ($0.rawValue, $0.exitStatus) }

    #expect(
      Dictionary(uniqueKeysWithValues: codes) == [
        "refused": 1, "invalidArgument": 64, "badData": 65, "notFound": 66, "unavailable": 69, "cannotCreate": 73,
        "inputOutput": 74, "tryAgain": 75, "noPermission": 77,
      ])
  }

  @Test func `the documentation lists each exit status of a failure`() throws {
    let project = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let page = try String(contentsOf: project.appending(path: "Documentation/commands.md"), encoding: .utf8)
    let table = try #require(page.components(separatedBy: "\n## Exit codes\n").last)
    let listed = Set(table.matches(of: /\n\| ([0-9]+) \|/).compactMap { Int32($0.1) })

    #expect(listed == Set(FailureKind.allCases.map(\.exitStatus) + [0]))
  }

  @Test func `invalid arguments are usage errors, and a missing terminal is unavailable`() {
    #expect(NavigationError.unknownTime(text: "soon").kind.exitStatus == 64)
    #expect(NavigationError.unknownTimeZone(name: "Atlantis").kind.exitStatus == 64)
    #expect(ExitStatus.code(for: TerminalError.noTerminal) == 69)
    #expect(ExitStatus.code(for: TerminalError.cannotRecord(path: "x", code: 2)) == 73)
    #expect(ExitStatus.code(for: TerminalError.recordingEnded(path: "x", code: 28)) == 74)
  }

  @Test func `the message of a terminal error ends with a remedy`() {
    let errors: [TerminalError] = [
      .noTerminal,
      .cannotOpen(path: "/dev/pts/9", code: 13),
      .cannotConfigure(path: "/dev/pts/9", code: 5),
      .alreadyOpen,
    ]

    expectSnapshot(errors.map(\.programMessage))
  }

  @Test func `command-line errors have an exit status and a message`() {
    let failures: [CommandFailure] = [
      .noServer(settings: "/a/config.yml"),
      .cannotRead(file: "a.json"),
      .lineTooLong(limit: 4 << 20),
      .tooManyArguments(8_001),
      .unreadableLine(text: "x"),
      .placeMissing(operation: "push"),
      .unknownOperation(name: "dance"),
      .unknownWord("nva", commands: ["nav"], places: ["navy"], files: []),
    ]

    expectSnapshot(failures.map { "\($0.kind.exitStatus): \($0)" })
  }
}
