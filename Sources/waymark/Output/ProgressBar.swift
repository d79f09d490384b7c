import Synchronization
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A progress line on standard error. Nothing is drawn if standard error is not a terminal, or is a dumb terminal.
final class ProgressBar: Sendable {
  private struct State {
    var shownLength = 0
    var next = ContinuousClock.now + .milliseconds(200)
  }
  private let state = Mutex(State())
  private let isVisible: Bool

  /// Creates a progress line that becomes visible after 200 ms.
  init() {
    isVisible = StandardError.isTerminal && !ProgramEnvironment.current.isDumb
  }

  /// Shows the progress. The bar is redrawn at most every 50 ms.
  ///
  /// - Parameter total: The total amount, or `nil` if unknown.
  func show(_ label: String, done: Int, of total: Int?) {
    guard isVisible else { return }
    state.withLock { state in
      guard ContinuousClock.now >= state.next else { return }
      state.next = .now + .milliseconds(50)
      let line = Self.line(label.harmless, done: done, of: total).truncated(to: StandardError.width - 1)
      StandardError.write("\r" + line + String(repeating: " ", count: max(0, state.shownLength - line.displayWidth)))
      state.shownLength = line.displayWidth
    }
  }

  /// Clears the line.
  func clear() {
    state.withLock { state in
      guard state.shownLength > 0 else { return }
      StandardError.write("\r" + String(repeating: " ", count: state.shownLength) + "\r")
      state.shownLength = 0
    }
  }

  /// Returns `Reading  ━━━━━━────  1234 of 2000`, or `Reading  1234` if the total is unknown.
  static func line(_ label: String, done: Int, of total: Int?) -> String {
    guard let total, total > 0 else { return "\(label)  \(done)" }
    let width = 24
    let filled = min(width, done * width / total)
    let bar = String(repeating: "━", count: filled) + String(repeating: "─", count: width - filled)
    return "\(label)  \(bar)  \(min(done, total)) of \(total)"
  }
}
