import CoursePages
import Dispatch
import Foundation

/// Runs work that takes longer than a frame away from the main actor, and delivers its result there.
///
/// It uses threads instead of tasks: after the first task on the global executor, the runtime wakes its threads once
/// per second, so that an idle browser would never sleep. A thread ends with its work.
struct BackgroundWork: Sendable {
  /// Called on the main actor after the work.
  typealias Completion = @MainActor @Sendable () -> Void
  /// Work for another thread.
  typealias Work = @Sendable () -> Completion

  private let start: @MainActor @Sendable (@escaping Work) -> Void

  /// Creates a runner from a function that starts work.
  init(_ start: @escaping @MainActor @Sendable (@escaping Work) -> Void) {
    self.start = start
  }

  /// Runs work, then its completion on the main actor.
  @MainActor func callAsFunction(_ work: @escaping Work) { start(work) }

  /// Runs work synchronously, for rendering without waiting.
  static let atOnce = BackgroundWork { work in work()() }

  /// Runs each piece of work on its own thread. The thread starts after the response to the current event is drawn; an
  /// earlier start would delay the response by the allocation of the stack and compete for a processor.
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

  /// Schedules a function on the main actor, from any thread.
  static func onMainActor(_ completion: @escaping Completion) {
    DispatchQueue.main.async { MainActor.assumeIsolated(completion) }
  }
}
