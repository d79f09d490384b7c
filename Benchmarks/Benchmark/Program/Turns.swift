import TerminalHarness

/// Terminals with the same program and list that take turns. While one is measured, transitions on the others come to
/// rest, so several keys per second can be measured on screens at rest.
final class Turns {
  let terminals: [PseudoTerminal]
  private let guests: [Guest]
  private var number = -1

  /// Opens a list in one terminal for each environment.
  init(_ guests: [Guest], list: String) throws {
    self.guests = guests
    terminals = try guests.map { try $0.browse([list]).terminal }
    for terminal in terminals { try terminal.waitUntilQuiet(for: 0.5) }
  }

  /// Returns the next terminal after it has been without output for some seconds. The other terminals are read
  /// concurrently.
  ///
  /// - Throws: `HarnessError` if it does not come to rest.
  func next(quietFor seconds: Double) throws -> PseudoTerminal {
    number += 1
    let terminal = terminals[number % terminals.count]
    // Unread output counts as output too.
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

  /// Quits all programs.
  func leave() throws {
    for (guest, terminal) in zip(guests, terminals) { try guest.leave(terminal) }
  }
}

extension PseudoTerminal {
  /// Performs an action on the terminal, and returns the nanoseconds until the next byte.
  func time(to what: String, _ press: () -> Void) throws -> Double {
    let reads = reads.count
    let start = elapsed
    press()
    try waitUntil(what) { self.reads.count > reads }
    return (self.reads[reads].time - start) * 1e9
  }
}

extension PseudoTerminal {
  /// Reads output until a condition holds or the time is over. Returns whether the condition holds.
  func waits(_ seconds: Double, until condition: () -> Bool) -> Bool {
    (try? waitUntil("", within: seconds, condition)) != nil
  }
}
