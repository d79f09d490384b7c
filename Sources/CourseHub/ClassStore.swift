package import LearningModel

/// What a hub knows of classes, and what is asked of them. A class is named by its name, a learner by theirs.
///
/// Reports come from what learners have begun and done, never from the logs, so they take as long as there are learners and
/// not as long as there are events. Each throws ``HubError/unknownClass(_:)`` and ``HubError/unknownCourse(_:)``.
package protocol ClassStore {
  /// Makes a class.
  ///
  /// - Returns: Whether there was none of that name.
  func addClass(_ name: String, at now: Timestamp) throws -> Bool

  /// Takes a class away; its members stay as they are.
  ///
  /// - Throws: ``HubError/unknownClass(_:)``.
  func removeClass(_ name: String) throws

  /// Returns every class with its members, by name.
  func classes() throws -> [LearnerClass]

  /// Brings a learner into a class; they need not have been here yet.
  ///
  /// - Returns: Whether they were not in it.
  /// - Throws: ``HubError/unknownClass(_:)``.
  func join(_ learner: String, toClass name: String, at now: Timestamp) throws -> Bool

  /// Takes a learner out of a class.
  ///
  /// - Throws: ``HubError/unknownClass(_:)``, ``HubError/notInClass(learner:className:)``.
  func leave(_ learner: String, fromClass name: String) throws

  /// Returns who has begun something, finished it not, and neither begun nor finished anything since; who has waited
  /// longest comes first.
  ///
  /// - Parameters:
  ///   - moment: Since when.
  ///   - limit: How many rows at most.
  func stuck(_ scope: ReportScope, since moment: Timestamp, limit: Int) throws -> [StuckLearner]

  /// Returns who has begun nothing; who could have for longest comes first.
  func notBegun(_ scope: ReportScope, limit: Int) throws -> [LearnerNotBegun]

  /// Returns the activities that most have begun before a moment and not finished.
  func left(_ scope: ReportScope, since moment: Timestamp, limit: Int) throws -> [LeftActivity]

  /// Returns how many came back in each week after their own first one.
  ///
  /// - Parameter weeks: How many weeks at most.
  func retention(_ scope: ReportScope, at now: Timestamp, weeks: Int) throws -> [RetentionWeek]
}

extension ClassStore {
  /// Sees that there is a class of that name.
  func find(_ name: String?) throws {
    guard let name else { return }
    guard try classes().contains(where: { $0.name == name }) else { throw HubError.unknownClass(name) }
  }
}
