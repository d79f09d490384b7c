public import Foundation
public import LearningModel
import LearningStore

/// The current location of a learner: the place, its ancestors, and the path that the learner took.
public struct CurrentLocation: Hashable, Sendable {
  /// The current place.
  public let place: NamedPlace
  /// The places from the root to the current place.
  public let stack: [NamedPlace]
  /// The places that the learner visited in the session on the way to the current place, the oldest first. Visits from
  /// which the learner went back are omitted. At most ``longestPathTaken`` places.
  public let pathTaken: [NamedPlace]
  /// The name of the session in which the learner is at the place: the requested session or, if it has not begun, the
  /// most recent one. `nil` before the learner's first step.
  public let session: String?
  /// The place at which to resume, with the reason.
  public let resume: ResumePoint

  /// The maximum number of places in ``pathTaken``.
  public static let longestPathTaken = 100
}

extension CurrentLocation: Encodable {
  private enum Key: String, CodingKey {
    case place, stack, pathTaken, session, resume
  }

  /// Encodes `place`, the paths of `stack` and `pathTaken`, `session` and `resume`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(place, forKey: .place)
    try container.encode(stack.map(\.path), forKey: .stack)
    try container.encode(pathTaken.map(\.path), forKey: .pathTaken)
    try container.encode(session, forKey: .session)
    try container.encode(resume, forKey: .resume)
  }
}

/// The location of a learner at a time.
public struct PastLocation: Hashable, Sendable {
  /// The requested time.
  public let at: Timestamp
  /// The learner's name.
  public let learner: String
  /// The number of the session. Before the learner's first step, this and all following properties are `nil`.
  public let session: Int64?
  /// The place at which the learner was.
  public let place: NamedPlace?
  /// The places from the root to ``place``, as the stack was at that time.
  public let stack: [NamedPlace]?
  /// The step that led to the place.
  public let event: EventStamp?
  /// When the learner left the place; `nil` if it is the current place.
  public let leftAt: Timestamp?
}

extension PastLocation: Encodable {
  private enum Key: String, CodingKey {
    case at, learner, session, place, stack, event
  }

  /// Encodes `at`, `learner`, `session`, `place`, the paths of `stack`, and `event`. Missing values are encoded as
  /// `null`.
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
  /// Returns the current place. If no session is open, the place at which a new session would begin.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func currentPlace() throws(NavigationError) -> NamedPlace {
    try session.read { NamedPlace(try session.navigationState(in: $0, at: session.now()).chain) }
  }

  /// Returns the places from the root to the current place.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func currentStack() throws(NavigationError) -> [NamedPlace] {
    try session.read { NamedPlace.stack(try session.navigationState(in: $0, at: session.now()).chain) }
  }

  /// Returns the activity to continue with from a place, or from the current place if `name` is `nil`.
  ///
  /// This is ``PlacePage/nextStep``, unless that activity is done and another one is not.
  ///
  /// - Returns: The activity. If everything is done, a step with the reason ``NextStep/Reason-swift.enum/allDone``.
  ///   `nil` if there is no course, and after the last activity of a finished course.
  /// - Throws: The errors of ``CoursePlaces/page(of:with:)``.
  public func continuation(from name: PlaceName? = nil) throws(NavigationError) -> NextStep? {
    try session.read { snapshot in
      let chain =
        try name.map { try PlaceResolver(snapshot: snapshot, current: []).resolve($0, nearby: nil) }
        ?? session.navigationState(in: snapshot, at: session.now()).chain
      return try session.pages(in: snapshot).continuation(from: chain)
    }
  }

  /// Returns the place at which the learner should resume, with the reason.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func resume() throws(NavigationError) -> ResumePoint {
    try session.read { try session.pages(in: $0).resume(timeZone: session.timeZone) }
  }

  /// Returns the current location of the learner, the path taken to it, and the place to resume at.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func currentLocation() throws(NavigationError) -> CurrentLocation {
    try session.read { snapshot in
      let state = try session.navigationState(in: snapshot, at: session.now())
      let names = PlaceNames(snapshot)
      let record =
        try (state.hasBegun ? state.record : nil)
        ?? state.learner.flatMap { try snapshot.newestNavigationEvent(of: $0.id, at: session.now())?.event.session }
        .flatMap { try snapshot.session($0) }
      let visited =
        try record.map { try snapshot.visitedPath(in: $0.session, limit: CurrentLocation.longestPathTaken) } ?? []
      let stack = NamedPlace.stack(state.chain)
      return CurrentLocation(
        place: stack.last ?? .root, stack: stack, pathTaken: try visited.map { try names.name(of: $0) },
        session: record?.session.name,
        resume: try Pages(snapshot: snapshot, learner: state.learner, at: session.now()).resume(
          timeZone: session.timeZone))
    }
  }
}

extension LearnerHistory {
  /// Returns the location of a learner at a time: the destination of the last step up to that time.
  ///
  /// - Parameters:
  ///   - date: The time.
  ///   - scope: The learner. If it is ``LearnerScope/everyone``, the last step of any learner is returned.
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``.
  public func location(at date: Date, of scope: LearnerScope = .current) throws(NavigationError) -> PastLocation {
    let time = Timestamp(date: date)
    return try session.read { snapshot in
      let filter = HistoryFilter(learner: scope, until: date)
      let names = PlaceNames(snapshot)
      guard let query = try HistoryQuery(filter, learner: session.learner, in: snapshot),
        let step = try snapshot.navigationEvents(matching: query, limit: 1).first
      else {
        let name = if case .named(let name) = scope { name } else { session.learner }
        return PastLocation(
          at: time, learner: name, session: nil, place: nil, stack: nil, event: nil, leftAt: nil)
      }
      let row = try HistoryRow(step, names: names)
      return PastLocation(
        at: time, learner: row.learner, session: row.session, place: row.to, stack: row.stack,
        event: EventStamp(id: row.id, sequence: row.sequence, at: row.at), leftAt: row.leftAt)
    }
  }
}
