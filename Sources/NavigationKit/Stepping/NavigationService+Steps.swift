import Foundation
public import LearningModel
import LearningStore
import Synchronization

extension NavigationService {
  /// Performs a navigation request and records it. When this returns a performed step, the step is in the log and
  /// survives a crash of the process.
  ///
  /// The first step of a session creates the learner if necessary, and begins the session with a recorded `resume` at
  /// the learner's last place. Request `resume` to begin a session without going anywhere else.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - cause: The cause of the step.
  ///   - animated: Whether a front end animates the step.
  ///   - timeout: How long to wait for other writers; `nil` for the database's busy timeout. Front ends that must stay
  ///     responsive use a short timeout, and repeat the request after ``NavigationError/busy``.
  /// - Returns: The step. It was not performed if the request leads nowhere, such as `pop` at the root.
  /// - Throws: ``NavigationError``. In this case nothing was recorded.
  @discardableResult
  public func perform(
    _ request: NavigationRequest, cause: NavigationCause = .api, animated: Bool = false,
    waitingAtMost timeout: Duration? = nil
  ) throws(NavigationError) -> NavigationStep {
    let time = now()
    var session: SessionID?
    var newLock: ProcessLock?
    var next: (state: Int, navigationState: NavigationState)?
    let answer = try write(waitingAtMost: timeout) { transaction -> NavigationStep in
      let state = try navigationState(in: transaction, at: time)
      let planner = Planner(snapshot: transaction.snapshot, state: state, now: time)
      let plan = try planner.plan(request)
      guard case .event(let move) = plan else { return try planner.step(request, plan) }
      guard !state.hasBegun else {
        let answer = try planner.step(request, plan)
        let step = try append(move, of: answer, by: planner, cause, animated, at: time, to: transaction)
        session = step.event.session
        next = (transaction.state + 1, state.following(step, along: move.chain))
        return answer.performed(as: EventStamp(step))
      }

      let isAsked = request.operation == .resume
      let beginning = try begin(
        from: state, isAsked ? cause : .system, animated: isAsked && animated, at: time, in: transaction)
      (session, newLock) = (beginning.session, beginning.lock)
      if isAsked { return beginning.step }
      let begun = Planner(
        snapshot: transaction.snapshot,
        state: try NavigationState(of: beginning.session, by: self, in: transaction.snapshot), now: time)
      let answer = try begun.step(request, plan)
      let step = try append(move, of: answer, by: begun, cause, animated, at: time, to: transaction)
      return answer.performed(as: EventStamp(step))
    }
    if let event = answer.event, let session { remember(session, lock: newLock, event: event, next: next) }
    return answer
  }

  /// Computes a request without performing it.
  ///
  /// - Returns: The step that `perform(_:cause:animated:waitingAtMost:)` would return now, except that it is not
  ///   performed.
  /// - Throws: ``NavigationError`` if performing the request would throw.
  public func predict(_ request: NavigationRequest) throws(NavigationError) -> NavigationStep {
    try read { snapshot in
      let state = try NavigationState(of: self, in: snapshot, at: now())
      let planner = Planner(snapshot: snapshot, state: state, now: now())
      return try planner.step(request, try planner.plan(request))
    }
  }

  // MARK: - Parts

  /// Returns the state of the learner's navigation. Uses the cached state if the database has not changed since the
  /// last step.
  func navigationState(in transaction: StoreTransaction, at time: Timestamp) throws -> NavigationState {
    if let cached = sessionCache.withLock({ $0.cachedState }), cached.state == transaction.state,
      let record = cached.navigationState.record, !Self.isOver(record, at: time)
    {
      return cached.navigationState
    }
    return try NavigationState(of: self, in: transaction.snapshot, at: time)
  }

  private func append(
    _ move: Plan.Event, of step: NavigationStep, by planner: Planner, _ cause: NavigationCause,
    _ animated: Bool, at time: Timestamp, to transaction: StoreTransaction
  ) throws -> StoredEvent {
    let state = planner.state
    guard let record = state.record else { throw NavigationError.unknownSession(name: sessionChoice.name) }
    let draft = PendingEvent(
      uuid: RandomIdentifier.make(), session: record.session, operation: step.operation,
      returnsTo: move.returnsTo,
      transition: step.transition?.choice,
      isAnimated: animated, cause: cause, stack: move.chain, at: time,
      courseRevision: try move.chain.first.flatMap { try transaction.snapshot.revision(of: $0.id) })
    return try transaction.append(
      draft, after: state.lastEvent, presence: presence(in: record, last: state.lastEvent))
  }

  /// Calls a function with the open session. Begins a session first if none is open.
  func beginning<Answer>(
    at time: Timestamp, waitingAtMost timeout: Duration?, _ body: (StoreTransaction, SessionRecord) throws -> Answer
  ) throws(NavigationError) -> Answer {
    var begun: Beginning?
    var next: (state: Int, navigationState: NavigationState, presence: Presence)?
    let answer = try write(waitingAtMost: timeout) { transaction in
      let state = try navigationState(in: transaction, at: time)
      if !state.hasBegun {
        begun = try begin(from: state, .system, animated: false, at: time, in: transaction)
      }
      guard let record = try state.record ?? begun.flatMap({ try transaction.snapshot.session($0.session) }) else {
        throw NavigationError.unknownSession(name: sessionChoice.name)
      }
      if try transaction.snapshot.hasStaleMemories(of: learner) {
        while try transaction.settleMemories(of: record.session.learner) {}
      }
      let answer = try body(transaction, record)
      if begun == nil {
        var presence = presence(in: record, last: state.lastEvent)
        presence.recordInput(inputAt: time)
        try transaction.save(presence, in: record.session.id)
        next = (transaction.state + 1, state.saving(presence), presence)
      }
      return answer
    }
    if let begun, let event = begun.step.event { remember(begun.session, lock: begun.lock, event: event) }
    if let next, let event = next.navigationState.lastEvent {
      sessionCache.withLock { cache in
        cache.cachedState = (next.state, next.navigationState)
        cache.presence = (event.event.id, next.presence)
        cache.savedAt = time
      }
    }
    return answer
  }

  /// A session that has just begun.
  private struct Beginning {
    let session: SessionID
    let lock: ProcessLock?
    let step: NavigationStep
  }

  /// Begins the session with a recorded `resume`, and creates the learner if missing.
  private func begin(
    from state: NavigationState, _ cause: NavigationCause, animated: Bool, at time: Timestamp,
    in transaction: StoreTransaction
  ) throws -> Beginning {
    let learner = try state.learner ?? makeLearner(in: transaction, at: time)
    let uuid = RandomIdentifier.make()
    var lock: ProcessLock?
    if case .process = sessionChoice, !store.isScratch {
      // A database in memory is used by this process only, so its sessions need no lock.
      if !store.isInMemory { lock = try ProcessLock.make(forSession: uuid, of: store.path) }
    } else if let idle = try transaction.snapshot.openSession(named: sessionChoice.name, of: learner.id) {
      try transaction.end(idle)
    }
    let record = try transaction.beginSession(
      of: learner.id, uuid: uuid, named: sessionChoice.name, timeZone: timeZone.identifier,
      lockFile: lock == nil ? nil : uuid, at: time)

    let planner = Planner(snapshot: transaction.snapshot, state: state.started(as: record), now: time)
    let move = Plan.Event(chain: state.chain, note: state.note)
    let step = try planner.step(.resume, .event(move))
    let logged = try append(move, of: step, by: planner, cause, animated, at: time, to: transaction)
    return Beginning(session: record.session.id, lock: lock, step: step.performed(as: EventStamp(logged)))
  }

  /// Caches the open session and its last step. Called after the transaction was committed.
  private func remember(
    _ session: SessionID, lock: ProcessLock?, event: EventStamp,
    next: (state: Int, navigationState: NavigationState)? = nil
  ) {
    sessionCache.withLock { cache in
      if let lock { cache.lock = lock }
      cache.session = session
      cache.presence = (event.id, Presence(lastInputAt: event.at))
      cache.savedAt = event.at
      cache.cachedState = next
    }
  }
}

extension EventStamp {
  /// Creates the stamp of a step in the log.
  init(_ step: StoredEvent) {
    self.init(id: step.event.id, sequence: step.event.sequence, at: step.event.at)
  }
}

extension NavigationService {
  /// Computes the step that opens one place from another, independent of the learner's location. Nothing is recorded.
  ///
  /// - Parameters:
  ///   - source: The place before the step.
  ///   - target: The place after the step.
  /// - Returns: The step, with the outcome `predicted`, or `nothingToDo` if the places are equal.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``.
  public func step(from source: PlaceName, to target: PlaceName) throws(NavigationError) -> NavigationStep {
    try read { snapshot in
      let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(source, nearby: nil)
      let planner = Planner(
        snapshot: snapshot,
        state: NavigationState(learner: nil, record: nil, lastEvent: nil, chain: chain, from: chain, note: nil),
        now: now())
      return try planner.step(.open(target), try planner.plan(.open(target)))
    }
  }
}
