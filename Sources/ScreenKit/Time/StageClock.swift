/// The time of a ``Stage``, with what goes by it: how much may move, and who hears of what was done wrong.
///
/// It is told the time, and reads no clock.
@MainActor public class StageClock {
  /// How much may move; asked when a transition begins.
  public var motion = MotionPreference.full
  /// Hears what was done wrong on this stage.
  public var onIssue: (@MainActor (ScreenIssue) -> Void)?
  /// Seconds that a motion which answers an event has behind it at once, so that the first frame after the event shows it
  /// move: at its very beginning everything still looks as before. The frame loop sets it to the time from one to
  /// the next; what no event began, or what carries another motion on, begins at its beginning all the same.
  public var headStart = 0.0
  /// Gives the time of what begins between two frames without being given one. Without it, that begins at ``now``.
  public var clock: (@MainActor () -> Double)?

  let timeline = Timeline()
  var needsFrame: Bool {
    get { timeline.needsFrame }
    set { timeline.needsFrame = newValue }
  }

  /// The stage that works now: what is animated on no stage belongs to it.
  static var current: StageClock?

  init(now: Double) {
    timeline.advance(to: now)
  }

  /// The time it was last told, in seconds.
  public var now: Double { timeline.now }

  /// When the next frame is due, in seconds: at ``now`` while something moves or has changed, later where something
  /// waits, nil when nothing will happen without input.
  public var nextFrameTime: Double? {
    needsFrame ? now : timeline.nextChange
  }

  /// Advances to a time without making a frame; a time in the past counts as now.
  public func advance(to time: Double) {
    guard time > timeline.now else { return }
    if let change = timeline.nextChange, change <= time { needsFrame = true }
    working { timeline.advance(to: time) }
  }

  /// Advances to a time and runs a block; animations and transitions that it starts begin at that time.
  ///
  /// - Parameters:
  ///   - time: In seconds; a time in the past counts as ``now``.
  ///   - body: Starts animations and transitions.
  /// - Returns: The result of the block.
  /// - Throws: The error of the block.
  @discardableResult
  public func perform<T, Failure: Error>(at time: Double, _ body: () throws(Failure) -> T) throws(Failure) -> T {
    advance(to: time)
    return try working(body)
  }

  /// Runs a block as this stage's work.
  func working<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    let outer = StageClock.current
    StageClock.current = self
    defer { StageClock.current = outer }
    return try body()
  }

  /// Brings the time up to the clock's, where there is one.
  func catchUp() {
    if StageClock.current !== self, let clock { advance(to: clock()) }
  }
}

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
