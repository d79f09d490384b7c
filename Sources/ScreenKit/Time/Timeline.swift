/// Something that lasts in a stage's time.
@MainActor protocol TimelineEntry: AnyObject {
  /// When something is to happen by itself: its end, or its moment; nil while it is held.
  var eventTime: Double? { get }
  /// When the picture changes next because of it, at or after a time; nil when it does not.
  func nextChange(from time: Double) -> Double?
  /// Called when the time has come; it takes itself out, or has a later ``eventTime``.
  func eventReached()
  /// Called when there will be no more time: its stage is gone.
  func timelineEnds()
}

/// The time of one stage: it moves only when it is told to, and then passes every event at its own moment, so that
/// what a frame shows does not depend on the frames before it.
@MainActor final class Timeline {
  private(set) var now: Double
  /// Seconds that what begins now has behind it already; see ``Stage/headStart``.
  var headStart = 0.0
  /// Whether a frame is due now, since something changed without time passing.
  var needsFrame = true
  private(set) var entries: [any TimelineEntry] = []

  init(now: Double = 0) {
    self.now = now
  }

  func add(_ entry: any TimelineEntry) {
    if !entries.contains(where: { $0 === entry }) { entries.append(entry) }
  }

  func remove(_ entry: any TimelineEntry) {
    entries.removeAll { $0 === entry }
  }

  /// Advances to a time; going back is not possible, and changes nothing.
  func advance(to time: Double) {
    while let (entry, moment) = nextEvent(), moment <= time {
      now = max(now, moment)
      entry.eventReached()
    }
    now = max(now, time)
  }

  /// When the next frame is due: now while something moves, later while something waits, nil when all is still.
  var nextChange: Double? {
    entries.compactMap { $0.nextChange(from: now) }.min()
  }

  /// Lets go of everyone.
  func end() {
    while let entry = entries.popLast() { entry.timelineEnds() }
  }

  private func nextEvent() -> (any TimelineEntry, Double)? {
    var first: (any TimelineEntry, Double)?
    for entry in entries {
      guard let time = entry.eventTime else { continue }
      if let known = first, known.1 <= time { continue }
      first = (entry, time)
    }
    return first
  }
}

/// One call at one moment.
@MainActor final class TimelineTimer: TimelineEntry {
  private(set) var eventTime: Double?
  private let timeline: Timeline
  private let action: @MainActor () -> Void

  init(at time: Double, on timeline: Timeline, _ action: @escaping @MainActor () -> Void) {
    eventTime = time
    self.timeline = timeline
    self.action = action
    timeline.add(self)
  }

  func nextChange(from time: Double) -> Double? { eventTime }

  func eventReached() {
    cancel()
    action()
  }

  func timelineEnds() {
    cancel()
  }

  func cancel() {
    eventTime = nil
    timeline.remove(self)
  }
}
