import CourseKit
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Cancels a long import when a signal asks the program to end. A second signal ends the program at once. The next
/// import then removes the incomplete data from the database.
enum Interruption {
  /// Cancels the import when a signal arrives.
  static let cancellation = ImportCancellation()

  private static let received = Atomic<Int32>(0)

  /// The signals that ask a program to end, including the one of a closed terminal.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Installs handlers for ``signals``.
  ///
  /// Source: POSIX, `sigaction`: with `SA_RESETHAND`, the second signal has its default action.
  static func startObserving() {
    // Both values are initialised here, because a signal handler must not allocate memory.
    _ = (cancellation, received.load(ordering: .relaxed))
    for number in signals where !isIgnored(number) {
      var action = sigaction()
      let handler: @convention(c) (Int32) -> Void = { number in
        Interruption.received.store(number, ordering: .relaxed)
        Interruption.cancellation.cancel()
      }
      #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = handler
      #else
      action.__sigaction_u.__sa_handler = handler
      #endif
      // `SA_RESETHAND` is the sign bit of an `int` and is imported as an unsigned number.
      action.sa_flags = SA_RESTART | Int32(truncatingIfNeeded: SA_RESETHAND)
      sigaction(number, &action, nil)
    }
  }

  /// Restores the default actions of the signals.
  static func stopObserving() {
    for number in signals where !isIgnored(number) { signal(number, SIG_DFL) }
  }

  /// If a signal has arrived, ends the program with the same signal, so that the parent process learns the reason.
  static func leave() {
    let number = received.load(ordering: .relaxed)
    guard number != 0 else { return }
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Returns whether the program was started with the signal ignored, as shells do for background processes.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Glibc)
    let handler = action.__sigaction_handler.sa_handler
    #else
    let handler = action.__sigaction_u.__sa_handler
    #endif
    // Functions cannot be compared in Swift. `SIG_IGN` is the address 1.
    return unsafeBitCast(handler, to: Int.self) == 1
  }
}
