import TerminalHarness

extension HomeFixture {
  /// Runs the program to its end.
  func waymark(_ arguments: [String], within seconds: Double = harnessTimeout) throws -> Answer {
    let program = try start(arguments)
    program.closeInput()
    return Answer(try program.waitForExit(within: seconds), program)
  }
}
