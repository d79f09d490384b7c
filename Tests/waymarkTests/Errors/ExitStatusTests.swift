import Answers
import LearningModel
import NavigationKit
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

  @Test func `invalid arguments are usage errors, and a missing terminal is unavailable`() {
    #expect(NavigationError.unknownTime(text: "soon").kind.exitStatus == 64)
    #expect(NavigationError.unknownTimeZone(name: "Atlantis").kind.exitStatus == 64)
    #expect(ExitStatus.code(for: TerminalError.noTerminal) == 69)
    #expect(ExitStatus.code(for: TerminalError.cannotRecord(path: "x", code: 2)) == 73)
    #expect(ExitStatus.code(for: TerminalError.recordingEnded(path: "x", code: 28)) == 74)
  }

  @Test(arguments: [
    (
      TerminalError.noTerminal,
      "Could not open the screen at '/dev/tty': this process has no terminal. "
        + "Run it in a terminal, or use --linear. Commands that print, such as 'tree' or 'show', need no terminal."
    ),
    (
      .cannotOpen(path: "/dev/pts/9", code: 13),
      "Could not open the terminal at '/dev/pts/9': Permission denied. "
        + "Run it in a terminal that you have permission to use, or use --linear."
    ),
    (
      .cannotConfigure(path: "/dev/pts/9", code: 5),
      "Could not change the settings of the terminal at '/dev/pts/9': Input/output error. "
        + "Run it in a terminal that is still connected, or use --linear."
    ),
    (
      .alreadyOpen,
      "Could not open the screen at '/dev/tty': it is already open. Close the first screen before opening another."
    ),
  ])
  func `the message of a terminal error ends with a remedy`(error: TerminalError, message: String) {
    #expect(error.programMessage == message)
  }

  @Test func `the error about a missing server address names the places to set one`() {
    let failure = CommandFailure.noServer(settings: "/a/config.yml")

    #expect(failure.kind.exitStatus == 1)
    #expect(
      failure.description
        == "Could not synchronise: there is no server in the command or the settings. "
        + "Run 'waymark sync https://school.example', or add 'sync: https://school.example' to /a/config.yml.")
  }

  private static let failures: [(CommandFailure, Int32, String)] = [
    (
      CommandFailure.cannotRead(file: "a.json"), 66,
      "Could not read 'a.json': the file does not exist or is not readable. Check the path and its permissions."
    ),
    (
      CommandFailure.lineTooLong(limit: 4 << 20), 65, "Could not read a line: it is longer than 4 MiB. Shorten it."
    ),
    (
      CommandFailure.tooManyArguments(8_001), 64,
      "Could not read the command line: it has 8001 arguments, and the maximum is 1000. "
        + "Quote words that belong together, or run the command several times."
    ),
    (
      CommandFailure.unreadableLine(text: "x"), 65,
      #"Could not read 'x': the line is not a JSON object with an operation. "#
        + #"Write, for example, {"operation": "push", "place": "negotiating"}."#
    ),
    (
      .placeMissing(operation: "push"), 1,
      #"Could not perform 'push': the place is missing. Write {"operation": "push", "place": "…"}."#
    ),
    (
      .unknownOperation(name: "dance"), 1,
      "Could not perform 'dance': there is no such operation. "
        + "Use push, pop, popTo, popToRoot, select, next, previous, open, back, forward or resume."
    ),
    (
      .unknownWord("nva", commands: ["nav"], places: ["navy"], files: []), 66,
      "Could not open 'nva': there is no such command, place or file. "
        + "Did you mean the command 'waymark nav', or the place 'navy'?"
    ),
  ]

  @Test(arguments: failures)
  func `command-line errors have an exit status and a message`(failure: CommandFailure, code: Int32, message: String) {
    #expect(failure.kind.exitStatus == code)
    #expect(failure.description == message)
  }
}
