import Foundation
import TerminalHarness
import Testing

@testable import TerminalIO

@Suite struct TerminalErrorTests {
  @Test(arguments: [
    (
      TerminalError.noTerminal,
      "Could not open the screen at '/dev/tty': this process has no terminal. "
        + "Run it in a terminal."
    ),
    (
      .cannotOpen(path: "/dev/pts/9", code: EACCES),
      "Could not open the terminal at '/dev/pts/9': Permission denied. "
        + "Run it in a terminal that you have permission to use."
    ),
    (
      .cannotConfigure(path: "/dev/pts/9", code: EIO),
      "Could not change the settings of the terminal at '/dev/pts/9': Input/output error. "
        + "Run it in a terminal that is still connected."
    ),
    (
      .systemRefused(call: "pipe", code: EMFILE),
      "Could not prepare the terminal: 'pipe' failed: Too many open files. Close other programs and try again."
    ),
    (
      .alreadyOpen,
      "Could not open the screen at '/dev/tty': it is already open. Close the first screen before opening another."
    ),
    (
      .cannotRecord(path: "/none/x.cast", code: ENOENT),
      "Could not record the screen at '/none/x.cast': No such file or directory. Choose a file that you have "
        + "permission to write."
    ),
    (
      .recordingEnded(path: "x.cast", code: ENOSPC),
      "Could not finish the recording at 'x.cast': No space left on device. The file contains the earlier output. Free "
        + "some disk space and record again."
    ),
  ])
  func `errors name the action, the cause and the remedy`(error: TerminalError, message: String) {
    #expect(error.description == message)
  }

  @Test func `a path that is not a terminal is refused`() {
    #expect(throws: TerminalError.cannotConfigure(path: "/dev/null", code: ENOTTY)) {
      try TerminalDevice(path: "/dev/null")
    }
    #expect(throws: TerminalError.noTerminal) { try TerminalDevice(path: "/nothing/here") }
  }

  @Test func `a recording that cannot be written leaves the terminal unchanged`() throws {
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    let before = terminal.settings
    try terminal.launch(
      product("TerminalTestProgram"),
      environment: ["GUEST_RECORD": "/nothing/here.cast", "SWIFT_BACKTRACE": "enable=no"])

    #expect(try terminal.waitForExit() != .exited(0))
    #expect(terminal.settings == before)
    #expect(terminal.emulator.privateModes == [7, 25])
    #expect(String(decoding: terminal.output, as: UTF8.self).contains("/nothing/here.cast"))
  }
}
