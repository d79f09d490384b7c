import CoursePages
import Dispatch
import Foundation

/// Does what takes longer than a frame beside the main actor, and brings back what comes of it.
///
/// Not with tasks: the first one that runs elsewhere makes the runtime look after its threads once a second from then on,
/// and a browser that nobody touches would never sleep again. A thread of its own is gone when its work is done.
struct BackgroundWork: Sendable {
  /// What is done when the work is done.
  typealias Completion = @MainActor @Sendable () -> Void
  /// What takes long.
  typealias Work = @Sendable () -> Completion

  private let start: @MainActor @Sendable (@escaping Work) -> Void

  /// Makes a way of working.
  init(_ start: @escaping @MainActor @Sendable (@escaping Work) -> Void) {
    self.start = start
  }

  /// Does some work, and then on the main actor what it returns.
  @MainActor func callAsFunction(_ work: @escaping Work) { start(work) }

  /// At once, before it returns: for what is drawn without a wait.
  static let atOnce = BackgroundWork { work in work()() }

  /// Each on a thread of its own, which begins when what is being answered has been drawn: a thread that begins before
  /// competes with the answer for a processor, and its room is made while the answer waits.
  static let onThreads = BackgroundWork { work in
    onMainActor {
      let thread = Thread {
        onMainActor(work())
      }
      // Readers of deeply nested sources need room.
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  /// Does something on the main actor, soon, from any thread.
  static func onMainActor(_ completion: @escaping Completion) {
    DispatchQueue.main.async { MainActor.assumeIsolated(completion) }
  }
}
