import LearningModel

/// A rule that every record fulfils by itself. Each kind of store checks these rules before it merges a record, and
/// then those rules that depend on stored events.
package struct RecordRule: Sendable {
  /// The contradiction, for errors.
  package let contradiction: String
  private let isBroken: @Sendable (LearnerRecord) -> Bool

  private init(_ contradiction: String, _ isBroken: @escaping @Sendable (LearnerRecord) -> Bool) {
    (self.contradiction, self.isBroken) = (contradiction, isBroken)
  }

  /// Returns the first rule that a record breaks, or `nil` if it breaks none.
  package static func broken(by record: LearnerRecord) -> RecordRule? { all.first { $0.isBroken(record) } }

  /// The active time that a session or a visit can have, in milliseconds: 30 years, so that sums never overflow.
  private static let activeTimes: ClosedRange<Int64> = 0...1_000_000_000_000

  /// All rules. A new rule needs an entry in `MergeRuleTests`.
  package static let all = [
    RecordRule("a UUID does not have 36 characters") { record in
      (record.sessions.map(\.uuid) + record.steps.map(\.uuid) + record.activities.map(\.uuid)).contains {
        $0.unicodeScalars.count != 36
      }
    },
    RecordRule("a session has no name, no database, or impossible times") { record in
      record.sessions.contains {
        $0.name.isEmpty || $0.timeZone.isEmpty || $0.replica.isEmpty || !activeTimes.contains($0.activeMs)
          || $0.lastInputAt < $0.startedAt
      }
    },
    RecordRule("the numbers of events have a gap") { record in
      hasGap(record.steps, \.session, \.sequence) || hasGap(record.activities, \.session, \.sequence)
    },
    RecordRule("a step does not begin where the previous one ended") { record in
      hasPair(record) { $0.to != $1.from }
    },
    RecordRule("a visit before another one has no end") { record in hasPair(record) { first, _ in first.leftAt == nil }
    },
    RecordRule("a visit has an impossible end or duration") { record in
      record.steps.contains { step in
        guard let leftAt = step.leftAt, let activeMs = step.activeMs else {
          return step.leftAt != nil || step.activeMs != nil
        }
        let duration = leftAt.milliseconds - step.at.milliseconds
        return duration < 0 || !activeTimes.contains(activeMs) || activeMs > duration
      }
    },
    RecordRule("a first step has a previous place, or another one has none") { record in
      record.steps.contains { ($0.sequence == 1) != ($0.from == nil) || ($0.from == nil) != ($0.transition == nil) }
    },
    RecordRule("a place has a node that its kind excludes, or lacks one") { record in
      record.steps.contains { step in [step.to, step.from].contains { $0?.isContradictory ?? false } }
    },
    RecordRule("a stack does not end in the place of its step") { record in
      record.steps.contains { $0.stack.last != $0.to.node }
    },
    RecordRule("a transition contradicts its kind") { record in
      record.steps.contains { $0.transition?.isContradictory ?? false }
    },
    RecordRule("a step returns to a later visit, or is not a step back or forward") { record in
      record.steps.contains { step in
        step.returnsTo.map { $0 < 1 || $0 >= step.sequence || !step.operation.isTraversal } ?? false
      }
    },
    RecordRule("a revision is not positive") { record in record.steps.contains { $0.courseRevision ?? 1 < 1 } },
    RecordRule("an activity event has an impossible score or order") { record in
      record.activities.contains {
        !(0...1).contains($0.score ?? 0) || !(0...9_007_199_254_740_991).contains($0.orderedAt)
      }
    },
    RecordRule("a reading position or a quiz is impossible") { record in
      record.positions.contains {
        $0.block < 0 || !(0...1).contains($0.blockOffset) || !(0...1).contains($0.fraction)
      } || record.quizzes.contains { $0.question < 0 || $0.questions.isEmpty }
    },
  ]

  private static func hasGap<Event>(
    _ events: [Event], _ session: (Event) -> String, _ number: (Event) -> Int
  ) -> Bool {
    inSessions(events, session, number).contains { indices in
      let first = number(events[indices[0]])
      return first < 1 || indices.enumerated().contains { number(events[$0.element]) - first != $0.offset }
    }
  }

  private static func hasPair(
    _ record: LearnerRecord,
    where isBroken: (LearnerRecord.NavigationEventRow, LearnerRecord.NavigationEventRow) -> Bool
  ) -> Bool {
    inSessions(record.steps, \.session, \.sequence).contains { indices in
      zip(indices, indices.dropFirst()).contains { isBroken(record.steps[$0], record.steps[$1]) }
    }
  }

  /// Returns the indices of the events of each session, in the order of their numbers.
  private static func inSessions<Event>(
    _ events: [Event], _ session: (Event) -> String, _ number: (Event) -> Int
  ) -> [[Int]] {
    Dictionary(grouping: events.indices) { session(events[$0]) }.values.map { indices in
      indices.sorted { number(events[$0]) < number(events[$1]) }
    }
  }
}

extension LearnerRecord.ScreenPosition {
  fileprivate var isContradictory: Bool {
    switch kind {
    case .root: node != nil
    case .course, .goal, .lesson, .activity: node == nil
    case .other: false
    }
  }
}

extension LearnerRecord.TransitionRow {
  fileprivate var isContradictory: Bool {
    switch kind {
    case .other: false
    case .crossFade: direction != nil || node != nil || reason == .matched
    case .courseCard, .goalCard, .lessonCard, .activityCard, .siblingSlide:
      direction == nil || node == nil || reason == .noMatch
    }
  }
}
