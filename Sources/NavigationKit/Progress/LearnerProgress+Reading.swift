public import LearningModel
import LearningStore
import Synchronization

// Reading positions and the passages that were read.

extension LearnerProgress {
  /// Saves the reading position in a text, the passages that were read, and the time of the learner's last input.
  ///
  /// Does nothing if no session is open.
  ///
  /// - Parameters:
  ///   - position: The reading position. Fractions outside 0…1 are clamped.
  ///   - passages: The character ranges that were read, by the digest of their passage. They are added to the stored
  ///     ranges.
  ///   - place: The activity. Nothing is saved for the root.
  ///   - timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Throws: ``NavigationError/busy`` if another program keeps the database locked for longer than that, or
  ///   ``NavigationError/database(_:)``.
  public func save(
    _ position: ReadingPosition, read passages: [String: RangeSet<Int>] = [:], in place: Place,
    waitingAtMost timeout: Duration? = nil
  ) throws(NavigationError) {
    guard let node = place.node else { return }
    let time = session.now()
    let presence = session.cache.withLock { cache -> (SessionID, Int64, Presence)? in
      guard let session = cache.session, var current = cache.presence else { return nil }
      current.presence.recordInput(inputAt: time)
      cache.presence = current
      cache.savedAt = time
      return (session, current.event, current.presence)
    }
    try session.write(waitingAtMost: timeout) { transaction in
      guard let record = try session.openSession(in: transaction.snapshot, at: time) else { return }
      try transaction.save(
        StoredReadingPosition(
          block: max(0, position.block), blockOffset: min(1, max(0, position.blockOffset)),
          fraction: min(1, max(0, position.fraction)), heading: position.heading, savedAt: position.savedAt),
        of: node, for: record.session.learner)
      try transaction.savePassages(passages, readIn: node, by: record.session.learner, at: position.savedAt)
      if let presence, try transaction.snapshot.lastNavigationEvent(of: presence.0)?.event.id == presence.1 {
        try transaction.save(presence.2, in: presence.0)
      }
    }
  }

  /// Returns the learner's reading position in a text, or `nil` if none is stored.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func readingPosition(in place: Place) throws(NavigationError) -> ReadingPosition? {
    try session.readLatest { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: session.learner) else { return nil }
      return try snapshot.readingPosition(of: node, for: learner.id).map(ReadingPosition.init)
    }
  }

  /// Returns the character ranges of a text that the learner has read, by the digest of their passage.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func passagesRead(in place: Place) throws(NavigationError) -> [String: RangeSet<Int>] {
    try session.readLatest { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: session.learner) else { return [:] }
      return try snapshot.passagesRead(in: node, by: learner.id)
    }
  }

  // Reading positions of learners without an open session, for front ends such as the server.

  /// Saves the reading position in a text, or removes it. Works without an open session.
  ///
  /// - Parameters:
  ///   - position: The reading position, whose fractions are clamped to 0…1. `nil` removes the stored position.
  ///   - name: The activity.
  /// - Throws: ``NavigationError/notAnActivity(place:)`` if the place is not an activity, and the errors of
  ///   `NavigationService.perform`.
  package func setReadingPosition(_ position: ReadingPosition?, in name: PlaceName) throws {
    let time = session.now()
    try session.write { transaction in
      let node = try transaction.snapshot.activity(name).node.id
      guard let position else {
        guard let storedLearner = try transaction.snapshot.learner(named: session.learner) else { return }
        return try transaction.removeReadingPosition(of: node, for: storedLearner.id, at: time)
      }
      let storedLearner = try session.makeLearner(in: transaction, at: time)
      try transaction.save(
        StoredReadingPosition(
          block: max(0, position.block), blockOffset: min(1, max(0, position.blockOffset)),
          fraction: min(1, max(0, position.fraction)), heading: position.heading, savedAt: position.savedAt),
        of: node, for: storedLearner.id)
    }
  }

  /// Returns the learner's reading position in a text, or `nil` if none is stored.
  ///
  /// - Throws: ``NavigationError/notAnActivity(place:)``, ``NavigationError/unknownPlace(name:nearest:)``.
  package func readingPosition(at name: PlaceName) throws -> ReadingPosition? {
    try session.read { snapshot in
      let node = try snapshot.activity(name).node.id
      guard let learner = try snapshot.learner(named: session.learner) else { return nil }
      return try snapshot.readingPosition(of: node, for: learner.id).map(ReadingPosition.init)
    }
  }
}
