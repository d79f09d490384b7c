package import LearningModel
import NavigationService

extension EmbeddedStore {
  package func addClass(_ name: String, at now: Timestamp) throws -> Bool { try house.addClass(name, at: now) }

  package func removeClass(_ name: String) throws {
    guard try house.removeClass(name) else { throw HubError.unknownClass(name) }
  }

  package func classes() throws -> [LearnerClass] { try house.classes() }

  package func join(_ learner: String, toClass name: String, at now: Timestamp) throws -> Bool {
    try find(name)
    return try house.join(learner, toClass: name, at: now)
  }

  package func leave(_ learner: String, fromClass name: String) throws {
    try find(name)
    guard try house.leave(learner, fromClass: name) else {
      throw HubError.notInClass(learner: learner, className: name)
    }
  }

  package func stuck(_ scope: ReportScope, since moment: Timestamp, limit: Int) throws -> [StuckLearner] {
    try report(scope) { try house.stuck(scope, since: moment, limit: limit) }
  }

  package func notBegun(_ scope: ReportScope, limit: Int) throws -> [LearnerNotBegun] {
    try report(scope) { try house.notBegun(scope, limit: limit) }
  }

  package func left(_ scope: ReportScope, since moment: Timestamp, limit: Int) throws -> [LeftActivity] {
    try report(scope) { try house.left(scope, since: moment, limit: limit) }
  }

  package func retention(_ scope: ReportScope, at now: Timestamp, weeks: Int) throws -> [RetentionWeek] {
    try report(scope) { try house.retention(scope, at: now, weeks: weeks) }
  }

  private func report<Row>(_ scope: ReportScope, _ ask: () throws -> [Row]?) throws -> [Row] {
    try find(scope.className)
    guard let rows = try ask() else { throw HubError.unknownCourse(scope.course ?? "") }
    return rows
  }
}
