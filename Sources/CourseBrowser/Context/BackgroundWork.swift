import CoursePages
import Dispatch
import Foundation

/// Runs work that takes longer than a frame outside the main actor, and delivers the result on the main actor.
///
/// Uses threads instead of tasks. After the first task on the global executor, the runtime wakes its threads once per
/// second, even if the browser is idle. A thread ends with its work.
struct BackgroundWork: Sendable {
  /// Called on the main actor after the work.
  typealias Completion = @MainActor @Sendable () -> Void
  /// Work for another thread.
  typealias Work = @Sendable () -> Completion

  private let start: @MainActor @Sendable (@escaping Work) -> Void

  /// Creates a runner that starts work with the given function.
  init(_ start: @escaping @MainActor @Sendable (@escaping Work) -> Void) {
    self.start = start
  }

  /// Runs work, then its completion on the main actor.
  @MainActor func callAsFunction(_ work: @escaping Work) { start(work) }

  /// Runs work synchronously, so that a rendered snapshot contains its result.
  static let atOnce = BackgroundWork { work in work()() }

  /// Runs each closure on its own thread. The thread starts after the response to the current event has been drawn.
  /// Starting it earlier would delay the response, because the stack must be allocated and the work competes for a
  /// processor.
  static let onThreads = BackgroundWork { work in
    onMainActor {
      let thread = Thread {
        onMainActor(work())
      }
      // Parsers of deeply nested sources need a large stack.
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  /// Schedules a closure on the main actor. May be called on any thread.
  static func onMainActor(_ completion: @escaping Completion) {
    DispatchQueue.main.async { MainActor.assumeIsolated(completion) }
  }
}
