package import LearningModel
import LearningStore

// Classes of learners, and what a server's reports ask of them.

extension NavigationService {
  /// Makes a class.
  ///
  /// - Returns: Whether there was none of that name.
  /// - Throws: ``NavigationError/unusableName(name:)``.
  package func addClass(_ name: String, at moment: Timestamp) throws -> Bool {
    let name = try Self.className(name)
    return try durably { try $0.addClass(name, at: moment) }
  }

  /// Takes a class away; its members stay as they are.
  ///
  /// - Returns: Whether there was one of that name.
  package func removeClass(_ name: String) throws -> Bool { try durably { try $0.removeClass(name) } }

  /// Returns every class with its members, by name.
  package func classes() throws -> [LearnerClass] { try read { try $0.classes() } }

  /// Brings a learner into a class; they need not have been here yet.
  ///
  /// - Returns: Whether they were not in it.
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  package func join(_ learner: String, toClass name: String, at moment: Timestamp) throws -> Bool {
    try durably { transaction in
      let learner = try Self.checked(learner, in: transaction.snapshot)
      return try transaction.join(
        transaction.makeLearner(named: learner, at: moment).id, toClass: name, at: moment)
    }
  }

  /// Takes a learner out of a class.
  ///
  /// - Returns: Whether they were in it.
  package func leave(_ learner: String, fromClass name: String) throws -> Bool {
    try durably { try $0.leave(learner, fromClass: name) }
  }

  /// Changes what a server keeps, and waits until it is on disk.
  func durably<Answer>(_ body: (StoreTransaction) throws -> Answer) throws(NavigationError) -> Answer {
    try write(surviving: .powerCut, body)
  }

  // MARK: - Reports

  /// Returns who has begun something, finished it not, and neither begun nor finished anything since a moment.
  ///
  /// - Returns: `nil` where the scope names a course that is not here.
  package func stuck(_ scope: ReportScope, since moment: Timestamp, limit: Int) throws -> [StuckLearner]? {
    try report(scope) { try $0.stuck(class: scope.className, course: $1, since: moment, limit: limit) }
  }

  /// Returns who has begun nothing.
  ///
  /// - Returns: `nil` where the scope names a course that is not here.
  package func notBegun(_ scope: ReportScope, limit: Int) throws -> [LearnerNotBegun]? {
    try report(scope) { try $0.notBegun(class: scope.className, course: $1, limit: limit) }
  }

  /// Returns the activities that most have begun before a moment and not finished.
  ///
  /// - Returns: `nil` where the scope names a course that is not here.
  package func left(_ scope: ReportScope, since moment: Timestamp, limit: Int) throws -> [LeftActivity]? {
    try report(scope) { try $0.left(class: scope.className, course: $1, since: moment, limit: limit) }
  }

  /// Returns how many came back in each week after their first.
  ///
  /// - Returns: `nil` where the scope names a course that is not here.
  package func retention(_ scope: ReportScope, at now: Timestamp, weeks: Int) throws -> [RetentionWeek]? {
    try report(scope) { try $0.retention(class: scope.className, course: $1, at: now, weeks: weeks) }
  }

  private func report<Row>(
    _ scope: ReportScope, _ ask: (StoreSnapshot, NodeID?) throws -> [Row]
  ) throws -> [Row]? {
    try read { snapshot in
      guard let course = scope.course else { return try ask(snapshot, nil) }
      guard let node = try snapshot.course(called: course) else { return nil }
      return try ask(snapshot, node)
    }
  }
}
