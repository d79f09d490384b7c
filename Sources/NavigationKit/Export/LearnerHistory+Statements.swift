import Foundation
import LearningModel
import LearningStore
import WholeNumbers

extension LearnerHistory {
  /// Calls a function with the learning record store statements about the history, the newest first.
  ///
  /// - A visit that has ended is `experienced`, with the time of presence. A visit to an activity is `launched` as
  ///   well. Visits to the list of courses have no statement, nor have repairs, which move a learner off a removed
  ///   place.
  /// - An activity that became done is `completed`.
  /// - An answered quiz is `passed` or `failed`, with its score. If it was answered in a version in which answering
  ///   alone completed a quiz, it is `completed`, with its score.
  /// - A check of an exercise is `passed` or `failed`. If it was passed although no file was edited, it has no statement.
  /// - An answer in a review is `answered`, with the time that it took and whether the card was remembered. Answers that
  ///   were undone have no statement.
  ///
  /// Statements never change. A visit therefore has no statement until its end is known.
  ///
  /// The required memory does not depend on the number of steps.
  ///
  /// - Parameters:
  ///   - filter: The criteria that the exported steps must match. Completed activities and answered quizzes are
  ///     exported for the same learners, places, sessions and times, but not if the filter requires an operation, a
  ///     transition or a cause.
  ///   - body: Receives a statement and returns whether to continue.
  /// - Throws: ``NavigationError`` if a place, learner or session of the filter does not exist.
  public func forEachStatement(
    _ filter: HistoryFilter = HistoryFilter(), _ body: (LearningStatement) -> Bool
  ) throws(NavigationError) {
    try session.read { snapshot in
      guard let query = try HistoryQuery(filter, learner: session.learner, in: snapshot) else { return }
      let objects = StatementObjects(snapshot)
      var events = try query.canMatchActivityEvents ? StatedEvents(query, in: snapshot) : nil
      var continues = true
      func stateEvents(since time: Timestamp?) throws {
        while continues, let event = try events?.newest(), time.map({ event.event.at >= $0 }) ?? true {
          events?.removeNewest()
          continues = body(try statement(of: event, objects))
        }
      }

      try snapshot.forEachNavigationEvent(matching: query) { step in
        try stateEvents(since: step.event.at)
        continues = try continues && statements(of: step, objects).allSatisfy(body)
        return continues
      }
      try stateEvents(since: nil)
    }
  }

  private func statements(of step: StoredEvent, _ objects: StatementObjects) throws -> [LearningStatement] {
    let event = step.event
    guard event.leftAt != nil, event.operation != .repair else { return [] }
    // The stack at the time of the visit: exporting the visit again must yield the same statement, even if an import
    // has moved the place.
    let chain = try event.stack.compactMap(\.node).map { try objects.object($0) }
    guard let object = chain.last, let node = event.to.node else { return [] }
    let verbs: [LearningStatement.Verb] = step.toKind == .activity ? [.experienced, .launched] : [.experienced]
    return try verbs.map { verb in
      LearningStatement(
        id: LearningStatement.id(of: verb, event: event.uuid), learner: try objects.names.name(of: event.learner),
        verb: verb, object: object, ancestors: chain.dropLast(), timestamp: event.at,
        duration: verb == .experienced ? event.activeMilliseconds : nil, score: nil,
        session: try objects.session(event.session), registration: try objects.registration(of: event.learner, at: node)
      )
    }
  }

  private func statement(of statedEvent: StatedEvent, _ objects: StatementObjects) throws -> LearningStatement {
    let event = statedEvent.event
    let activity = try objects.object(event.node)
    var ancestors = try objects.ancestors(event)
    if statedEvent.answer != nil { ancestors.append(activity) }
    return LearningStatement(
      id: LearningStatement.id(of: statedEvent.verb, event: event.uuid),
      learner: try objects.names.name(of: event.learner),
      verb: statedEvent.verb, object: statedEvent.answer.map { activity.card($0.key) } ?? activity,
      ancestors: ancestors, timestamp: event.at,
      duration: statedEvent.answer?.ms.map(Int64.init) ?? statedEvent.seconds.map { Int64(clamping: $0 * 1_000) },
      isRemembered: statedEvent.answer?.rating.map { $0 != CardRating.again.rawValue }, score: statedEvent.score,
      session: try objects.session(event.session),
      registration: try objects.registration(of: event.learner, at: event.node))
  }
}

/// The activity events that have statements, the newest first: answered quizzes and cards, and events that made an activity
/// done.
private struct StatedEvents {
  private let query: HistoryQuery
  private let snapshot: StoreSnapshot
  /// The row numbers of the remaining events, the newest last, and whether the event made its activity done.
  private var rows: [(id: Int64, becameDone: Bool)] = []
  /// The remaining statements about the newest remaining event, the next one last.
  private var pending: [StatedEvent] = []

  init(_ query: HistoryQuery, in snapshot: StoreSnapshot) throws {
    (self.query, self.snapshot) = (query, snapshot)
    // Whether an event made its activity done depends on all earlier events, so filters are applied later.
    var done = DoneActivities()
    for id in try snapshot.activityEventIDs(of: query.learner, under: query.subtree) {
      guard let event = try snapshot.activityEvent(id) else { continue }
      let wasDone = done.isDone(event.node, by: event.learner)
      done.add(event)
      let becameDone = !wasDone && done.isDone(event.node, by: event.learner)
      if [.quizChecked, .exerciseChecked].contains(event.kind) || becameDone
        || event.kind == .cardGraded && StatedEvent.answer(of: event) != nil
      {
        rows.append((id, becameDone))
      }
    }
    rows.sort { $0.id < $1.id }
  }

  mutating func newest() throws -> StatedEvent? {
    while pending.isEmpty, let (id, becameDone) = rows.popLast() {
      guard let event = try snapshot.activityEvent(id), try query.matches(event, in: snapshot) else { continue }
      pending = StatedEvent.all(of: event, becameDone: becameDone)
    }
    return pending.last
  }

  mutating func removeNewest() { pending.removeLast() }
}

/// A statement about an activity event.
private struct StatedEvent {
  let event: ActivityEvent
  let verb: LearningStatement.Verb
  /// The share of right answers, 0…1. `nil` if the statement has no score.
  var score: Double?
  /// The duration of a check in seconds. `nil` for other events.
  var seconds: Double?
  /// The answer to a card in a review.
  var answer: CardEventDetail?

  /// Returns the details of an event of a card in a review, or `nil` for other events.
  static func answer(of event: ActivityEvent) -> CardEventDetail? {
    event.detail.flatMap { try? JSONDecoder().decode(CardEventDetail.self, from: Data($0.utf8)) }
  }

  /// Returns the statements about an event, in the order of export.
  static func all(of event: ActivityEvent, becameDone: Bool) -> [StatedEvent] {
    let completed = becameDone ? [StatedEvent(event: event, verb: .completed)] : []
    if event.kind == .cardGraded, let answer = answer(of: event) {
      return [StatedEvent(event: event, verb: .answered, answer: answer)]
    }
    if let check = ExerciseCheck(of: event) {
      if check.isPassed, !check.isChanged { return [] }
      return [StatedEvent(event: event, verb: check.isPassed ? .passed : .failed, seconds: check.seconds)] + completed
    }
    guard event.kind == .quizChecked else { return completed }
    guard let detail = ActivityEventContent.Detail(of: event), let pass = detail.pass else {
      return [StatedEvent(event: event, verb: .completed, score: event.score)]
    }
    // A quiz without right and wrong answers can be neither passed nor failed.
    guard let score = event.score, detail.of != 0 else { return completed }
    return [StatedEvent(event: event, verb: score >= pass ? .passed : .failed, score: score)] + completed
  }
}

/// A cache of the places, sessions and registrations of statements.
private final class StatementObjects {
  let names: PlaceNames
  private let snapshot: StoreSnapshot
  private var objects: [NodeID: LearningStatement.Object] = [:]
  /// The course of each place.
  private var courses: [NodeID: ContentNode] = [:]
  private var registrations: [Attempt: String] = [:]
  private var languages: [NodeID: String] = [:]
  private var sessions: [SessionID: SessionRecord] = [:]

  init(_ snapshot: StoreSnapshot) {
    self.snapshot = snapshot
    names = PlaceNames(snapshot)
  }

  private struct Attempt: Hashable {
    let learner: LearnerID
    let course: NodeID
  }

  /// Returns the UUID of a learner's attempt at the course of a place.
  func registration(of learner: LearnerID, at node: NodeID) throws -> String {
    let course = try course(of: node)
    let attempt = Attempt(learner: learner, course: course.id)
    if let registration = registrations[attempt] { return registration }
    let registration = LearningStatement.registration(of: try names.name(of: learner), in: course.key)
    registrations[attempt] = registration
    return registration
  }

  private func course(of id: NodeID) throws -> ContentNode {
    if let course = courses[id] { return course }
    guard let node = try snapshot.node(id), let course = try snapshot.node(node.course) else {
      throw NavigationError.unknownPlace(name: "\(id.rawValue)", nearest: [])
    }
    courses[id] = course
    return course
  }

  /// Returns the description of a place.
  func object(_ id: NodeID) throws -> LearningStatement.Object {
    if let object = objects[id] { return object }
    let course = try course(of: id)
    guard let node = try snapshot.node(id) else {
      throw NavigationError.unknownPlace(name: "\(id.rawValue)", nearest: [])
    }
    let object = LearningStatement.Object(
      courseKey: course.key, key: node.key, kind: node.kind, activity: try snapshot.activityType(of: id),
      title: node.title, language: try language(of: course.id))
    objects[id] = object
    return object
  }

  /// Returns the ancestors of an activity at the time of an event, the course first. Returns only the course if the
  /// learner did not visit the activity, because an activity never moves to another course.
  func ancestors(_ event: ActivityEvent) throws -> [LearningStatement.Object] {
    if let visit = try snapshot.visit(of: event) {
      return try visit.event.stack.dropLast().compactMap(\.node).map { try object($0) }
    }
    return try snapshot.node(event.node).map { [try object($0.course)] } ?? []
  }

  private func language(of course: NodeID) throws -> String {
    if let language = languages[course] { return language }
    let language = try snapshot.course(course)?.language.flatMap { $0.isLanguageTag ? $0 : nil } ?? "und"
    languages[course] = language
    return language
  }

  /// Returns a session's UUID.
  func session(_ id: SessionID) throws -> String { try record(id)?.session.uuid ?? "" }

  private func record(_ id: SessionID) throws -> SessionRecord? {
    if let record = sessions[id] { return record }
    let record = try snapshot.session(id)
    sessions[id] = record
    return record
  }
}

extension String {
  /// Whether the text has the form of a language tag. The subtags themselves are not validated.
  ///
  /// Source: RFC 5646, section 2.1.
  fileprivate var isLanguageTag: Bool { wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil }
}
