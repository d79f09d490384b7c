import TerminalHarness
import Testing

struct PipedProgramTests {
  private let environment = ["PATH": "/usr/bin:/bin"]

  @Test func `a program answers line by line and its exit code is returned`() throws {
    let program = try PipedProgram(
      "/bin/sh", ["-c", "read word; echo got $word; echo oops >&2; exit 3"], environment: environment)

    try program.write("hello\n")
    let line = try program.readLine()
    let ending = try program.waitForExit()

    #expect(line == "got hello")
    #expect(String(decoding: program.errors, as: UTF8.self) == "oops\n")
    #expect(ending == .exited(3))
  }

  @Test func `waiting for a program that does not end kills it and throws an error`() throws {
    let program = try PipedProgram("/bin/sleep", ["60"], environment: environment)

    #expect(throws: HarnessError.self) { try program.waitForExit(within: 0.2) }
  }

  @Test func `the signal that ended a program is returned`() throws {
    let program = try PipedProgram("/bin/sleep", ["60"], environment: environment)

    program.signal(9)

    #expect(try program.waitForExit() == .signalled(9))
  }
}
