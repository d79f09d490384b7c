/// The clock of a ``Stage``, with the settings that depend on it: the preferred amount of motion and the handler for
/// issues.
///
/// Its time is set by the program; it reads no system clock.
@MainActor public class StageClock {
  /// The amount of motion that the user prefers. It is read when a transition starts.
  public var motion = MotionPreference.full
  /// Receives the programming errors that occur on this stage. If `nil`, ``ScreenIssue/handler`` receives them.
  public var onIssue: (@MainActor (ScreenIssue) -> Void)?
  /// The time in seconds by which an animation that answers an event is advanced when it starts. Without it, the first
  /// frame after an event would show no change. Set it to the interval between two frames. It does not apply to
  /// animations that no event started, or that continue an interrupted animation.
  public var headStart = 0.0
  /// Returns the current time for animations that start between two frames without an explicit time. If `nil`, they
  /// start at ``now``.
  public var clock: (@MainActor () -> Double)?

  let timeline = Timeline()
  var needsFrame: Bool {
    get { timeline.needsFrame }
    set { timeline.needsFrame = newValue }
  }

  /// The stage that currently handles an event or makes a frame. Animations of layers that are on no stage use its
  /// timeline.
  static var current: StageClock?

  init(now: Double) {
    timeline.advance(to: now)
  }

  /// The current time of the stage, in seconds.
  public var now: Double { timeline.now }

  /// The time at which the next frame is due, in seconds: ``now`` while something moves or has changed, later if
  /// something is scheduled, and `nil` if nothing changes without input.
  public var nextFrameTime: Double? {
    needsFrame ? now : timeline.nextChange
  }

  /// Advances the clock without making a frame. Earlier times have no effect.
  ///
  /// - Parameter time: The new time in seconds.
  public func advance(to time: Double) {
    guard time > timeline.now else { return }
    if let change = timeline.nextChange, change <= time { needsFrame = true }
    working { timeline.advance(to: time) }
  }

  /// Advances the clock and runs a block. Animations and transitions that the block starts begin at that time.
  ///
  /// - Parameters:
  ///   - time: In seconds. Earlier times count as ``now``.
  ///   - body: Starts animations and transitions.
  /// - Returns: The result of the block.
  /// - Throws: The error of the block.
  @discardableResult
  public func perform<T, Failure: Error>(at time: Double, _ body: () throws(Failure) -> T) throws(Failure) -> T {
    advance(to: time)
    return try working(body)
  }

  /// Runs a block with this stage as the current one.
  func working<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    let outer = StageClock.current
    StageClock.current = self
    defer { StageClock.current = outer }
    return try body()
  }

  /// Advances to the time of ``clock``, if it is set. Has no effect inside ``working(_:)``, for example while this
  /// stage handles an event or makes a frame.
  func catchUp() {
    if StageClock.current !== self, let clock { advance(to: clock()) }
  }
}

/// A call that is scheduled for a time of a stage.
@MainActor public final class ScheduledCall {
  private let timer: TimelineTimer

  init(_ timer: TimelineTimer) {
    self.timer = timer
  }

  /// Whether the call has neither been made nor cancelled.
  public var isPending: Bool { timer.eventTime != nil }

  /// Cancels the call. Has no effect after it was made.
  public func cancel() {
    timer.cancel()
  }
}

extension StageClock {
  /// Schedules a call. The stage needs no frame until then.
  ///
  /// - Parameters:
  ///   - seconds: The delay of the call. Negative values count as 0.
  ///   - action: The call. Animations that it starts begin at the scheduled time.
  /// - Returns: The scheduled call, which can be cancelled.
  @discardableResult
  public func schedule(after seconds: Double, _ action: @escaping @MainActor () -> Void) -> ScheduledCall {
    ScheduledCall(TimelineTimer(at: now + max(0, seconds), on: timeline, action))
  }
}
