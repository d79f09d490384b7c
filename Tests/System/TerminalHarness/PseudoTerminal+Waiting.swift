import CTerminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension PseudoTerminal {
  /// Processes output until a condition is true.
  ///
  /// - Throws: ``HarnessError/timedOut(waitingFor:screen:)`` with the screen if the condition is not true in time.
  public func waitUntil(_ what: String, within seconds: Double = harnessTimeout, _ condition: () -> Bool) throws {
    let deadline = monotonicSeconds() + seconds
    while !condition() {
      let remaining = deadline - monotonicSeconds()
      guard remaining > 0 else { throw HarnessError.timedOut(waitingFor: what, screen: emulator.text) }
      pumpOnce(waiting: min(remaining, 0.05))
    }
  }

  /// Processes output until the screen contains a text.
  public func waitFor(_ text: String, within seconds: Double = harnessTimeout) throws {
    try waitUntil("'\(text)'", within: seconds) { emulator.text.contains(text) }
  }

  /// Processes output until the program is idle: for a while, it has written nothing and none of its threads has run.
  ///
  /// Time alone cannot distinguish an idle program from one that waits for a processor on a busy machine. The states
  /// and switch counts of its threads can.
  ///
  /// - Parameter quiet: The idle time in seconds. It must be longer than any timeout of the program itself.
  public func waitUntilQuiet(for quiet: Double = 0.15, within seconds: Double = harnessTimeout) throws {
    let deadline = monotonicSeconds() + seconds
    while true {
      let (count, sleep, since) = (output.count, ProcessActivity(of: child), monotonicSeconds())
      while output.count == count, monotonicSeconds() - since < quiet { pumpOnce(waiting: quiet / 8) }
      if output.count == count, sleep.isSound, ProcessActivity(of: child) == sleep { return }
      guard monotonicSeconds() < deadline else {
        throw HarnessError.timedOut(waitingFor: "quiet", screen: emulator.text)
      }
    }
  }

  /// Processes output for a number of seconds.
  public func pump(for seconds: Double) {
    let deadline = monotonicSeconds() + seconds
    while monotonicSeconds() < deadline { pumpOnce(waiting: min(0.02, deadline - monotonicSeconds())) }
  }

  /// Processes output until the program has ended, and returns how it ended.
  ///
  /// - Throws: ``HarnessError/timedOut(waitingFor:screen:)`` if the program does not end in time. It is killed then.
  public func waitForExit(within seconds: Double = harnessTimeout) throws -> Ending {
    let deadline = monotonicSeconds() + seconds
    while true {
      if let ended { return ended }
      guard monotonicSeconds() < deadline else {
        kill(child, SIGKILL)
        throw HarnessError.timedOut(waitingFor: "the end of the program", screen: emulator.text)
      }
      pumpOnce(waiting: 0.01)
      reap()
      if ended != nil { drain() }
    }
  }

  /// How the program ended, or `nil` while it runs. Does not wait.
  public var ending: Ending? {
    reap()
    return ended
  }

  /// Processes output until the program is stopped by SIGTSTP or SIGSTOP.
  public func waitUntilStopped(within seconds: Double = harnessTimeout) throws {
    let deadline = monotonicSeconds() + seconds
    while true {
      var status: Int32 = 0
      if waitpid(child, &status, WNOHANG | WUNTRACED) == child {
        if cterminal_stopping_signal(status) != 0 { break }
        ended = Ending(status: status)
        throw HarnessError.ended(ended!, screen: emulator.text)
      }
      guard monotonicSeconds() < deadline else {
        throw HarnessError.timedOut(waitingFor: "the program to stop", screen: emulator.text)
      }
      pumpOnce(waiting: 0.01)
    }
    drain()
  }

  func reap() {
    guard ended == nil, child > 0 else { return }
    var status: Int32 = 0
    if waitpid(child, &status, WNOHANG) == child { ended = Ending(status: status) }
  }
}
