public import LearningModel
import LearningStore

extension NavigationService {
  /// Returns steps of the history, the newest first.
  ///
  /// - Parameters:
  ///   - filter: Which.
  ///   - limit: At most that many; all of them where `nil`.
  ///   - cursor: Where the page before ended.
  /// - Throws: ``NavigationError`` where a place, learner or session of the filter does not exist.
  public func history(
    _ filter: HistoryFilter = HistoryFilter(), limit: Int? = nil, after cursor: HistoryCursor? = nil
  ) throws -> HistoryPage {
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

  /// Calls a function with each step of the history, the newest first, until it answers `false`: for lists of any length.
  ///
  /// - Throws: ``NavigationError``, and what `body` throws.
  public func forEachRow(
    _ filter: HistoryFilter = HistoryFilter(), limit: Int? = nil, after cursor: HistoryCursor? = nil,
    _ body: (HistoryRow) throws -> Bool
  ) throws {
    try read { snapshot in
      guard var query = try HistoryQuery(filter, learner: learner, in: snapshot) else { return }
      query.before = cursor?.event
      let names = PlaceNames(snapshot)
      try snapshot.forEachStep(matching: query, limit: limit) { try body(HistoryRow($0, names: names)) }
    }
  }

  /// Returns the learner's last step; `nil` where they have no history.
  public func lastStep() throws -> HistoryRow? {
    try glance { snapshot in
      try snapshot.learner(named: learner).flatMap { try snapshot.newestStep(of: $0.id, at: now()) }
        .map { try HistoryRow($0, names: PlaceNames(snapshot)) }
    }
  }

  /// Returns the child of a place that the learner has come back from: the one in which, or below which, they were in one of
  /// their last steps. `nil` where they were not.
  public func childLeft(under place: Place) throws -> Place? {
    try glance { snapshot in
      guard let learner = try snapshot.learner(named: learner) else { return nil }
      return try snapshot.childLeft(by: learner.id, under: place)
    }
  }

  /// Returns the steps of a session in their order, to be shown again.
  ///
  /// - Parameter name: The session's number or UUID, or a name; of a name, the newest session.
  /// - Throws: ``NavigationError/unknownSession(name:)``.
  public func replay(session name: String) throws -> [HistoryRow] {
    var rows: [HistoryRow] = []
    try forEachRow(ofSession: name) {
      rows.append($0)
      return true
    }
    return rows
  }

  /// Calls `body` with each step of a session in their order, until it returns `false`.
  ///
  /// - Parameter name: As in ``replay(session:)``.
  /// - Throws: ``NavigationError/unknownSession(name:)``, and what `body` throws.
  public func forEachRow(ofSession name: String, _ body: (HistoryRow) throws -> Bool) throws {
    try read { snapshot in
      let record =
        try snapshot.session(numbered: name)
        ?? snapshot.newestSession(named: name, of: snapshot.learner(named: learner)?.id)
      guard let session = record?.session.id else { throw NavigationError.unknownSession(name: name) }
      let names = PlaceNames(snapshot)
      try snapshot.forEachStep(of: session) { try body(HistoryRow($0, names: names)) }
    }
  }

  /// Returns the sittings of the learner, the newest first.
  public func sessions(of scope: LearnerScope = .own) throws -> [Session] {
    try read { snapshot in
      guard let learner = try snapshot.resolve(scope, own: learner).learner else { return [] }
      return try snapshot.sessions(of: learner).map(\.session)
    }
  }

  /// Returns everyone who has been here, in the order of their names.
  public func learners() throws -> [Learner] {
    try read { try $0.learners() }
  }
}

/// Who is meant by a scope.
enum ScopedLearner {
  case nobody
  case one(LearnerID)
  case everyone

  /// Whose rows to ask for, anybody's where that is `nil`; nothing at all where there is nobody to ask for.
  var learner: LearnerID?? {
    switch self {
    case .nobody: .none
    case .one(let id): .some(id)
    case .everyone: .some(nil)
    }
  }
}

extension StoreSnapshot {
  /// Returns who is meant by a scope.
  ///
  /// - Throws: ``NavigationError/unknownLearner(name:nearest:)``.
  func resolve(_ scope: LearnerScope, own name: String) throws -> ScopedLearner {
    switch scope {
    case .everyone:
      return .everyone
    case .own:
      return try learner(named: name).map { .one($0.id) } ?? .nobody
    case .named(let name):
      guard let learner = try learner(named: name) else {
        throw NavigationError.unknownLearner(
          name: name, nearest: Likeness.nearest(to: name, among: try learners().map(\.name)))
      }
      return .one(learner.id)
    }
  }

  /// Returns the session that a number or an identifier means; `nil` where it is neither.
  func session(numbered name: String) throws -> SessionRecord? {
    if let number = Int64(name), let record = try session(SessionID(rawValue: number)) { return record }
    return try session(withUUID: name)
  }
}

extension HistoryQuery {
  /// Finds the places, learners and sessions that a filter names.
  ///
  /// - Returns: `nil` where nobody's history is asked for.
  init?(_ filter: HistoryFilter, learner own: String, in snapshot: StoreSnapshot) throws {
    self.init()
    let naming = Naming(snapshot: snapshot, current: [])
    // The narrowest last: that one's index is walked. A wrong path is told to those, too, who have no history yet.
    under = try [filter.course, filter.under].compactMap(\.self).compactMap { try naming.resolveEvenRemoved($0)?.id }
    let scoped = try snapshot.resolve(filter.learner, own: own)
    if let name = filter.session {
      if let record = try snapshot.session(numbered: name) {
        session = record.session.id
      } else if let whose = scoped.learner, try snapshot.hasSession(named: name, of: whose) {
        sessionName = name
      } else {
        throw NavigationError.unknownSession(name: name)
      }
    }
    try filter.checkPeriod()
    guard let whose = scoped.learner else { return nil }
    learner = whose
    kind = filter.kind
    operation = filter.operation
    transition = filter.transition
    cause = filter.cause
    since = filter.since
    until = filter.until
    texts = (filter.text.map { [$0] } ?? []) + filter.words
    type = filter.type
    areAnswersRight = filter.areAnswersRight
    isDone = filter.isDone
  }
}

extension Naming {
  /// Returns the node of that name, also where it was removed; `nil` for the root.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  func resolveEvenRemoved(_ name: PlaceName) throws -> ContentNode? {
    switch name {
    case .place(let place):
      guard let id = place.node else { return nil }
      guard let node = try snapshot.node(id) else {
        throw NavigationError.unknownPlace(name: "\(id.rawValue)", nearest: [])
      }
      return node
    case .text(let text):
      let path = PlacePath(text)
      if path.isRoot { return nil }
      guard let place = try snapshot.place(at: path) else {
        throw NavigationError.unknownPlace(name: text, nearest: try suggestions(for: path))
      }
      return try place.node.flatMap(snapshot.node)
    }
  }
}
