public import LearningModel
import LearningStore
import Synchronization

// What is kept of a learner beside the logs: how far they read, what they marked, how they like it.

extension NavigationService {
  /// Keeps where a text was left, what of it was read, and when the learner last did something.
  ///
  /// Nothing is kept for somebody who has no session open.
  ///
  /// - Parameters:
  ///   - position: How far; what lies outside 0…1 is brought there.
  ///   - passages: What has been read by the digests of the passages, beside what was kept before.
  ///   - place: The activity.
  ///   - milliseconds: How long to wait for a busy database; ten seconds where `nil`.
  /// - Throws: ``NavigationError/busy``, ``NavigationError/database(_:)``.
  public func save(
    _ position: ReadingPosition, read passages: [String: RangeSet<Int>] = [:], in place: Place,
    waitingAtMost timeout: Duration? = nil
  ) throws(NavigationError) {
    guard let node = place.node else { return }
    let moment = now()
    let presence = sitting.withLock { sitting -> (SessionID, Int64, Presence)? in
      guard let session = sitting.session, var current = sitting.presence else { return nil }
      current.presence.note(inputAt: moment)
      sitting.presence = current
      sitting.savedAt = moment
      return (session, current.event, current.presence)
    }
    try write(waitingAtMost: timeout) { transaction in
      guard let record = try openSession(in: transaction.snapshot, at: moment) else { return }
      try transaction.save(
        StoredReadingPosition(
          block: max(0, position.block), blockOffset: min(1, max(0, position.blockOffset)),
          fraction: min(1, max(0, position.fraction)), heading: position.heading, savedAt: position.savedAt),
        of: node, for: record.session.learner)
      try transaction.keep(passages, readIn: node, by: record.session.learner, at: position.savedAt)
      if let presence, try transaction.snapshot.lastStep(of: presence.0)?.event.id == presence.1 {
        try transaction.save(presence.2, in: presence.0)
      }
    }
  }

  /// Returns how far a text was read; `nil` where it was not.
  public func readingPosition(in place: Place) throws(NavigationError) -> ReadingPosition? {
    try glance { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: learner) else { return nil }
      return try snapshot.readingPosition(of: node, for: learner.id).map(ReadingPosition.init)
    }
  }

  /// Returns what was read of a text, by the digests of its passages.
  public func passagesRead(in place: Place) throws(NavigationError) -> [String: RangeSet<Int>] {
    try glance { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: learner) else { return [:] }
      return try snapshot.passagesRead(in: node, by: learner.id)
    }
  }

  /// Sets a bookmark, or takes it away; it can be taken away from a removed place too.
  ///
  /// - Parameters:
  ///   - isSet: Whether the place is marked then.
  ///   - name: Which place.
  ///   - milliseconds: How long to wait for a busy database; ten seconds where `nil`.
  /// - Returns: Whether that changed anything.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, and ``NavigationError/removedPlace(title:nearest:)`` where
  ///   one is to be set.
  @discardableResult
  public func setBookmark(_ isSet: Bool, at name: PlaceName, waitingAtMost timeout: Duration? = nil)
    throws(NavigationError) -> Bool
  {
    let moment = now()
    return try write(waitingAtMost: timeout) { transaction in
      let naming = PlaceResolver(snapshot: transaction.snapshot, current: [])
      guard let node = try isSet ? naming.resolve(name, nearby: nil).last : naming.resolveEvenRemoved(name),
        let known = try transaction.snapshot.learner(named: learner)
          ?? (isSet ? makeLearner(in: transaction, at: moment) : nil)
      else { return false }
      return try transaction.setBookmark(isSet, at: node.id, for: known.id, at: moment)
    }
  }

  /// Returns the place of a name as it is named there, also where it was removed and another one holds its text: the place
  /// that ``setBookmark(_:at:waitingAtMost:)`` takes a mark from.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  package func placeEvenRemoved(named name: PlaceName) throws(NavigationError) -> NamedPlace {
    try glance { snapshot in
      NamedPlace(try snapshot.chain(to: PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved(name)?.id))
    }
  }

  /// Returns the places that the learner has marked, the newest mark first. Those that were removed are among them, and say
  /// so: their marks count again when they return.
  public func bookmarks() throws(NavigationError) -> [NamedPlace] {
    try read { snapshot in
      guard let learner = try snapshot.learner(named: learner) else { return [] }
      return try snapshot.bookmarks(of: learner.id).map { NamedPlace(try snapshot.chain(to: $0.node)) }
    }
  }

  /// Returns a setting of the learner; `nil` where it is not set.
  public func setting(_ name: String) throws(NavigationError) -> String? {
    try read { snapshot in try snapshot.learner(named: learner).flatMap { try snapshot.setting(name, of: $0.id) } }
  }

  /// Keeps a setting of the learner; `nil` forgets it.
  public func set(_ value: String?, forSetting name: String) throws(NavigationError) {
    let moment = now()
    try write { transaction in
      let known = try makeLearner(in: transaction, at: moment)
      try transaction.set(value, forSetting: name, of: known.id, at: moment)
    }
  }
}

// How far a text was read, for front ends that have no session open while somebody reads.

extension NavigationService {
  /// Keeps where a text was left, or forgets it.
  ///
  /// - Parameters:
  ///   - position: How far; what lies outside 0…1 is brought there. `nil` forgets it.
  ///   - name: Which activity.
  /// - Throws: ``NavigationError/notAnActivity(place:)``, and as a step does.
  package func setReadingPosition(_ position: ReadingPosition?, in name: PlaceName) throws {
    let moment = now()
    try write { transaction in
      let node = try activity(name, in: transaction.snapshot)
      guard let position else {
        guard let known = try transaction.snapshot.learner(named: learner) else { return }
        return try transaction.forgetReadingPosition(of: node, for: known.id, at: moment)
      }
      let known = try makeLearner(in: transaction, at: moment)
      try transaction.save(
        StoredReadingPosition(
          block: max(0, position.block), blockOffset: min(1, max(0, position.blockOffset)),
          fraction: min(1, max(0, position.fraction)), heading: position.heading, savedAt: position.savedAt),
        of: node, for: known.id)
    }
  }

  /// Returns how far a text was read; `nil` where it was not.
  ///
  /// - Throws: ``NavigationError/notAnActivity(place:)``, ``NavigationError/unknownPlace(name:nearest:)``.
  package func readingPosition(at name: PlaceName) throws -> ReadingPosition? {
    try read { snapshot in
      let node = try activity(name, in: snapshot)
      guard let learner = try snapshot.learner(named: learner) else { return nil }
      return try snapshot.readingPosition(of: node, for: learner.id).map(ReadingPosition.init)
    }
  }

  private func activity(_ name: PlaceName, in snapshot: StoreSnapshot) throws -> NodeID {
    let chain = try PlaceResolver(snapshot: snapshot, current: []).resolve(name, nearby: nil)
    guard let node = chain.last, node.kind == .activity else {
      throw NavigationError.notAnActivity(place: NamedPlace(chain).path)
    }
    return node.id
  }
}
