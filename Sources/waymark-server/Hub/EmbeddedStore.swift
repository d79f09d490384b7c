import Foundation
import LearningModel
import NavigationKit

/// A hub's store in the SQLite database of the server. Learners are identified by their names.
struct EmbeddedStore: HubStore {
  let navigation: NavigationService

  init(_ navigation: NavigationService) { self.navigation = navigation }

  func check(after failure: DatabaseHealth.Failure?) throws {
    try navigation.access.checkFile(writing: failure == .storage, pages: failure == .damaged)
  }

  func addToken(
    for name: String, _ scope: AccessScope, at now: Timestamp, expiresAt end: Timestamp?
  ) throws -> (secret: String, token: AccessToken) {
    let secret = TokenSecret.make()
    return (
      secret, try navigation.access.addToken(digest: TokenSecret.digest(of: secret), for: name, scope, expiresAt: end)
    )
  }

  func tokens() throws -> [AccessToken] { try navigation.access.tokens() }

  func revokeToken(_ id: Int64, at now: Timestamp) throws -> Bool { try navigation.access.revokeToken(id) }

  func validToken(_ secret: String, at now: Timestamp) throws -> AccessToken? {
    try navigation.access.validToken(digest: TokenSecret.digest(of: secret))
  }

  func answer(
    _ message: SyncMessage, about learner: String, by token: AccessToken?, at now: Timestamp, trustsTimes: Bool
  ) throws -> SyncAnswer {
    try NavigationService(
      sharingDatabaseOf: navigation, learner: learner, session: .process(named: "question"), timeZone: .gmt
    )
    .sync.respond(message, trustsTimes: trustsTimes)
  }

  func eraseLearner(_ learner: String, by actor: AuditActor, at now: Timestamp) throws -> ErasedLearner {
    let erasure = try navigation.learners.erase(learner, sweeping: false, barringIdentities: false, by: actor)
    return ErasedLearner(learner: erasure.learner, steps: erasure.steps, activities: erasure.activities)
  }

  func noteAudit(command: String, at now: Timestamp) throws {
    try navigation.access.recordAudit(command: command, of: nil, at: now)
  }

  func audit() throws -> [AuditEntry] { try navigation.access.audit() }
}

extension EmbeddedStore {
  func addClass(_ name: String, at now: Timestamp) throws -> Bool { try navigation.classes.add(name, at: now) }

  func removeClass(_ name: String) throws {
    guard try navigation.classes.remove(name) else { throw HubError.unknownClass(name) }
  }

  func classes() throws -> [LearnerClass] { try navigation.classes.all() }

  func join(_ learners: [String], toClass name: String, at now: Timestamp) throws -> [Bool] {
    try find(name)
    return try navigation.classes.join(learners, toClass: name, at: now)
  }

  func leave(_ learners: [String], fromClass name: String) throws {
    try find(name, with: learners)
    try navigation.classes.leave(learners, fromClass: name)
  }

  // MARK: - Reports

  // They are computed from the learners' progress, never from the event logs, so their cost grows with the number of
  // learners, not with the number of events. Each one throws ``HubError/unknownClass(_:)`` and
  // ``HubError/unknownCourse(_:)``.

  /// Returns the learners who have unfinished activities, but have neither begun nor finished an activity since a
  /// point in time, the longest inactive first.
  ///
  /// - Parameters:
  ///   - time: The start of the period of inactivity.
  ///   - limit: The maximum number of rows.
  func stuckLearners(_ scope: ReportScope, since time: Timestamp, limit: Int) throws -> [StuckLearner] {
    try report(scope) { try navigation.classes.stuckLearners(scope, since: time, limit: limit) }
  }

  /// Returns the learners who have not begun any activity. Those who joined the class first come first or,
  /// without a class, those who were created first.
  func learnersNotBegun(_ scope: ReportScope, limit: Int) throws -> [LearnerNotBegun] {
    try report(scope) { try navigation.classes.learnersNotBegun(scope, limit: limit) }
  }

  /// Returns the activities that learners began before a point in time and have not finished. Activities with the most
  /// such learners come first.
  func abandonedActivities(_ scope: ReportScope, since time: Timestamp, limit: Int) throws -> [AbandonedActivity] {
    try report(scope) { try navigation.classes.abandonedActivities(scope, since: time, limit: limit) }
  }

  /// Returns how many learners were active in each week after they began.
  ///
  /// - Parameter weeks: The maximum number of weeks.
  func retention(_ scope: ReportScope, at now: Timestamp, weeks: Int) throws -> [RetentionWeek] {
    try report(scope) { try navigation.classes.retention(scope, at: now, weeks: weeks) }
  }

  private func report<Row>(_ scope: ReportScope, _ ask: () throws -> [Row]?) throws -> [Row] {
    try find(scope.className)
    guard let rows = try ask() else { throw HubError.unknownCourse(scope.course ?? "") }
    return rows
  }
}
