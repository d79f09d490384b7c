import LearningModel
import LearningStore

/// Where somebody is when they ask for a step. A class, since it is passed on many times in each step.
final class Situation: Sendable {
  /// Who it is; `nil` where they have never been here.
  let learner: Learner?
  /// Their open session; `nil` where a step would begin one.
  let record: SessionRecord?
  /// The session's last step.
  let last: LoggedStep?
  /// Whether there is one.
  let hasBegun: Bool
  /// The nodes from the course down to the current place, as they are today; none at the root.
  let chain: [ContentNode]
  /// The nodes from the course down to the place that a step leads from: the same, unless that place was removed.
  let from: [ContentNode]
  /// What somebody should know of how the session begins.
  let note: Step.Note?

  init(
    learner: Learner?, record: SessionRecord?, last: LoggedStep?, chain: [ContentNode], from: [ContentNode],
    note: Step.Note?
  ) {
    self.learner = learner
    self.record = record
    self.last = last
    hasBegun = last != nil
    self.chain = chain
    self.from = from
    self.note = note
  }

  /// Looks where the learner is, or would begin.
  init(of service: NavigationService, in snapshot: StoreSnapshot, at moment: Timestamp) throws {
    learner = try snapshot.learner(named: service.learner)
    record = try service.openSession(in: snapshot, at: moment)
    last = try record.flatMap { try snapshot.lastStep(of: $0.session.id) }
    hasBegun = last != nil
    if let last {
      from = try snapshot.chain(to: last.event.to.node)
      chain = Array(from.prefix { !$0.isRemoved })
      note = nil
    } else {
      (chain, note) = try Self.newestPlace(of: learner, in: snapshot, at: moment)
      from = chain
    }
  }

  /// Looks where a session is that has just begun.
  convenience init(of session: SessionID, by service: NavigationService, in snapshot: StoreSnapshot) throws {
    let last = try snapshot.lastStep(of: session)
    let from = try snapshot.chain(to: last?.event.to.node)
    self.init(
      learner: try snapshot.learner(named: service.learner), record: try snapshot.session(session), last: last,
      chain: Array(from.prefix { !$0.isRemoved }), from: from, note: nil)
  }

  /// The current place.
  var place: Place { Place(chain.last?.id) }
}

extension Situation {
  /// Where the learner is after a step that they asked for.
  func following(_ step: LoggedStep, along chain: [ContentNode]) -> Situation {
    Situation(learner: learner, record: record?.following(step), last: step, chain: chain, from: chain, note: nil)
  }

  /// The same where the session has begun, but has no step yet.
  func begun(as record: SessionRecord) -> Situation {
    Situation(learner: learner, record: record, last: nil, chain: chain, from: chain, note: note)
  }

  /// Where the learner left off, in whatever session; repaired where the content has changed since.
  static func newestPlace(
    of learner: Learner?, in snapshot: StoreSnapshot, at now: Timestamp
  ) throws -> (chain: [ContentNode], note: Step.Note?) {
    guard let newest = try learner.flatMap({ try snapshot.newestStep(of: $0.id, at: now) }) else {
      return ([], .noHistory)
    }
    let (chain, removed) = try snapshot.survivingChain(to: newest.event.to)
    return (chain, removed.map { .removed(title: $0.title) })
  }
}

extension NamedPlace {
  /// Names the last of those nodes, which lead there from the course down; the root where there is none.
  init(_ chain: some BidirectionalCollection<ContentNode>) {
    guard let node = chain.last else {
      self = .root
      return
    }
    self.init(node, at: PlacePath(slugs: chain.map(\.slug)))
  }

  private init(_ node: ContentNode, at path: PlacePath) {
    self.init(
      place: .node(node.id), path: path, kind: PlaceKind(node.kind), title: node.title, isRemoved: node.isRemoved)
  }

  /// Names every place from the root down those nodes.
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
