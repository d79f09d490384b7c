import CTerminal
public import TextCanvas

/// What a session tells the program that draws on it, in the order in which it happened.
public enum TerminalEvent: Hashable, Sendable {
  /// A person did something (a resize counts), at this moment of ``MonotonicClock``.
  case input(InputEvent, at: Double)
  /// The moment that was asked for with ``TerminalSession/requestFrame(at:)`` has come, and the terminal can take a
  /// frame. The moment is the one that was asked for.
  case frameDue(Double)
  /// The terminal has answered, and more is known about it.
  case capabilities(Capabilities)
  /// The program was stopped and continues (Control+Z and `fg`); nothing of what it drew is left, and a whole frame is
  /// due.
  case resumed
  /// The program shall end. It has a few seconds to put its things away and close the session; then it is ended.
  case ending(EndingSignal)
}

/// Signals that ask a program to end.
public enum EndingSignal: Int32, Hashable, Sendable {
  /// SIGHUP: the terminal is gone.
  case hangup = 1
  /// SIGINT: somebody interrupts it.
  case interrupt = 2
  /// SIGTERM: somebody asks it to end.
  case terminate = 15

  /// Ends the process by the signal that came, so that its parent process sees by what it ended. The session is closed
  /// before.
  public func endProcess() -> Never { cterminal_die_of(rawValue) }
}
