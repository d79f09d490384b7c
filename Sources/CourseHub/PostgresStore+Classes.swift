package import LearningModel
import LearningStore
import NavigationService

extension PostgresStore {
  package func addClass(_ name: String, at now: Timestamp) throws -> Bool {
    try isTrue("add_class", [tenant, NavigationService.className(name), now.description])
  }

  package func removeClass(_ name: String) throws {
    guard try isTrue("remove_class", [tenant, name]) else { throw HubError.unknownClass(name) }
  }

  package func classes() throws -> [LearnerClass] { try value([LearnerClass].self, "classes", [tenant]) }

  package func join(_ learner: String, toClass name: String, at now: Timestamp) throws -> Bool {
    try find(name)
    let uuid = try uuid(ofLearnerNamed: learner, at: now)
    return try isTrue("join_class", [tenant, name, uuid, now.description])
  }

  package func leave(_ learner: String, fromClass name: String) throws {
    try find(name)
    guard try isTrue("leave_class", [tenant, name, learner]) else {
      throw HubError.notInClass(learner: learner, className: name)
    }
  }

  package func stuck(_ scope: ReportScope, since moment: Timestamp, limit: Int) throws -> [StuckLearner] {
    try report("stuck", scope, [moment.description, String(limit)])
  }

  package func notBegun(_ scope: ReportScope, limit: Int) throws -> [LearnerNotBegun] {
    try report("not_begun", scope, [String(limit)])
  }

  package func left(_ scope: ReportScope, since moment: Timestamp, limit: Int) throws -> [LeftActivity] {
    try report("left", scope, [moment.description, String(limit)])
  }

  package func retention(_ scope: ReportScope, at now: Timestamp, weeks: Int) throws -> [RetentionWeek] {
    try report("retention", scope, [now.description, String(weeks)])
  }

  private func report<Row: Decodable>(_ name: String, _ scope: ReportScope, _ values: [String]) throws -> [Row] {
    try find(scope.className)
    var course: String?
    if let path = scope.course {
      course = try pool.call("course_named", [tenant, path])
      guard course != nil else { throw HubError.unknownCourse(path) }
    }
    return try value([Row].self, "report_" + name, [tenant, scope.className, course] + values)
  }

  /// Calls a function that answers yes or no.
  func isTrue(_ function: String, _ values: [String?]) throws -> Bool { try pool.call(function, values) == "t" }
}
