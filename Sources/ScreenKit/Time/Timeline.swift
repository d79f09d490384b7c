/// An object with events on a stage's timeline.
@MainActor protocol TimelineEntry: AnyObject {
  /// The time of the next event, such as the end of an animation. `nil` while the entry is paused.
  var eventTime: Double? { get }
  /// Returns the time of the next visible change at or after a time, or `nil` if there is none.
  func nextChange(from time: Double) -> Double?
  /// Called at ``eventTime``. The entry removes itself from the timeline or sets a later ``eventTime``.
  func eventReached()
  /// Called when the stage is deallocated: the timeline will not advance any more.
  func timelineEnds()
}

/// The timeline of a stage. It advances only on request, and then calls each event at exactly its time. The
/// content of a frame therefore does not depend on the frames before it.
@MainActor final class Timeline {
  private(set) var now: Double
  /// Seconds by which new animations are advanced when they start. See ``StageClock/headStart``.
  var headStart = 0.0
  /// Whether a frame is due now, because something changed without time passing.
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

  /// Advances to a time and calls the events until then. Earlier times have no effect.
  func advance(to time: Double) {
    while let (entry, eventTime) = nextEvent(), eventTime <= time {
      now = max(now, eventTime)
      entry.eventReached()
    }
    now = max(now, time)
  }

  /// The time at which the next frame is due: ``now`` while something moves, later if something is scheduled, `nil` if
  /// nothing changes.
  var nextChange: Double? {
    entries.compactMap { $0.nextChange(from: now) }.min()
  }

  /// Removes all entries and notifies them.
  func end() {
    while let entry = entries.popLast() { entry.timelineEnds() }
  }

  private func nextEvent() -> (any TimelineEntry, Double)? {
    var first: (any TimelineEntry, Double)?
    for entry in entries {
      guard let time = entry.eventTime else { continue }
      if let first, first.1 <= time { continue }
      first = (entry, time)
    }
    return first
  }
}

/// A single call at a time of the timeline.
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
