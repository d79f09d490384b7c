/// A call that waits for its moment in a stage's time.
@MainActor public final class ScheduledCall {
  private let timer: TimelineTimer

  init(_ timer: TimelineTimer) {
    self.timer = timer
  }

  /// Whether its moment is still to come.
  public var isWaiting: Bool { timer.eventTime != nil }

  /// Takes it back; nothing happens where its moment has passed.
  public func cancel() {
    timer.cancel()
  }
}

extension StageClock {
  /// Calls something once, when so much of the stage's time has passed. Until then no frame is due because of it.
  ///
  /// - Parameters:
  ///   - seconds: From now; less than 0 counts as 0.
  ///   - action: What to do; what it animates begins at that moment.
  /// - Returns: What takes the call back.
  @discardableResult
  public func schedule(after seconds: Double, _ action: @escaping @MainActor () -> Void) -> ScheduledCall {
    ScheduledCall(TimelineTimer(at: now + max(0, seconds), on: timeline, action))
  }
}
