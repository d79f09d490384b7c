import LearningModel
import LearningStore

/// The effect of a request.
enum Plan {
  /// Nothing is to be done.
  case nothing(NavigationStep.NothingToDo)
  /// The request leads to another place.
  case event(Event)

  /// A step that is not in the log yet.
  struct Event {
    /// The nodes from the course to the destination. Empty for the root.
    var chain: [ContentNode]
    /// For `back` and `forward`, the sequence number of the visit to which the step returns. Otherwise `nil`.
    var returnsTo: Int?
    /// Information for the user about the destination, or `nil`.
    var note: NavigationStep.Note?
  }
}

/// Computes the destination of a request. Used both to perform and to predict requests, so that both have the same
/// result.
struct Planner {
  let snapshot: StoreSnapshot
  let state: NavigationState
  let now: Timestamp

  private var chain: [ContentNode] { state.chain }
  private var current: NamedPlace { NamedPlace(chain) }

  /// Returns the effect of a request.
  ///
  /// - Throws: ``NavigationError`` if the request is invalid.
  func plan(_ request: NavigationRequest) throws -> Plan {
    switch request {
    case .push(let name): try push(name)
    case .pop: chain.isEmpty ? .nothing(.atRoot) : .event(.init(chain: chain.dropLast()))
    case .popTo(let name): try popTo(name)
    case .popToRoot: chain.isEmpty ? .nothing(.atRoot) : .event(.init(chain: []))
    case .select(let name): try select(name)
    case .next: try neighbour(after: true)
    case .previous: try neighbour(after: false)
    case .open(let name): try open(name)
    case .back: try traverse(after: false)
    case .forward: try traverse(after: true)
    case .resume: try resume()
    }
  }

  private func push(_ name: PlaceName) throws -> Plan {
    let target = try PlaceResolver(snapshot: snapshot, current: chain).resolve(name, nearby: chain.last?.id)
    if target.map(\.id) == chain.map(\.id) { return .nothing(.alreadyThere) }
    guard !target.isEmpty, target.dropLast().map(\.id) == chain.map(\.id) else {
      throw NavigationError.notAChild(place: NamedPlace(target).path, of: current.path)
    }
    return .event(.init(chain: target))
  }

  private func popTo(_ name: PlaceName) throws -> Plan {
    let target = try PlaceResolver(snapshot: snapshot, current: chain).resolveOnStack(name)
    if target.map(\.id) == chain.map(\.id) { return .nothing(.alreadyThere) }
    guard target.count < chain.count, target.map(\.id) == chain.prefix(target.count).map(\.id) else {
      throw NavigationError.notOnStack(place: NamedPlace(target).path, current: current.path)
    }
    return .event(.init(chain: target))
  }

  private func select(_ name: PlaceName) throws -> Plan {
    let target = try PlaceResolver(snapshot: snapshot, current: chain).resolve(name, nearby: chain.last?.parent)
    if target.map(\.id) == chain.map(\.id) { return .nothing(.alreadyThere) }
    guard !chain.isEmpty, !target.isEmpty, target.dropLast().map(\.id) == chain.dropLast().map(\.id) else {
      throw NavigationError.notASibling(place: NamedPlace(target).path, of: current.path)
    }
    return .event(.init(chain: target))
  }

  private func neighbour(after: Bool) throws -> Plan {
    guard let node = chain.last else { return .nothing(after ? .lastOfCourse : .firstOfCourse) }
    guard let neighbour = try snapshot.neighbour(node, after: after) else {
      return .nothing(after ? .lastOfCourse : .firstOfCourse)
    }
    return .event(.init(chain: try snapshot.chain(to: neighbour, along: chain)))
  }

  private func open(_ name: PlaceName) throws -> Plan {
    let target = try PlaceResolver(snapshot: snapshot, current: chain).resolve(name, nearby: nil)
    return target.map(\.id) == chain.map(\.id) ? .nothing(.alreadyThere) : .event(.init(chain: target))
  }

  private func traverse(after: Bool) throws -> Plan {
    guard let session = state.record?.session.id,
      let visit = try snapshot.nearestVisit(of: session, after: after, otherThan: state.place)
    else { return .nothing(after ? .noVisitAfter : .noVisitBefore) }
    return .event(.init(chain: try snapshot.chain(to: visit.place.node, along: chain), returnsTo: visit.sequence))
  }

  private func resume() throws -> Plan {
    guard state.hasBegun else { return .event(.init(chain: chain, note: state.note)) }
    let (target, note) = try NavigationState.newestPlace(of: state.learner, in: snapshot, at: now)
    return target.map(\.id) == chain.map(\.id) ? .nothing(.alreadyThere) : .event(.init(chain: target, note: note))
  }
}

extension Planner {
  /// Returns the step of a plan, with the outcome `predicted` unless nothing is to be done.
  func step(_ request: NavigationRequest, _ plan: Plan) throws -> NavigationStep {
    let isBeginning = !state.hasBegun && request == .resume
    let from = isBeginning ? nil : NamedPlace(state.from)
    switch plan {
    case .nothing(let reason):
      let stack = NamedPlace.stack(chain)
      return NavigationStep(
        operation: request.operation, outcome: .nothingToDo(reason), from: from, to: stack.last ?? .root,
        transition: nil, stack: stack)
    case .event(let move):
      let stack = NamedPlace.stack(move.chain)
      return NavigationStep(
        operation: request.operation, outcome: .predicted, from: from, to: stack.last ?? .root,
        transition: isBeginning ? nil : transition(along: stack, by: request.operation, to: move.chain), stack: stack,
        note: move.note)
    }
  }

  /// Returns the transition from the current place to another place.
  ///
  /// - Parameters:
  ///   - stack: The places from the root to the other place.
  ///   - operation: The requested operation.
  ///   - target: The nodes from the course to the other place.
  private func transition(
    along stack: [NamedPlace], by operation: NavigationOperation, to target: [ContentNode]
  ) -> StepTransition {
    let source = state.from
    let choice = TransitionTable.choice(
      from: source.last.map { PlaceKind($0.kind) } ?? .root, to: stack.last?.kind ?? .root,
      relation: Self.relation(from: source, to: target, by: operation))
    guard let node = choice.node else { return StepTransition(choice: choice, node: nil) }
    // The moving place is an ancestor of the destination (when going down), or of the place before the step (when going
    // up).
    let moving =
      stack.first { $0.place == .node(node) }
      ?? source.firstIndex { $0.id == node }.map { NamedPlace(source[...$0]) }
    return StepTransition(choice: choice, node: moving)
  }

  /// Returns the relation of two places, which are given by their chains of nodes from the course.
  static func relation(
    from: [ContentNode], to: [ContentNode], by operation: NavigationOperation
  ) -> TransitionTable.Relation {
    var shared = 0
    while shared < min(from.count, to.count), from[shared].id == to[shared].id { shared += 1 }
    if shared == from.count, shared < to.count {
      return .descendant(child: to[shared].id, kind: to[shared].kind)
    }
    if shared == to.count, shared < from.count {
      return .ancestor(child: from[shared].id, kind: from[shared].kind)
    }
    guard let source = from.last, let target = to.last, source.id != target.id else { return .apart }
    if operation == .next || operation == .previous {
      return .beside(node: target.id, isLater: operation == .next)
    }
    return source.parent == target.parent
      ? .beside(node: target.id, isLater: target.position > source.position) : .apart
  }
}

/// The location of a learner and the state of the session before a step. A class because it is passed on many times for
/// each step, and copying the properties would be slow.
final class NavigationState: Sendable {
  /// The learner, or `nil` if the learner has no history.
  let learner: Learner?
  /// The open session, or `nil` if the next step begins a session.
  let record: SessionRecord?
  /// The last step of the open session.
  let lastEvent: StoredEvent?
  /// Whether the session has a step.
  let hasBegun: Bool
  /// The nodes from the course to the current place in the current tree. Empty at the root.
  let chain: [ContentNode]
  /// The nodes from the course to the place from which a step leads. Differs from ``chain`` if that place was removed.
  let from: [ContentNode]
  /// Information for the user about the place at which the session begins, or `nil`.
  let note: NavigationStep.Note?

  init(
    learner: Learner?, record: SessionRecord?, lastEvent: StoredEvent?, chain: [ContentNode], from: [ContentNode],
    note: NavigationStep.Note?
  ) {
    self.learner = learner
    self.record = record
    self.lastEvent = lastEvent
    hasBegun = lastEvent != nil
    self.chain = chain
    self.from = from
    self.note = note
  }

  /// Reads the location of a learner in an open session, or the place at which a session would begin.
  init(of learner: Learner?, in record: SessionRecord?, _ snapshot: StoreSnapshot, at time: Timestamp) throws {
    (self.learner, self.record) = (learner, record)
    lastEvent = try record.flatMap { try snapshot.lastNavigationEvent(of: $0.session.id) }
    hasBegun = lastEvent != nil
    if let lastEvent {
      from = try snapshot.chain(to: lastEvent.event.to.node)
      chain = Array(from.prefix { !$0.isRemoved })
      note = nil
    } else {
      (chain, note) = try Self.newestPlace(of: learner, in: snapshot, at: time)
      from = chain
    }
  }

  /// The current place.
  var place: Place { Place(chain.last?.id) }
}

extension NavigationState {
  /// Returns the state after a requested step.
  func following(_ step: StoredEvent, along chain: [ContentNode]) -> NavigationState {
    NavigationState(
      learner: learner, record: record?.following(step), lastEvent: step, chain: chain, from: chain, note: nil)
  }

  /// Returns the state after the learner's presence was saved.
  func saving(_ presence: Presence) -> NavigationState {
    NavigationState(
      learner: learner, record: record?.saving(presence), lastEvent: lastEvent, chain: chain, from: from, note: note)
  }

  /// Returns the state after the session has begun, but before its first step.
  func started(as record: SessionRecord) -> NavigationState {
    NavigationState(learner: learner, record: record, lastEvent: nil, chain: chain, from: chain, note: note)
  }

  /// Returns the learner's last place in any session. If it was removed, returns the nearest ancestor that still
  /// exists, with a note.
  static func newestPlace(
    of learner: Learner?, in snapshot: StoreSnapshot, at now: Timestamp
  ) throws -> (chain: [ContentNode], note: NavigationStep.Note?) {
    guard let newest = try learner.flatMap({ try snapshot.newestNavigationEvent(of: $0.id, at: now) }) else {
      return ([], .noHistory)
    }
    let (chain, removed) = try snapshot.survivingChain(to: newest.event.to)
    return (chain, removed.map { .removed(title: $0.title) })
  }
}

extension NamedPlace {
  /// Creates the name of the last node of a chain from the course. An empty chain is the root.
  init(_ chain: some BidirectionalCollection<ContentNode>) {
    guard let node = chain.last else {
      self = .root
      return
    }
    self.init(node, at: PlacePath(slugs: chain.map(\.slug)))
  }

  /// Returns the names of the root and of all nodes of a chain from the course.
  static func stack(_ chain: [ContentNode]) -> [NamedPlace] {
    var stack = [NamedPlace.root]
    var slugs: [String] = []
    stack.reserveCapacity(chain.count + 1)
    slugs.reserveCapacity(chain.count)
    for node in chain {
      slugs.append(node.slug)
      stack.append(NamedPlace(node, at: PlacePath(slugs: slugs)))
    }
    return stack
  }
}
