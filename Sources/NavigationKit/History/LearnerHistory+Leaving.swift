import LearningModel
import LearningStore

/// How learners left an activity. Counts the visits that have ended.
public struct LeavingRow: Hashable, Encodable, Sendable {
  /// The activity that the learners left.
  public let place: NamedPlace
  /// The number of visits.
  public let left: Int
  /// The number of visits at whose end the activity was done.
  public let done: Int
  /// The number of visits at whose end the activity was not done, and after which the learner went up: to the parent,
  /// to another place on the stack, or to the list of courses.
  public let popped: Int
  /// The number of visits at whose end the activity was not done, and after which the learner went to any other place
  /// or the session ended.
  public let abandoned: Int

  private enum Key: String, CodingKey {
    case left, done, popped, abandoned
  }

  /// Encodes `path`, `kind`, `title`, `left`, `done`, `popped` and `abandoned`.
  public func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(left, forKey: .left)
    try container.encode(done, forKey: .done)
    try container.encode(popped, forKey: .popped)
    try container.encode(abandoned, forKey: .abandoned)
  }
}

extension LearnerHistory {
  /// Returns how learners left the activities of a lesson or of another place, the most often abandoned activity first.
  ///
  /// Every visit that has ended counts, except visits that a repair began or ended, because no learner caused these.
  /// The required memory does not depend on the number of visits.
  ///
  /// - Parameter filter: The criteria that the visits must match. Set `under` to the lesson; `kind` is ignored.
  /// - Throws: ``NavigationError`` if a place, learner or session of the filter does not exist.
  public func leaving(_ filter: HistoryFilter = HistoryFilter()) throws(NavigationError) -> [LeavingRow] {
    try session.read { snapshot in
      var filter = filter
      filter.kind = .activity
      guard let query = try HistoryQuery(filter, learner: session.learner, in: snapshot) else { return [] }
      var times = DoneTimes()
      for id in try snapshot.activityEventIDs(of: query.learner, under: query.subtree) {
        if let event = try snapshot.activityEvent(id) { times.add(event) }
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

  mutating func add(_ visit: EndedVisit, isDone: Bool) {
    if isDone {
      done += 1
    } else if let next = visit.next, [.pop, .popTo, .popToRoot].contains(next) {
      popped += 1
    } else {
      abandoned += 1
    }
  }
}

/// The times at which activities became done or stopped being done.
private struct DoneTimes {
  private var changes: [DoneActivities.Key: [(at: Timestamp, isDone: Bool)]] = [:]
  private var done = DoneActivities()

  /// Adds the next event in the order that the events have in all databases.
  mutating func add(_ event: ActivityEvent) {
    let wasDone = done.isDone(event.node, by: event.learner)
    done.add(event)
    let isDone = done.isDone(event.node, by: event.learner)
    if isDone != wasDone {
      changes[DoneActivities.Key(learner: event.learner, node: event.node), default: []].append((event.at, isDone))
    }
  }

  /// Returns whether an activity was done by a learner at a time.
  func isDone(_ node: NodeID, by learner: LearnerID, at time: Timestamp) -> Bool {
    changes[DoneActivities.Key(learner: learner, node: node)]?.last { $0.at <= time }?.isDone ?? false
  }
}
