import Foundation
import LearningModel
import LearningStore

extension NavigationService {
  /// Calls a function with the statements of the history for a learning record store, the newest first: visits, then
  /// what was done.
  ///
  /// A visit that has ended, of a place in a course, is `experienced`, with the time of presence; where the place is an
  /// activity it was `launched` first. Where the system moved somebody by a repair nobody experienced anything. An
  /// activity that became done is `completed`; each quiz that was answered is `passed` or `failed`, with its score. (One
  /// that was answered when every quiz was done by that is `completed`, with its score.) Statements never change, so a
  /// visit is left out until it is over, also where it is still open in the database that a learner's file came from.
  ///
  /// - Parameters:
  ///   - filter: Which steps; what was done is of the same learners, places, sessions and times, and there is none where
  ///     only some operations, transitions or causes are asked for.
  ///   - body: Takes a statement, and answers whether to continue.
  /// - Throws: ``NavigationError``, and what `body` throws.
  public func forEachStatement(
    _ filter: HistoryFilter = HistoryFilter(), _ body: (LearningStatement) throws -> Bool
  ) throws {
    try read { snapshot in
      guard let query = try HistoryQuery(filter, learner: learner, in: snapshot) else { return }
      let things = Things(snapshot)
      var goesOn = true
      try snapshot.forEachStep(matching: query) { step in
        guard try !things.goesOnElsewhere(step) else { return true }
        goesOn = try statements(of: step, things).allSatisfy(body)
        return goesOn
      }
      guard goesOn, query.operation == nil, query.transition == nil, query.cause == nil,
        query.kind == nil || query.kind == .activity
      else { return }
      for deed in try deeds(query, in: snapshot) {
        guard try body(statement(of: deed, things)) else { return }
      }
    }
  }

  private func statements(of step: LoggedStep, _ things: Things) throws -> [LearningStatement] {
    let event = step.event
    guard event.leftAt != nil, event.operation != .repair else { return [] }
    // Where it stood then: a statement that is made again after an import has moved the place must be the same one.
    let chain = try event.stack.compactMap(\.node).map { try things.thing($0) }
    guard let thing = chain.last else { return [] }
    let verbs: [LearningStatement.Verb] = step.toKind == .activity ? [.experienced, .launched] : [.experienced]
    return try verbs.map { verb in
      LearningStatement(
        id: LearningStatement.id(of: verb, event: event.uuid), learner: try things.names.name(of: event.learner),
        verb: verb,
        object: thing, above: chain.dropLast(), timestamp: event.at,
        duration: verb == .experienced ? event.activeMilliseconds : nil, score: nil,
        session: try things.session(event.session))
    }
  }

  private func statement(of deed: Deed, _ things: Things) throws -> LearningStatement {
    let event = deed.event
    return LearningStatement(
      id: LearningStatement.id(of: deed.verb, event: event.uuid), learner: try things.names.name(of: event.learner),
      verb: deed.verb, object: try things.thing(event.node), above: try things.above(event), timestamp: event.at,
      duration: nil, score: deed.score, session: try things.session(event.session))
  }

  /// The things done that made an activity done, and the quizzes that were answered, the newest first.
  private func deeds(_ query: HistoryQuery, in snapshot: StoreSnapshot) throws -> [Deed] {
    // What an activity is depends on all that was done in it before, so the filters come after.
    let events = try snapshot.activityEvents(
      of: query.learner, under: query.under.last, kinds: ActivityEventKind.allCases, limit: nil)
    var done = DoneActivities()
    var deeds: [Deed] = []
    for event in events.reversed() {
      let wasDone = done.isDone(event.node, by: event.learner)
      done.note(event)
      let becameDone = !wasDone && done.isDone(event.node, by: event.learner)
      guard event.kind == .quizChecked || becameDone else { continue }
      if let since = query.since, event.at < since { continue }
      if let until = query.until, event.at > until { continue }
      if let session = query.session, event.session != session { continue }
      if let name = query.sessionName, try snapshot.session(event.session)?.session.name != name { continue }
      let chain = try snapshot.chain(to: event.node)
      guard query.under.allSatisfy({ node in chain.contains { $0.id == node } }) else { continue }
      let title = chain.last?.title ?? ""
      guard query.texts.allSatisfy({ title.range(of: $0, options: .caseInsensitive) != nil }) else { continue }
      if let type = query.type, try snapshot.content(of: event.node)?.type != type { continue }
      deeds += Deed.all(of: event, becameDone: becameDone)
    }
    return deeds.reversed()
  }
}

/// A thing done as it is stated.
private struct Deed {
  let event: ActivityEvent
  let verb: LearningStatement.Verb
  /// The share that was right, 0…1.
  var score: Double?

  /// What is stated of a thing done.
  static func all(of event: ActivityEvent, becameDone: Bool) -> [Deed] {
    let completed = becameDone ? [Deed(event: event, verb: .completed)] : []
    guard event.kind == .quizChecked else { return completed }
    guard let detail = LearningAct.Detail(of: event), let pass = detail.pass else {
      return [Deed(event: event, verb: .completed, score: event.score)]
    }
    // Where nothing can be right or wrong, there is nothing to pass.
    guard let score = event.score, detail.of != 0 else { return completed }
    return [Deed(event: event, verb: score >= pass ? .passed : .failed, score: score)] + completed
  }
}

/// Names of places as statements have them, each looked up once.
private final class Things {
  let names: PlaceNames
  private let snapshot: StoreSnapshot
  private var things: [NodeID: LearningStatement.Thing] = [:]
  private var languages: [NodeID: String] = [:]
  private var sessions: [SessionID: SessionRecord] = [:]

  init(_ snapshot: StoreSnapshot) {
    self.snapshot = snapshot
    names = PlaceNames(snapshot)
  }

  /// Returns what a node is called.
  func thing(_ id: NodeID) throws -> LearningStatement.Thing {
    if let thing = things[id] { return thing }
    guard let node = try snapshot.node(id), let course = try snapshot.node(node.course) else {
      throw NavigationError.unknownPlace(name: "\(id.rawValue)", nearest: [])
    }
    let thing = LearningStatement.Thing(
      courseKey: course.key, key: node.key, kind: node.kind, activity: try snapshot.activityType(of: id),
      title: node.title, language: try language(of: course.id))
    things[id] = thing
    return thing
  }

  /// Returns what an activity stood in when something was done in it, from the course down: as the learner had come to
  /// it. The course alone, which it never leaves, where they had not.
  func above(_ event: ActivityEvent) throws -> [LearningStatement.Thing] {
    if let visit = try snapshot.lastVisit(of: event.node, in: event.session, by: event.at) {
      return try visit.event.stack.dropLast().compactMap(\.node).map { try thing($0) }
    }
    return try snapshot.node(event.node).map { [try thing($0.course)] } ?? []
  }

  private func language(of course: NodeID) throws -> String {
    if let language = languages[course] { return language }
    let language = try snapshot.course(course)?.language.flatMap { $0.isLanguageTag ? $0 : nil } ?? "und"
    languages[course] = language
    return language
  }

  /// Returns a session's name everywhere.
  func session(_ id: SessionID) throws -> String { try record(id)?.session.uuid ?? "" }

  /// Whether a visit is the last one of a session that is open elsewhere: how long it lasted is not known here yet.
  func goesOnElsewhere(_ step: LoggedStep) throws -> Bool {
    try record(step.event.session)?.isOpenElsewhere == true && snapshot.operation(after: step) == nil
  }

  private func record(_ id: SessionID) throws -> SessionRecord? {
    if let record = sessions[id] { return record }
    let record = try snapshot.session(id)
    sessions[id] = record
    return record
  }
}

extension String {
  /// Whether it has the form of a language tag.
  ///
  /// Source: RFC 5646, section 2.1, as far as form goes.
  fileprivate var isLanguageTag: Bool { wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil }
}
