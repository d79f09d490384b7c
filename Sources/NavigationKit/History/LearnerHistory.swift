public import LearningModel
import LearningStore

/// The history of a learner, and of other learners of the database: steps, sessions and statistics.
public struct LearnerHistory: Sendable {
  let session: LearnerSession

  /// Returns how long the learner was present in a session. Considers the last 10,000 visits that have ended.
  ///
  /// - Parameter number: The number of the session, as in ``HistoryRow/session``.
  /// - Returns: The time, and whether all visits of the session were considered.
  package func activeTime(inSession number: Int64) throws(NavigationError) -> (time: Duration, isComplete: Bool) {
    let (milliseconds, isComplete) = try session.readLatest {
      try $0.activeMilliseconds(of: SessionID(rawValue: number), limit: 10_000)
    }
    return (.milliseconds(milliseconds), isComplete)
  }

  /// Returns a page of the history, the newest step first.
  ///
  /// - Parameters:
  ///   - filter: The criteria that the steps must match.
  ///   - limit: The maximum number of steps, or `nil` for all.
  ///   - cursor: The end of the previous page.
  /// - Throws: ``NavigationError`` if a place, learner or session of the filter does not exist.
  public func page(
    _ filter: HistoryFilter = HistoryFilter(), limit: Int? = nil, after cursor: HistoryCursor? = nil
  ) throws(NavigationError) -> HistoryPage {
    var rows: [HistoryRow] = []
    var next: HistoryCursor?
    try forEachRow(filter, limit: limit.map { $0 + 1 }, after: cursor) { row in
      if let limit, rows.count == limit {
        next = rows.last.map { HistoryCursor(event: $0.id) }
        return false
      }
      rows.append(row)
      return true
    }
    return HistoryPage(rows: rows, next: next)
  }

  /// Calls a function with each step of the history, the newest first. The required memory does not depend on the
  /// number of steps.
  ///
  /// - Parameters:
  ///   - filter: The criteria that the steps must match.
  ///   - limit: The maximum number of steps, or `nil` for all.
  ///   - cursor: The end of the previous page.
  ///   - body: The function. Returns whether to continue.
  /// - Throws: ``NavigationError`` if a place, learner or session of the filter does not exist.
  public func forEachRow(
    _ filter: HistoryFilter = HistoryFilter(), limit: Int? = nil, after cursor: HistoryCursor? = nil,
    _ body: (HistoryRow) -> Bool
  ) throws(NavigationError) {
    try session.read { snapshot in
      guard var query = try HistoryQuery(filter, learner: session.learner, in: snapshot) else { return }
      query.before = cursor?.event
      let names = PlaceNames(snapshot)
      try snapshot.forEachNavigationEvent(matching: query, limit: limit) { body(try HistoryRow($0, names: names)) }
    }
  }

  /// Returns the learner's last step, or `nil` if the learner has no history.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func lastStep() throws(NavigationError) -> HistoryRow? {
    try session.readLatest { snapshot in
      try snapshot.learner(named: session.learner).flatMap {
        try snapshot.newestNavigationEvent(of: $0.id, at: session.now())
      }
      .map { try HistoryRow($0, names: PlaceNames(snapshot)) }
    }
  }

  /// Returns the activity that the learner visited last, of those of the last twenty visits that were not removed.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  package func lastActivity() throws(NavigationError) -> NamedPlace? {
    try page(HistoryFilter(kind: .activity), limit: 20).rows.map(\.to).first { !$0.isRemoved }
  }

  /// Returns the child of a place that the learner visited last, directly or in one of its descendants. Considers only
  /// the learner's last eight steps, not counting those that resume a session. Returns `nil` if none of them led below
  /// the place.
  package func lastVisitedChild(under place: Place) throws(NavigationError) -> Place? {
    try session.readLatest { snapshot in
      guard let learner = try snapshot.learner(named: session.learner) else { return nil }
      return try snapshot.lastVisitedChild(by: learner.id, under: place, at: session.now())
    }
  }

  /// Returns the steps of a session in chronological order.
  ///
  /// - Parameter name: The session's number or UUID, or a name. If several sessions have the name, the newest is used.
  /// - Throws: ``NavigationError/unknownSession(name:)``.
  public func replay(session name: String) throws(NavigationError) -> [HistoryRow] {
    var rows: [HistoryRow] = []
    try forEachRow(ofSession: name) {
      rows.append($0)
      return true
    }
    return rows
  }

  /// Calls a function with each step of a session in chronological order. The required memory does not depend on the
  /// number of steps.
  ///
  /// - Parameters:
  ///   - name: The session's number, UUID or name, as in ``replay(session:)``.
  ///   - body: The function. Returns whether to continue.
  /// - Throws: ``NavigationError/unknownSession(name:)``.
  public func forEachRow(ofSession name: String, _ body: (HistoryRow) -> Bool) throws(NavigationError) {
    try session.read { snapshot in
      let record =
        try snapshot.session(numbered: name)
        ?? snapshot.newestSession(named: name, of: snapshot.learner(named: session.learner)?.id, at: session.now())
      guard let session = record?.session.id else { throw NavigationError.unknownSession(name: name) }
      let names = PlaceNames(snapshot)
      try snapshot.forEachNavigationEvent(of: session) { body(try HistoryRow($0, names: names)) }
    }
  }

  /// Returns the sessions of the learners in a scope, the newest first.
  ///
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``.
  public func sessions(of scope: LearnerScope = .current) throws(NavigationError) -> [Session] {
    try session.read { snapshot in
      guard let learner = try snapshot.resolve(scope, own: session.learner).learner else { return [] }
      return try snapshot.sessions(of: learner).map { $0.shownSession(at: session.now()) }
    }
  }
}

/// The learners that a ``LearnerScope`` refers to.
enum ScopedLearner {
  case nobody
  case one(LearnerID)
  case everyone

  /// The learner, `.some(nil)` for all learners, or `nil` if the scope contains no learner.
  var learner: LearnerID?? {
    switch self {
    case .nobody: .none
    case .one(let id): .some(id)
    case .everyone: .some(nil)
    }
  }
}

extension StoreSnapshot {
  /// Returns the learners of a scope.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - name: The name of the service's learner.
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``.
  func resolve(_ scope: LearnerScope, own name: String) throws -> ScopedLearner {
    switch scope {
    case .everyone:
      return .everyone
    case .current:
      return try learner(named: name).map { .one($0.id) } ?? .nobody
    case .named(let name):
      guard let learner = try learner(named: name) else {
        throw NavigationError.unknownLearner(
          name: name, nearest: FuzzyMatch.nearest(to: name, among: try learners().map(\.name)))
      }
      return .one(learner.id)
    }
  }

  /// Returns the session with the given number or UUID, or `nil` if no session has it.
  func session(numbered name: String) throws -> SessionRecord? {
    if let number = Int64(name), let record = try session(SessionID(rawValue: number)) { return record }
    return try session(withUUID: name)
  }
}

extension HistoryQuery {
  /// Creates the query of a filter.
  ///
  /// - Returns: `nil` if the learner of the filter is not in the database.
  /// - Throws: ``NavigationError`` if a place, learner or session does not exist, or the period ends before it begins.
  init?(_ filter: HistoryFilter, learner serviceLearner: String, in snapshot: StoreSnapshot) throws {
    self.init()
    var resolver = HistoryResolver(snapshot: snapshot, scope: filter.learner, serviceLearner: serviceLearner)
    // A wrong path is reported even if the learner has no history.
    conditions = try HistoryCriteria.all.compactMap { try $0.condition(of: filter, &resolver) }
    conditions += filter.titleTexts.map { .title(containing: $0) }
    let scoped = try resolver.learner()
    try filter.checkPeriod()
    guard let learner = scoped.learner else { return nil }
    self.learner = learner
  }
}

/// Resolves the names of places, sessions and learners in a filter.
struct HistoryResolver {
  let snapshot: StoreSnapshot
  let scope: LearnerScope
  /// The name of the service's learner.
  let serviceLearner: String
  private var scoped: ScopedLearner?

  init(snapshot: StoreSnapshot, scope: LearnerScope, serviceLearner: String) {
    (self.snapshot, self.scope, self.serviceLearner) = (snapshot, scope, serviceLearner)
  }

  /// Returns the learners of the filter.
  ///
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``.
  mutating func learner() throws -> ScopedLearner {
    let learner = try scoped ?? snapshot.resolve(scope, own: serviceLearner)
    scoped = learner
    return learner
  }

  /// Returns the node of a place, which may have been removed, or `nil` for the root.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  func node(_ name: PlaceName) throws -> NodeID? {
    try PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved(name)?.id
  }

  /// Returns the condition for a session's number or UUID, or for the name of one or more sessions of the learner.
  ///
  /// - Throws: ``NavigationError/unknownSession(name:)``.
  mutating func session(_ name: String) throws -> HistoryCondition {
    let scoped = try learner()
    if let record = try snapshot.session(numbered: name) { return .session(record.session.id) }
    guard let learner = scoped.learner, try snapshot.hasSession(named: name, of: learner) else {
      throw NavigationError.unknownSession(name: name)
    }
    return .session(named: name)
  }
}

extension PlaceResolver {
  /// Returns the node with the given name, which may have been removed, or `nil` for the root.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  func resolveEvenRemoved(_ name: PlaceName) throws -> ContentNode? {
    switch name {
    case .tagged(_, let place): return try place.flatMap(resolveEvenRemoved)
    case .path(let path): return try resolveEvenRemoved(path, named: path.description)
    case .place(let place):
      guard let id = place.node else { return nil }
      guard let node = try snapshot.node(id) else {
        throw NavigationError.unknownPlace(name: "\(id.rawValue)", nearest: [])
      }
      return node
    case .text(let text): return try resolveEvenRemoved(PlacePath(text), named: text)
    }
  }

  private func resolveEvenRemoved(_ path: PlacePath, named name: String) throws -> ContentNode? {
    if path.isRoot { return nil }
    guard let place = try snapshot.place(at: path) else {
      throw NavigationError.unknownPlace(name: name, nearest: try suggestions(for: path))
    }
    return try place.node.flatMap(snapshot.node)
  }
}
