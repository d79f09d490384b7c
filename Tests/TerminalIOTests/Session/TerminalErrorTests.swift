import Foundation
import Snapshots
import TerminalHarness
import Testing

@testable import TerminalIO

@Suite struct TerminalErrorTests {
  @Test func `errors name the action, the cause and the remedy`() {
    let errors: [TerminalError] = [
      .noTerminal,
      .cannotOpen(path: "/dev/pts/9", code: EACCES),
      .cannotConfigure(path: "/dev/pts/9", code: EIO),
      .systemRefused(call: "pipe", code: EMFILE),
      .alreadyOpen,
      .cannotRecord(path: "/none/x.cast", code: ENOENT),
      .recordingEnded(path: "x.cast", code: ENOSPC),
    ]

    expectSnapshot(errors.map(\.description))
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
