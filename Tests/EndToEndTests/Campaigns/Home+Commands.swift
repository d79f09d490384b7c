import TerminalHarness

extension Home {
  /// Runs the program to its end.
  func waymark(_ arguments: [String], within seconds: Double = harnessPatience) throws -> Answer {
    let program = try start(arguments)
    program.closeInput()
    return Answer(try program.waitForExit(within: seconds), program)
  }
}
