import CTerminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension PseudoTerminal {
  /// Lets the terminal read until the condition holds.
  ///
  /// - Throws: ``HarnessError/timedOut(waitingFor:screen:)`` with the screen, when it does not in time.
  public func waitUntil(_ what: String, within seconds: Double = harnessPatience, _ condition: () -> Bool) throws {
    let deadline = monotonicSeconds() + seconds
    while !condition() {
      let left = deadline - monotonicSeconds()
      guard left > 0 else { throw HarnessError.timedOut(waitingFor: what, screen: emulator.text) }
      pumpOnce(waiting: min(left, 0.05))
    }
  }

  /// Lets the terminal read until the screen contains the text.
  public func waitFor(_ text: String, within seconds: Double = harnessPatience) throws {
    try waitUntil("'\(text)'", within: seconds) { emulator.text.contains(text) }
  }

  /// Lets the terminal read until the program rests: for a while nothing was written, and no thread of it has run.
  ///
  /// A clock alone cannot tell a program that rests from one whose turn does not come on a busy machine. Threads that all
  /// sleep, and that nothing has woken in between, do.
  ///
  /// - Parameter quiet: Seconds for which nothing happens; longer than anything that the program waits for by itself.
  public func waitUntilQuiet(for quiet: Double = 0.15, within seconds: Double = harnessPatience) throws {
    let deadline = monotonicSeconds() + seconds
    while true {
      let (count, sleep, since) = (output.count, ProcessSleep(of: child), monotonicSeconds())
      while output.count == count, monotonicSeconds() - since < quiet { pumpOnce(waiting: quiet / 8) }
      if output.count == count, sleep.isSound, ProcessSleep(of: child) == sleep { return }
      guard monotonicSeconds() < deadline else {
        throw HarnessError.timedOut(waitingFor: "quiet", screen: emulator.text)
      }
    }
  }

  /// Lets the terminal read for so long, whatever comes.
  public func pump(for seconds: Double) {
    let deadline = monotonicSeconds() + seconds
    while monotonicSeconds() < deadline { pumpOnce(waiting: min(0.02, deadline - monotonicSeconds())) }
  }

  /// Lets the terminal read until the program has ended, and says how.
  ///
  /// - Throws: ``HarnessError/timedOut(waitingFor:screen:)`` when it runs on; it is killed then.
  public func waitForExit(within seconds: Double = harnessPatience) throws -> Ending {
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

  /// Lets the terminal read until the program has been stopped (SIGTSTP, SIGSTOP).
  public func waitUntilStopped(within seconds: Double = harnessPatience) throws {
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
