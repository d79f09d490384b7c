package import LearningModel
import LearningStore

// Classes of learners, and the reports of a server about them.

/// The classes of learners in a database, and the reports of a server about them.
package struct LearnerClasses: Sendable {
  let session: LearnerSession

  /// Adds a class.
  ///
  /// - Returns: Whether the class was added. `false` if a class with this name exists.
  /// - Throws: ``NavigationError/unusableName(name:)``.
  package func add(_ name: String, at time: Timestamp) throws -> Bool {
    let name = try LearnerName.className(name)
    return try session.durably { try $0.addClass(name, at: time) }
  }

  /// Removes a class. Its members are kept as learners.
  ///
  /// - Returns: Whether a class with this name existed.
  package func remove(_ name: String) throws -> Bool { try session.durably { try $0.removeClass(name) } }

  /// Returns all classes with their members, sorted by name.
  package func all() throws -> [LearnerClass] { try session.read { try $0.classes() } }

  /// Adds learners to a class. Creates the missing learners. If a name is refused, nothing is changed.
  ///
  /// - Returns: Whether each learner was added. `false` if the learner was already a member.
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  package func join(_ learners: [String], toClass name: String, at time: Timestamp) throws -> [Bool] {
    try session.durably { transaction in
      try learners.map { learner in
        let learner = try LearnerName.checked(learner, besides: transaction.snapshot.knownNames())
        return try transaction.join(transaction.makeLearner(named: learner, at: time).id, toClass: name, at: time)
      }
    }
  }

  /// Removes learners from a class.
  package func leave(_ learners: [String], fromClass name: String) throws {
    try session.durably { transaction in for learner in learners { _ = try transaction.leave(learner, fromClass: name) }
    }
  }

  // MARK: - Reports

  /// Returns the learners who have begun but not finished something, and have neither begun nor finished anything since
  /// a time.
  ///
  /// - Returns: The learners, or `nil` if the course of the scope does not exist.
  package func stuckLearners(_ scope: ReportScope, since time: Timestamp, limit: Int) throws -> [StuckLearner]? {
    try report(scope) { try $0.stuckLearners(class: scope.className, course: $1, since: time, limit: limit) }
  }

  /// Returns the learners who have not begun any activity.
  ///
  /// - Returns: The learners, or `nil` if the course of the scope does not exist.
  package func learnersNotBegun(_ scope: ReportScope, limit: Int) throws -> [LearnerNotBegun]? {
    try report(scope) { try $0.learnersNotBegun(class: scope.className, course: $1, limit: limit) }
  }

  /// Returns the activities that learners began before a time and have not finished. Activities with the most such
  /// learners come first.
  ///
  /// - Returns: The activities, or `nil` if the course of the scope does not exist.
  package func abandonedActivities(_ scope: ReportScope, since time: Timestamp, limit: Int) throws
    -> [AbandonedActivity]?
  {
    try report(scope) { try $0.abandonedActivities(class: scope.className, course: $1, since: time, limit: limit) }
  }

  /// Returns the number of learners who returned in each week after their first.
  ///
  /// - Returns: One element per week, or `nil` if the course of the scope does not exist.
  package func retention(_ scope: ReportScope, at now: Timestamp, weeks: Int) throws -> [RetentionWeek]? {
    try report(scope) { try $0.retention(class: scope.className, course: $1, at: now, weeks: weeks) }
  }

  private func report<Row>(
    _ scope: ReportScope, _ ask: (StoreSnapshot, NodeID?) throws -> [Row]
  ) throws -> [Row]? {
    try session.read { snapshot in
      guard let course = scope.course else { return try ask(snapshot, nil) }
      guard let node = try snapshot.course(called: course) else { return nil }
      return try ask(snapshot, node)
    }
  }
}
