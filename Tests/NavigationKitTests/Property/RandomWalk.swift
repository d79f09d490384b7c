import LearningModel
import LearningStore
import NavigationKit
import TestSupport
import Testing

/// Two sessions of one learner and one of another walk at random through two courses, while these are edited and
/// imported again. After each operation, everything is compared with ``CourseCatalogue``, which is independent of the database.
final class RandomWalk {
  /// A front end with its expected session state, `nil` if its next step starts a session.
  struct FrontEnd {
    let service: NavigationService
    var learnerModel: ExpectedSession?
    /// True if the next step starts a new session although the database still has the previous one open.
    var isOver = false
  }

  /// The situations that sufficiently long walks cover.
  static let everything: Set<String> = Set(
    ["push", "pop", "popTo", "popToRoot", "select", "next", "previous", "open", "back", "forward", "resume"].map {
      "\($0) moved"
    } + [
      "push notAChild", "push removed", "push alreadyThere", "pop atRoot", "popTo notOnStack", "popTo removed",
      "popTo alreadyThere", "popToRoot atRoot", "select notASibling", "select removed", "select alreadyThere",
      "next lastOfCourse", "previous firstOfCourse", "open removed", "open alreadyThere", "back noVisitBefore",
      "forward noVisitAfter", "resume alreadyThere", "edition", "repair", "session over", "act",
    ])

  let fixture: NavigationFixture
  var frontEnds: [FrontEnd]
  private(set) var seen: Set<String> = []
  private let store: LearningStore
  private var random: SplitMix64
  private var coursesModel: CourseCatalogue
  private var ids: [String: NodeID] = [:]
  /// The visits of each learner.
  private var visits: [String: [(at: Timestamp, place: String?)]] = [:]
  /// The indexes of the front ends with a session in the database, in the order in which these started.
  private var order: [Int] = []

  init(seed: UInt64) throws {
    fixture = try NavigationFixture()
    store = try LearningStore.open(at: fixture.database)
    var random = SplitMix64(seed: seed)
    let courses = ["alpha", "beta"].map { EditedCourse(key: $0, random: &random) }
    self.random = random
    for course in courses { try course.write(to: store, at: fixture.now) }
    coursesModel = CourseCatalogue(courses)
    frontEnds = [
      FrontEnd(service: try fixture.service(session: .browser)), FrontEnd(service: try fixture.service()),
      FrontEnd(service: try fixture.service("ben", session: .named("phone"))),
    ]
    try readIDs()
  }

  private func readIDs() throws {
    let nodes = try store.read { snapshot in
      try coursesModel.courses.flatMap { try snapshot.everyNode(of: snapshot.course(withKey: $0.key)!.node.id) }
    }
    ids = Dictionary(uniqueKeysWithValues: nodes.map { ($0.key, $0.id) })
  }

  // MARK: - One operation

  /// Moves the clock, sometimes publishes an edition or ends a session, and performs a random operation.
  func operation() throws {
    fixture.advance(seconds: Double(random.below(600)) / 10 - (random.oneIn(250) ? 3600 : 0))
    if random.oneIn(150) { fixture.advance(seconds: 5 * 3600) }
    try seeWhoIsGone()
    if random.oneIn(25) { try publish() }
    if random.oneIn(300) { try leave() }
    let index = random.below(frontEnds.count)
    if random.oneIn(10) { try act(index) } else { try step(index) }
  }

  private func publish() throws {
    let index = random.below(coursesModel.courses.count)
    var course = coursesModel.courses[index]
    course.edit(&random)
    try course.write(to: store, at: fixture.now)
    coursesModel.publish(course, at: index)
    try readIDs()
    seen.insert("edition")
    for index in order where frontEnds[index].learnerModel?.repair(in: coursesModel) == true {
      visits[frontEnds[index].service.learner, default: []].append((fixture.now, frontEnds[index].learnerModel?.place))
      seen.insert("repair")
    }
    for frontEnd in frontEnds where !frontEnd.isOver {
      try expectPlace(of: frontEnd)
      try expectTraversals(of: frontEnd)
    }
  }

  /// Detects sessions without a process that have been idle for too long. The next step starts a new one.
  private func seeWhoIsGone() throws {
    for index in frontEnds.indices
    where frontEnds[index].learnerModel != nil && frontEnds[index].service.sessionChoice != .browser {
      frontEnds[index].isOver = try frontEnds[index].service.currentSession() == nil
      if frontEnds[index].isOver { seen.insert("session over") }
    }
  }

  /// Returns the place that a learner visited at the latest time that is not in the future.
  private func newest(_ learner: String) -> String? {
    let all = visits[learner] ?? []
    let past = all.filter { $0.at <= fixture.now }
    let candidates = past.isEmpty ? all : past
    let latest = candidates.map(\.at).max()
    return candidates.last { $0.at == latest }?.place
  }

  /// Ends the session of the browser.
  private func leave() throws {
    try frontEnds[0].service.endSession()
    frontEnds[0].learnerModel = nil
    order.removeAll { $0 == 0 }
  }

  /// Starts a session for a front end without one, at the learner's newest place.
  private func begin(_ index: Int) {
    guard frontEnds[index].learnerModel == nil || frontEnds[index].isOver else { return }
    let learner = frontEnds[index].service.learner
    let expected = ExpectedSession(at: coursesModel.currentAncestors(to: newest(learner)))
    frontEnds[index].learnerModel = expected
    frontEnds[index].isOver = false
    visits[learner, default: []].append((fixture.now, expected.place))
    order.removeAll { $0 == index }
    order.append(index)
  }

  private func act(_ index: Int) throws {
    let service = frontEnds[index].service
    let place = frontEnds[index].isOver ? newest(service.learner) : frontEnds[index].learnerModel?.place
    guard let activity = coursesModel.children(of: place).first(where: { coursesModel.kind(of: $0) == .activity })
    else { return }
    let events: [ActivityEventContent] = [
      .seenToEnd, .markedDone, .markedNotDone, .quizChecked(answers: [[0], [1, 2]], score: 0.5),
      .cardGraded(card: 0, of: 2, isKnown: true), .cardGraded(card: 1, of: 2, isKnown: false),
      .check(true), .check(false), .check(true, changed: false),
    ]
    try service.progress.record(events[random.below(events.count)], in: .place(Place(ids[activity])))
    begin(index)
    seen.insert("act")
    try expectPlace(of: frontEnds[index])
  }

  private func step(_ index: Int) throws {
    let service = frontEnds[index].service
    let isOpen = frontEnds[index].learnerModel != nil && !frontEnds[index].isOver
    let from =
      isOpen
      ? frontEnds[index].learnerModel!
      : ExpectedSession(at: coursesModel.currentAncestors(to: newest(service.learner)))
    let modelRequest = wish(at: from.place)
    var outcome = from.outcome(of: modelRequest, in: coursesModel, newest: newest(service.learner))
    if modelRequest == .resume, !isOpen { outcome = .move(from.stack) }

    let request = modelRequest.request(name(of: modelRequest.target ?? nil, at: from.place))
    let predicted = Result { try service.predict(request) }
    let performed = Result { try service.perform(request, cause: .key) }

    switch (predicted, performed) {
    case (.success(let predicted), .success(let step)):
      #expect(predicted.as(step.outcome) == step, "the prediction differs from the result of \(modelRequest)")
      try compare(step, from, modelRequest, outcome, beginsSession: !isOpen)
      if step.isPerformed {
        begin(index)
        if modelRequest != .resume || isOpen { frontEnds[index].learnerModel?.follow(outcome) }
        visits[service.learner, default: []].append((fixture.now, frontEnds[index].learnerModel?.place))
      }
    case (.failure(let predicted), .failure(let error)):
      #expect("\(predicted)" == "\(error)")
      compare(error, modelRequest, outcome)
    default:
      Issue.record("predicted \(predicted), performed \(performed)")
    }
    guard frontEnds[index].learnerModel != nil, !frontEnds[index].isOver else { return }
    try expectPlace(of: frontEnds[index])
    try goBackAndForth(index)
  }

  /// Expects that back and then forward restores the place, the stack, and the visits ahead.
  private func goBackAndForth(_ index: Int) throws {
    let service = frontEnds[index].service
    guard try service.predict(.back).outcome == .predicted else { return }
    let before = try service.currentStack()
    let ahead = try service.predict(.forward)

    try service.perform(.back)
    let forth = try service.perform(.forward)

    #expect(forth.isPerformed && forth.stack == before)
    #expect(try service.currentStack() == before)
    #expect(try service.predict(.forward) == ahead)
    for request in [Request.back, .forward] {
      let outcome = frontEnds[index].learnerModel!.outcome(of: request, in: coursesModel, newest: nil)
      frontEnds[index].learnerModel?.follow(outcome)
    }
    visits[service.learner, default: []].append((fixture.now, frontEnds[index].learnerModel?.place))
  }

  // MARK: - Choosing

  private func wish(at place: String?) -> Request {
    let anywhere = random.oneIn(3) ? coursesModel.removed : coursesModel.living
    func some(_ keys: [String]) -> String? { keys.randomElement(using: &random) }
    switch random.below(15) {
    case 0, 1, 2: return .push(some(coursesModel.children(of: place)) ?? place)
    case 3: return .pop
    case 4: return .popTo(some(coursesModel.chain(to: place)))
    case 5: return random.oneIn(3) ? .popToRoot : .pop
    case 6: return .select(some(coursesModel.children(of: place.flatMap(coursesModel.parent))))
    case 7, 8: return .next
    case 9: return .previous
    case 10: return .open(some(anywhere))
    case 11: return random.oneIn(3) ? .push(some(anywhere)) : .back
    case 12: return random.oneIn(3) ? .select(some(anywhere)) : .back
    case 13: return random.oneIn(3) ? .popTo(some(anywhere)) : .forward
    default: return random.oneIn(3) ? .resume : .forward
    }
  }

  /// Returns a name for a place: its node or, for an existing place, at random its path.
  private func name(of key: String?, at place: String?) -> PlaceName {
    guard let key else { return random.oneIn(2) ? "/" : .place(.root) }
    if coursesModel.kind(of: key) == nil || random.oneIn(2) { return .place(Place(ids[key])) }
    return .text(coursesModel.chain(to: key).joined(separator: "/"))
  }

  // MARK: - Comparing

  private func compare(
    _ step: NavigationStep, _ from: ExpectedSession, _ request: Request, _ outcome: ExpectedOutcome, beginsSession: Bool
  )
    throws
  {
    switch (step.outcome, outcome) {
    case (.performed, .move(let chain, _)):
      #expect(step.stack.keys == chain)
      let isResume = request == .resume && beginsSession
      #expect(step.from?.key == (isResume ? nil : from.place) && (step.from == nil) == isResume)
      #expect(step.to == step.stack.last)
      let shape = step.transition.map {
        TransitionShape(kind: $0.choice.kind, direction: $0.choice.direction, node: $0.node?.key)
      }
      #expect(
        shape == (isResume ? nil : from.transition(to: chain, by: request, in: coursesModel)),
        "\(request) from \(from.stack)"
      )
      try expectChain(step.stack)
      seen.insert("\(request.word) moved")
    case (.nothingToDo(let reason), .nothing(let expected)):
      #expect(reason == expected, "\(request) from \(from.stack)")
      #expect(step.stack.keys == from.stack && step.transition == nil)
      seen.insert("\(request.word) \(reason.word)")
    default:
      Issue.record("\(request) from \(from.stack): \(step.outcome) instead of \(outcome)")
    }
  }

  private func compare(_ error: any Error, _ request: Request, _ outcome: ExpectedOutcome) {
    switch (error as? NavigationError, outcome) {
    case (.notAChild, .notAChild), (.notOnStack, .notOnStack), (.notASibling, .notASibling):
      seen.insert("\(request.word) \(outcome)")
    case (.removedPlace(_, let nearest), .removed(let living)):
      #expect(nearest.key == living.last)
      seen.insert("\(request.word) removed")
    default:
      Issue.record("\(request): \(error) instead of \(outcome)")
    }
  }

  private func expectPlace(of frontEnd: FrontEnd) throws {
    guard let expected = frontEnd.learnerModel else { return }
    let stack = try frontEnd.service.currentStack()
    #expect(stack.keys == expected.stack)
    try expectChain(stack)
  }

  /// Expects that back and forward follow the visits and skip places that an edition removed.
  private func expectTraversals(of frontEnd: FrontEnd) throws {
    guard let expected = frontEnd.learnerModel else { return }
    for request in [Request.back, .forward] {
      let step = try frontEnd.service.predict(request.request("/"))
      switch expected.outcome(of: request, in: coursesModel, newest: nil) {
      case .move(let chain, _): #expect(step.outcome == .predicted && step.stack.keys == chain)
      case .nothing(let reason): #expect(step.outcome == .nothingToDo(reason))
      default: Issue.record("\(request) is never refused")
      }
    }
  }

  /// Expects that each place is the parent of the next, and that all of them exist.
  private func expectChain(_ stack: [NamedPlace]) throws {
    #expect(stack.first == .root)
    try store.read { snapshot in
      for (above, place) in zip(stack, stack.dropFirst()) {
        let node = try place.place.node.flatMap { try snapshot.node($0) }
        #expect(node?.isRemoved == false && Place(node?.parent) == above.place)
      }
    }
  }

  /// Compares each open session with a replay of its log, and everything that is derived from the logs with a new
  /// derivation.
  func compareLogs(after number: Int) throws {
    for frontEnd in frontEnds where frontEnd.learnerModel != nil && !frontEnd.isOver {
      guard let session = try frontEnd.service.currentSession() else { continue }
      let rows = try frontEnd.service.history.replay(session: session.uuid)
      var place: NamedPlace?
      for (index, row) in rows.enumerated() {
        #expect(row.sequence == index + 1 && row.from?.place == place?.place)
        #expect(row.stack.last?.place == row.to.place)
        place = row.to
      }
      #expect(try rows.last?.stack == frontEnd.service.currentStack(), "after \(number) operations")
      let location = try frontEnd.service.currentLocation()
      let visits = frontEnd.learnerModel?.visits[...frontEnd.learnerModel!.current].suffix(
        CurrentLocation.longestPathTaken)
      #expect(location.pathTaken.keys == visits?.compactMap(\.self))
    }
    #expect(try frontEnds[0].service.check() == [], "after \(number) operations")
  }
}

extension NamedPlace {
  /// The place's key, which equals its slug in these courses.
  fileprivate var key: String? { path.slugs.last }
}

extension [NamedPlace] {
  /// The keys of the places, without the root.
  fileprivate var keys: [String] { compactMap(\.path.slugs.last) }
}

extension Request {
  fileprivate var word: String { "\(request(.place(.root)).operation)" }
}

extension NavigationStep.NothingToDo {
  fileprivate var word: String {
    switch self {
    case .atRoot: "atRoot"
    case .alreadyThere: "alreadyThere"
    case .lastOfCourse: "lastOfCourse"
    case .firstOfCourse: "firstOfCourse"
    case .noVisitBefore: "noVisitBefore"
    case .noVisitAfter: "noVisitAfter"
    }
  }
}

extension NavigationStep {
  /// Returns the same step with another outcome if it was predicted.
  fileprivate func `as`(_ outcome: Outcome) -> NavigationStep {
    NavigationStep(
      operation: operation, outcome: isPredicted ? outcome : self.outcome, from: from, to: to, transition: transition,
      stack: stack, note: note)
  }

  private var isPredicted: Bool { outcome == .predicted }
}
