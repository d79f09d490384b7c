import Foundation
import LearningModel
import LearningStore
import Synchronization

extension LearnerSession {
  /// Reads the current location of the learner, or the place at which a session would begin.
  func navigationState(in snapshot: StoreSnapshot, at time: Timestamp) throws -> NavigationState {
    try NavigationState(
      of: snapshot.learner(named: learner), in: openSession(in: snapshot, at: time), snapshot, at: time)
  }

  /// Returns the state of the learner's navigation. Uses the cached state if the database has not changed since the
  /// last step.
  func navigationState(in transaction: StoreTransaction, at time: Timestamp) throws -> NavigationState {
    if let cached = cache.withLock({ $0.cachedState }), cached.state == transaction.state,
      let record = cached.navigationState.record, !Self.isOver(record, at: time)
    {
      return cached.navigationState
    }
    return try navigationState(in: transaction.snapshot, at: time)
  }

  /// Appends a step to the log.
  func append(
    _ move: Plan.Event, of step: NavigationStep, by planner: Planner, _ cause: NavigationCause,
    _ animated: Bool, at time: Timestamp, to transaction: StoreTransaction
  ) throws -> StoredEvent {
    let state = planner.state
    guard let record = state.record else { throw NavigationError.unknownSession(name: choice.name) }
    let draft = PendingEvent(
      uuid: RandomIdentifier.make(), session: record.session, operation: step.operation,
      returnsTo: move.returnsTo, transition: step.transition?.choice, isAnimated: animated, cause: cause,
      stack: move.chain, at: time,
      courseRevision: try move.chain.first.flatMap { try transaction.snapshot.revision(of: $0.id) })
    return try transaction.append(draft, after: state.lastEvent, presence: presence(in: record, last: state.lastEvent))
  }

  /// Calls a function with the open session and the current time. Begins a session first if none is open.
  func beginning<Answer>(
    waitingAtMost timeout: Duration?, _ body: (StoreTransaction, SessionRecord, _ time: Timestamp) throws -> Answer
  ) throws(NavigationError) -> Answer {
    let time = now()
    var begun: Beginning?
    var next: (state: Int, navigationState: NavigationState, presence: Presence)?
    let answer = try write(waitingAtMost: timeout) { transaction in
      let state = try navigationState(in: transaction, at: time)
      if !state.hasBegun {
        begun = try begin(from: state, .system, animated: false, at: time, in: transaction)
      }
      guard let record = try state.record ?? begun.flatMap({ try transaction.snapshot.session($0.session) }) else {
        throw NavigationError.unknownSession(name: choice.name)
      }
      if try transaction.snapshot.hasStaleMemories(of: learner) {
        while try transaction.settleMemories(of: record.session.learner) {}
      }
      let answer = try body(transaction, record, time)
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
      cache.withLock { cache in
        cache.cachedState = (next.state, next.navigationState)
        cache.presence = (event.event.id, next.presence)
        cache.savedAt = time
      }
    }
    return answer
  }

  /// A session that has just begun.
  struct Beginning {
    let session: SessionID
    let lock: ProcessLock?
    let step: NavigationStep
  }

  /// Begins the session with a recorded `resume`, and creates the learner if missing.
  func begin(
    from state: NavigationState, _ cause: NavigationCause, animated: Bool, at time: Timestamp,
    in transaction: StoreTransaction
  ) throws -> Beginning {
    let learner = try state.learner ?? makeLearner(in: transaction, at: time)
    let uuid = RandomIdentifier.make()
    var lock: ProcessLock?
    if case .process = choice, !store.isScratch {
      // A database in memory is used by this process only, so its sessions need no lock.
      if !store.isInMemory { lock = try ProcessLock.make(forSession: uuid, of: store.path) }
    } else if let idle = try transaction.snapshot.openSession(named: choice.name, of: learner.id) {
      try transaction.end(idle)
    }
    let record = try transaction.beginSession(
      of: learner.id, uuid: uuid, named: choice.name, timeZone: timeZone.identifier,
      lockFile: lock == nil ? nil : uuid, at: time)

    let planner = Planner(snapshot: transaction.snapshot, state: state.started(as: record), now: time)
    let move = Plan.Event(chain: state.chain, note: state.note)
    let step = try planner.step(.resume, .event(move))
    let logged = try append(move, of: step, by: planner, cause, animated, at: time, to: transaction)
    return Beginning(session: record.session.id, lock: lock, step: step.performed(as: EventStamp(logged)))
  }

  /// Caches the open session and its last step. Called after the transaction was committed.
  func remember(
    _ session: SessionID, lock: ProcessLock?, event: EventStamp,
    next: (state: Int, navigationState: NavigationState)? = nil
  ) {
    cache.withLock { cache in
      if let lock { cache.lock = lock }
      cache.session = session
      cache.presence = (event.id, Presence(lastInputAt: event.at))
      cache.savedAt = event.at
      cache.cachedState = next
    }
  }
}
