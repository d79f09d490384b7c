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
    let time = session.now()
    var stepSession: SessionID?
    var newLock: ProcessLock?
    var next: (state: Int, navigationState: NavigationState)?
    let answer = try session.write(waitingAtMost: timeout) { transaction -> NavigationStep in
      let state = try session.navigationState(in: transaction, at: time)
      let planner = Planner(snapshot: transaction.snapshot, state: state, now: time)
      let plan = try planner.plan(request)
      guard case .event(let move) = plan else { return try planner.step(request, plan) }
      guard !state.hasBegun else {
        let answer = try planner.step(request, plan)
        let step = try session.append(move, of: answer, by: planner, cause, animated, at: time, to: transaction)
        stepSession = step.event.session
        next = (transaction.state + 1, state.following(step, along: move.chain))
        return answer.performed(as: EventStamp(step))
      }

      let isAsked = request.operation == .resume
      let beginning = try session.begin(
        from: state, isAsked ? cause : .system, animated: isAsked && animated, at: time, in: transaction)
      (stepSession, newLock) = (beginning.session, beginning.lock)
      if isAsked { return beginning.step }
      let begun = Planner(
        snapshot: transaction.snapshot,
        state: try NavigationState(
          of: transaction.snapshot.learner(named: session.learner),
          in: transaction.snapshot.session(beginning.session), transaction.snapshot, at: time), now: time)
      let answer = try begun.step(request, plan)
      let step = try session.append(move, of: answer, by: begun, cause, animated, at: time, to: transaction)
      return answer.performed(as: EventStamp(step))
    }
    if let event = answer.event, let stepSession {
      session.remember(stepSession, lock: newLock, event: event, next: next)
    }
    return answer
  }

  /// Performs a request like the synchronous variant, without blocking the calling thread.
  ///
  /// If the task is cancelled while another program writes, nothing is recorded and ``NavigationError/cancelled`` is
  /// thrown. If the step was already recorded, it is returned even though the task is cancelled.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - cause: The cause of the step.
  ///   - animated: Whether a front end animates the step.
  ///   - timeout: How long to wait for other writers; `nil` for the database's busy timeout.
  /// - Throws: ``NavigationError``. In this case nothing was recorded.
  @discardableResult
  public func perform(
    _ request: NavigationRequest, cause: NavigationCause = .api, animated: Bool = false,
    waitingAtMost timeout: Duration? = nil
  ) async throws(NavigationError) -> NavigationStep {
    try await BlockingWork.run { [self] () throws(NavigationError) in
      try session.store.typed { try perform(request, cause: cause, animated: animated, waitingAtMost: timeout) }
    }
  }

  /// Computes a request without performing it.
  ///
  /// - Returns: The step that `perform(_:cause:animated:waitingAtMost:)` would return now, except that it is not
  ///   performed.
  /// - Throws: ``NavigationError`` if performing the request would throw.
  public func predict(_ request: NavigationRequest) throws(NavigationError) -> NavigationStep {
    try session.read { snapshot in
      let state = try session.navigationState(in: snapshot, at: session.now())
      let planner = Planner(snapshot: snapshot, state: state, now: session.now())
      return try planner.step(request, try planner.plan(request))
    }
  }

  /// Computes the step that opens one place from another, independent of the learner's location. Nothing is recorded.
  ///
  /// - Parameters:
  ///   - source: The place before the step.
  ///   - target: The place after the step.
  /// - Returns: The step, with the outcome `predicted`, or `nothingToDo` if the places are equal.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, ``NavigationError/removedPlace(title:nearest:)``.
  public func step(from source: PlaceName, to target: PlaceName) throws(NavigationError) -> NavigationStep {
    try session.read { snapshot in
      let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(source, nearby: nil)
      let planner = Planner(
        snapshot: snapshot,
        state: NavigationState(learner: nil, record: nil, lastEvent: nil, chain: chain, from: chain, note: nil),
        now: session.now())
      return try planner.step(.open(target), try planner.plan(.open(target)))
    }
  }
}

extension EventStamp {
  /// Creates the stamp of a step in the log.
  init(_ step: StoredEvent) {
    self.init(id: step.event.id, sequence: step.event.sequence, at: step.event.at)
  }
}
