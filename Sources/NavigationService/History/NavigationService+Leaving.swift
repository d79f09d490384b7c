import LearningModel
import LearningStore

/// How an activity was left.
public struct LeavingRow: Hashable, Encodable, Sendable {
  /// The activity.
  public let place: NamedPlace
  /// How often it was left.
  public var left = 0
  /// How often it was done by then.
  public var done = 0
  /// How often it was not, and the learner went up: by pop, to a place on the stack, or to the list of courses.
  public var popped = 0
  /// How often it was not, and the learner went elsewhere, or the session was over.
  public var abandoned = 0

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
  /// Every visit that has ended counts, but for those that a repair began or ended: nobody left there.
  ///
  /// - Parameter filter: Of which steps; `under` names the lesson.
  /// - Throws: ``NavigationError`` where a place, learner or session of the filter does not exist.
  public func leaving(_ filter: HistoryFilter = HistoryFilter()) throws -> [LeavingRow] {
    try read { snapshot in
      guard var query = try HistoryQuery(filter, learner: learner, in: snapshot) else { return [] }
      query.kind = .activity
      var visits: [(step: LoggedStep, leftAt: Timestamp)] = []
      try snapshot.forEachStep(matching: query) { step in
        if let leftAt = step.event.leftAt, step.event.operation != .repair { visits.append((step, leftAt)) }
        return true
      }
      visits.sort { ($0.leftAt, $0.step.event.id) < ($1.leftAt, $1.step.event.id) }

      var acts = try snapshot.activityEvents(
        of: query.learner, under: query.under.last, kinds: ActivityEventKind.allCases, limit: nil)[...]
      var done = DoneActivities()
      var rows: [NodeID: LeavingRow] = [:]
      let names = PlaceNames(snapshot)
      for (visit, leftAt) in visits {
        guard let node = visit.event.to.node else { continue }
        // The newest act stands first.
        while let act = acts.last, act.at <= leftAt {
          done.note(act)
          acts.removeLast()
        }
        let next = try snapshot.operation(after: visit)
        guard next != .repair else { continue }
        var row = try rows[node] ?? LeavingRow(place: names.name(of: .node(node)))
        row.left += 1
        if done.isDone(node, by: visit.event.learner) {
          row.done += 1
        } else if let next, [.pop, .popTo, .popToRoot].contains(next) {
          row.popped += 1
        } else {
          row.abandoned += 1
        }
        rows[node] = row
      }
      return rows.values.sorted {
        ($1.abandoned, $1.popped, $0.place.path.description) < ($0.abandoned, $0.popped, $1.place.path.description)
      }
    }
  }
}
