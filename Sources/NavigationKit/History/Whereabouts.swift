public import LearningModel
import LearningStore

/// Where somebody is: by the tree, and by the way they took.
public struct Whereabouts: Hashable, Sendable {
  /// The place.
  public let place: NamedPlace
  /// The places from the root to it.
  public let stack: [NamedPlace]
  /// The places of the session that led to it, the oldest first, without the visits that the learner went back from: the
  /// last ``longestPathTaken`` of them.
  public let pathTaken: [NamedPlace]
  /// Where to take up, with the reason.
  public let resume: Resume

  /// The most places of ``pathTaken``.
  public static let longestPathTaken = 100
}

extension Whereabouts: Encodable {
  private enum Key: String, CodingKey {
    case place, stack, pathTaken, resume
  }

  /// Writes `place`, the paths of `stack` and `pathTaken`, and `resume`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(place, forKey: .place)
    try container.encode(stack.map(\.path), forKey: .stack)
    try container.encode(pathTaken.map(\.path), forKey: .pathTaken)
    try container.encode(resume, forKey: .resume)
  }
}

/// Where somebody was at a moment.
public struct PastPlace: Hashable, Sendable {
  /// The moment that was asked for.
  public let at: Timestamp
  /// Who.
  public let learner: String
  /// In which session; `nil` where they had not been anywhere yet, as everything below is then.
  public let session: Int64?
  /// The place.
  public let place: NamedPlace?
  /// The places from the root to it, as the stack was then.
  public let stack: [NamedPlace]?
  /// The step that had led there.
  public let event: EventStamp?
  /// When they left it; `nil` while they are there.
  public let leftAt: Timestamp?
}

extension PastPlace: Encodable {
  private enum Key: String, CodingKey {
    case at, learner, session, place, stack, event
  }

  /// Writes `at`, `learner`, `session`, `place`, the paths of `stack`, and `event`; what is not there is null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(at, forKey: .at)
    try container.encode(learner, forKey: .learner)
    try container.encode(session, forKey: .session)
    try container.encode(place, forKey: .place)
    try container.encode(stack?.map(\.path), forKey: .stack)
    try container.encode(event, forKey: .event)
  }
}

extension NavigationService {
  /// Returns where the learner is, how they got there, and where to take up.
  public func whereabouts() throws -> Whereabouts {
    try read { snapshot in
      let situation = try Situation(of: self, in: snapshot, at: now())
      let names = PlaceNames(snapshot)
      let session =
        try (situation.hasBegun ? situation.record : nil)
        ?? situation.learner.flatMap { try snapshot.newestStep(of: $0.id, at: now())?.event.session }
        .flatMap { try snapshot.session($0) }
      let taken =
        try session.map { try snapshot.pathTaken(in: $0.session, limit: Whereabouts.longestPathTaken) } ?? []
      let stack = NamedPlace.stack(situation.chain)
      return Whereabouts(
        place: stack.last ?? .root, stack: stack, pathTaken: try taken.map { try names.name(of: $0) },
        resume: try Pages(snapshot: snapshot, learner: situation.learner).resume(timeZone: timeZone, at: now()))
    }
  }

  /// Returns where somebody was at a moment: the last place that they had come to by then.
  ///
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``.
  public func place(at moment: Timestamp, of scope: LearnerScope = .own) throws -> PastPlace {
    try read { snapshot in
      let filter = HistoryFilter(learner: scope, until: moment)
      let names = PlaceNames(snapshot)
      guard let query = try HistoryQuery(filter, learner: learner, in: snapshot),
        let step = try snapshot.steps(matching: query, limit: 1).first
      else {
        let name = if case .named(let name) = scope { name } else { learner }
        return PastPlace(
          at: moment, learner: name, session: nil, place: nil, stack: nil, event: nil, leftAt: nil)
      }
      let row = try HistoryRow(step, names: names)
      return PastPlace(
        at: moment, learner: row.learner, session: row.session, place: row.to, stack: row.stack,
        event: EventStamp(id: row.id, sequence: row.sequence, at: row.at), leftAt: row.leftAt)
    }
  }
}
