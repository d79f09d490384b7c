import LearningModel
import LearningStore

/// How an activity was left.
public struct LeavingRow: Hashable, Encodable, Sendable {
  /// The activity.
  public let place: NamedPlace
  /// How often it was left.
  public let left: Int
  /// How often it was done by then.
  public let done: Int
  /// How often it was not, and the learner went up: by pop, to a place on the stack, or to the list of courses.
  public let popped: Int
  /// How often it was not, and the learner went elsewhere, or the session was over.
  public let abandoned: Int

  private enum Key: String, CodingKey {
    case left, done, popped, abandoned
  }

  /// Writes `path`, `kind`, `title`, `left`, `done`, `popped` and `abandoned`.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(left, forKey: .left)
    try container.encode(done, forKey: .done)
    try container.encode(popped, forKey: .popped)
    try container.encode(abandoned, forKey: .abandoned)
  }
}

extension NavigationService {
  /// Returns how the activities of a lesson, or of any place, were left: those that were abandoned most often first.
  ///
  /// Every visit that has ended counts, except those that a repair began or ended: no learner left there. Memory does not
  /// grow with the number of visits.
  ///
  /// - Parameter filter: Of which steps; `under` names the lesson.
  /// - Throws: ``NavigationError`` if a place, learner or session of the filter does not exist.
  public func leaving(_ filter: HistoryFilter = HistoryFilter()) throws(NavigationError) -> [LeavingRow] {
    try read { snapshot in
      var filter = filter
      filter.kind = .activity
      guard let query = try HistoryQuery(filter, learner: learner, in: snapshot) else { return [] }
      var times = DoneTimes()
      for id in try snapshot.activityEventIDs(of: query.learner, under: query.subtree) {
        if let event = try snapshot.activityEvent(id) { times.note(event) }
      }
      var counts: [NodeID: LeavingCounts] = [:]
      try snapshot.forEachLeaving(matching: query) { visit in
        guard visit.operation != .repair, visit.next != .repair else { return }
        counts[visit.node, default: LeavingCounts()].add(
          visit, isDone: times.isDone(visit.node, by: visit.learner, at: visit.leftAt))
      }
      let names = PlaceNames(snapshot)
      let rows = try counts.map { node, counts in
        LeavingRow(
          place: try names.name(of: .node(node)), left: counts.done + counts.popped + counts.abandoned,
          done: counts.done, popped: counts.popped, abandoned: counts.abandoned)
      }
      return rows.sorted {
        ($1.abandoned, $1.popped, $0.place.path.description) < ($0.abandoned, $0.popped, $1.place.path.description)
      }
    }
  }
}

private struct LeavingCounts {
  var (done, popped, abandoned) = (0, 0, 0)

  mutating func add(_ visit: Leaving, isDone: Bool) {
    if isDone {
      done += 1
    } else if let next = visit.next, [.pop, .popTo, .popToRoot].contains(next) {
      popped += 1
    } else {
      abandoned += 1
    }
  }
}

/// When activities became done, and when they no longer were.
private struct DoneTimes {
  private var changes: [DoneActivities.Key: [(at: Timestamp, isDone: Bool)]] = [:]
  private var done = DoneActivities()
  /// The latest time so far: a clock that was put back does not reorder the log.
  private var latest = Timestamp(milliseconds: .min)

  /// Adds the next event of the log.
  mutating func note(_ event: ActivityEvent) {
    latest = max(latest, event.at)
    let wasDone = done.isDone(event.node, by: event.learner)
    done.note(event)
    let isDone = done.isDone(event.node, by: event.learner)
    if isDone != wasDone {
      changes[DoneActivities.Key(learner: event.learner, node: event.node), default: []].append((latest, isDone))
    }
  }

  /// Whether a learner had done an activity at a moment.
  func isDone(_ node: NodeID, by learner: LearnerID, at moment: Timestamp) -> Bool {
    changes[DoneActivities.Key(learner: learner, node: node)]?.last { $0.at <= moment }?.isDone ?? false
  }
}
