import CourseKit
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Lets a long import stop in order when somebody wants the program to end, by Control and C or otherwise. Whoever asks
/// a second time is obeyed at once; what is left then is cleared away by the next import.
enum Interruption {
  /// What stops the import.
  static let cancellation = ImportCancellation()

  private static let received = Atomic<Int32>(0)

  /// The signals by which people and other programs end a program, and that of a closed terminal.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Begins to listen to ``signals``.
  ///
  /// Source: POSIX, `sigaction`: with `SA_RESETHAND` the default action is back when the signal comes a second time.
  static func watch() {
    // Made now, since a handler must not make anything.
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
      // The sign bit of an `int`, imported as an unsigned number.
      action.sa_flags = SA_RESTART | Int32(truncatingIfNeeded: SA_RESETHAND)
      sigaction(number, &action, nil)
    }
  }

  /// Restores the default actions of the signals.
  static func unwatch() {
    for number in signals where !isIgnored(number) { signal(number, SIG_DFL) }
  }

  /// Ends the program by the signal that came, so that its parent sees by what it ended; nothing where none came.
  static func leave() {
    let number = received.load(ordering: .relaxed)
    guard number != 0 else { return }
    signal(number, SIG_DFL)
    raise(number)
  }

  /// Whether the program was started so that the signal does not concern it, as shells do in the background.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Glibc)
    let handler = action.__sigaction_handler.sa_handler
    #else
    let handler = action.__sigaction_u.__sa_handler
    #endif
    // Functions cannot be compared; this one is the number 1.
    return unsafeBitCast(handler, to: Int.self) == 1
  }
}
