package import LearningModel
import LearningStore

extension NavigationService {
  /// Records the progress in another program.
  ///
  /// Cards get the answers that are new. Passed exercises are marked as done, because no check here has
  /// passed; those that are done already do not change.
  ///
  /// - Parameters:
  ///   - progress: The progress in the source of a course.
  ///   - course: The path of the course.
  /// - Returns: The numbers of what was recorded.
  /// - Throws: The errors of ``NavigationService/perform(_:)``.
  package func record(_ progress: SourceProgress, in course: PlacePath) throws(NavigationError) -> RecordedProgress {
    // The answers are counted by the start of the day, and the memories computed with the weights, of the preset.
    try reviews.use(progress.preset, of: course)
    var recorded = try cards.record(progress.cards, in: course)
    recorded.exercises = try self.progress.mark(progress.passedExercises, in: course)
    return recorded
  }
}

extension LearnerProgress {
  /// Marks the exercises with these keys as done, except those that are done. Returns the number of marked exercises.
  fileprivate func mark(_ keys: [String], in course: PlacePath) throws(NavigationError) -> Int {
    guard !keys.isEmpty else { return 0 }
    return try session.beginning(waitingAtMost: nil) { transaction, record, time in
      let snapshot = transaction.snapshot
      guard case .node(let course)? = try snapshot.place(at: course) else { return 0 }
      let event = ActivityEventContent.markedDone
      var count = 0
      for key in keys {
        guard let node = try snapshot.node(withKey: key, inCourse: course)?.id,
          try snapshot.progress(of: node, for: record.session.learner).done == 0
        else { continue }
        try session.append(event.kind, event.detail, score: event.score, node: node, at: time, record, transaction)
        count += 1
      }
      return count
    }
  }
}
