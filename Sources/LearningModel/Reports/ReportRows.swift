// What a report says of a class, or of everyone. Each row is written with its members in this order.

/// A learner who has begun something, and neither finished it nor begun or finished anything since.
package struct StuckLearner: Hashable, Codable, Sendable {
  /// What they are called.
  package let learner: String
  /// Who they are everywhere: names may repeat.
  package let uuid: String
  /// The activity that they began last.
  package let path: String
  /// What it is called.
  package let title: String
  /// When they began it.
  package let begunAt: Timestamp
  /// When they last began or finished anything.
  package let lastAt: Timestamp
  /// How many activities they have begun and not finished.
  package let unfinished: Int

  /// Makes a row.
  package init(
    learner: String, uuid: String, path: String, title: String, begunAt: Timestamp, lastAt: Timestamp, unfinished: Int
  ) {
    (self.learner, self.uuid, self.path, self.title) = (learner, uuid, path, title)
    (self.begunAt, self.lastAt, self.unfinished) = (begunAt, lastAt, unfinished)
  }
}

/// A learner who has begun nothing.
package struct LearnerNotBegun: Hashable, Codable, Sendable {
  /// What they are called.
  package let learner: String
  /// Who they are everywhere: names may repeat.
  package let uuid: String
  /// Since when they could have: when they joined the class, or first were known.
  package let since: Timestamp

  /// Makes a row.
  package init(learner: String, uuid: String, since: Timestamp) {
    (self.learner, self.uuid, self.since) = (learner, uuid, since)
  }
}

/// An activity that some have begun, and not finished for a while.
package struct LeftActivity: Hashable, Codable, Sendable {
  /// Where it is.
  package let path: String
  /// What it is called.
  package let title: String
  /// How many have begun it.
  package let begun: Int
  /// How many have done it.
  package let done: Int
  /// How many have begun it for so long and not done it.
  package let left: Int

  /// Makes a row.
  package init(path: String, title: String, begun: Int, done: Int, left: Int) {
    (self.path, self.title, self.begun, self.done, self.left) = (path, title, begun, done, left)
  }
}

/// How many learners came back in a week after their first.
package struct RetentionWeek: Hashable, Codable, Sendable {
  /// The week after each learner's own beginning; that one is 0.
  package let week: Int
  /// For how many it has begun.
  package let learners: Int
  /// How many of them began or finished something in it.
  package let active: Int

  /// Makes a row.
  package init(week: Int, learners: Int, active: Int) {
    (self.week, self.learners, self.active) = (week, learners, active)
  }
}

/// About whom and what a report is.
package struct ReportScope: Hashable, Sendable {
  /// A class; everyone where `nil`.
  package var className: String?
  /// The path of a course; all of them where `nil`.
  package var course: String?

  /// Names what a report is about.
  package init(className: String? = nil, course: String? = nil) {
    (self.className, self.course) = (className, course)
  }
}
