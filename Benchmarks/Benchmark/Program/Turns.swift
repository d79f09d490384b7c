import TerminalHarness

/// Terminals with the same program and list, used by turns: while one is looked at, what moves on the others comes to
/// rest. So a second brings several presses, and each still meets a screen on which nothing moves.
final class Turns {
  /// The terminals.
  let terminals: [PseudoTerminal]
  private let guests: [Guest]
  private var number = -1

  /// Opens a list under one terminal for each guest.
  init(_ guests: [Guest], list: String) throws {
    self.guests = guests
    terminals = try guests.map { try $0.browse([list]).terminal }
    for terminal in terminals { try terminal.waitUntilQuiet(for: 0.5) }
  }

  /// The terminal whose turn it is, when it has been quiet for so many seconds; the others are read meanwhile.
  ///
  /// - Throws: `HarnessError` where it never is.
  func next(quietFor seconds: Double) throws -> PseudoTerminal {
    number += 1
    let terminal = terminals[number % terminals.count]
    // What was written and is not read yet is not quiet either.
    for terminal in terminals { terminal.pump(for: 0.0005) }
    let deadline = terminal.elapsed + 10
    while terminal.elapsed - (terminal.reads.last?.time ?? 0) < seconds {
      guard terminal.elapsed < deadline else {
        throw HarnessError.timedOut(waitingFor: "quiet", screen: terminal.emulator.text)
      }
      for terminal in terminals { terminal.pump(for: 0.002) }
    }
    return terminal
  }

  /// Leaves all of them.
  func leave() throws {
    for (guest, terminal) in zip(guests, terminals) { try guest.leave(terminal) }
  }
}

extension PseudoTerminal {
  /// Does something to the terminal, and returns after how many nanoseconds the first byte came that follows it.
  func time(to what: String, _ press: () -> Void) throws -> Double {
    let reads = reads.count
    let start = elapsed
    press()
    try waitUntil(what) { self.reads.count > reads }
    return (self.reads[reads].time - start) * 1e9
  }
}

extension PseudoTerminal {
  /// Lets the terminal read until the condition holds, for so long at most; says whether it does.
  func waits(_ seconds: Double, until condition: () -> Bool) -> Bool {
    (try? waitUntil("", within: seconds, condition)) != nil
  }
}
