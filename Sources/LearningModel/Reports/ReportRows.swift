// The rows of reports about a class or about all learners. The members of a row are encoded in the order of their
// declaration.

/// A learner who has begun but not finished an activity, and has neither begun nor finished anything since.
package struct StuckLearner: Hashable, Codable, Sendable {
  /// The learner's name.
  package let learner: String
  /// The learner's UUID, because names may repeat across servers.
  package let uuid: String
  /// The path of the activity that the learner began last.
  package let path: String
  /// The title of the activity.
  package let title: String
  /// The time at which the learner began the activity.
  package let begunAt: Timestamp
  /// The time at which the learner last began or finished anything.
  package let lastAt: Timestamp
  /// The number of activities that the learner has begun but not finished.
  package let unfinished: Int

  package init(
    learner: String, uuid: String, path: String, title: String, begunAt: Timestamp, lastAt: Timestamp, unfinished: Int
  ) {
    (self.learner, self.uuid, self.path, self.title) = (learner, uuid, path, title)
    (self.begunAt, self.lastAt, self.unfinished) = (begunAt, lastAt, unfinished)
  }
}

/// A learner who has not begun any activity.
package struct LearnerNotBegun: Hashable, Codable, Sendable {
  /// The learner's name.
  package let learner: String
  /// The learner's UUID, because names may repeat across servers.
  package let uuid: String
  /// The time at which the learner joined the class or, for a report on all learners, was created.
  package let since: Timestamp

  package init(learner: String, uuid: String, since: Timestamp) {
    (self.learner, self.uuid, self.since) = (learner, uuid, since)
  }
}

/// An activity that learners began some time ago but have not finished.
package struct AbandonedActivity: Hashable, Codable, Sendable {
  /// The path of the activity.
  package let path: String
  /// The title of the activity.
  package let title: String
  /// The number of learners who have begun the activity.
  package let begun: Int
  /// The number of learners who have finished the activity.
  package let done: Int
  /// The number of learners who began the activity before the time of the report's parameter and have not finished it.
  package let left: Int

  package init(path: String, title: String, begun: Int, done: Int, left: Int) {
    (self.path, self.title, self.begun, self.done, self.left) = (path, title, begun, done, left)
  }
}

/// The number of learners who were active in a week, counted from each learner's first week.
package struct RetentionWeek: Hashable, Codable, Sendable {
  /// The number of weeks since each learner's first week, which is 0.
  package let week: Int
  /// The number of learners for whom this week has begun.
  package let learners: Int
  /// The number of these learners who began or finished something in this week.
  package let active: Int

  package init(week: Int, learners: Int, active: Int) {
    (self.week, self.learners, self.active) = (week, learners, active)
  }
}

/// The learners and courses of a report.
package struct ReportScope: Hashable, Sendable {
  /// The name of a class, or `nil` for all learners.
  package var className: String?
  /// The path of a course, or `nil` for all courses.
  package var course: String?

  package init(className: String? = nil, course: String? = nil) {
    (self.className, self.course) = (className, course)
  }
}
