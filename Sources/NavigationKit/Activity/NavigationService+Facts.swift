public import LearningModel
import LearningStore
import Synchronization

// Data of a learner outside the logs: reading positions, bookmarks and settings.

extension NavigationService {
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
    let time = now()
    let presence = sessionCache.withLock { cache -> (SessionID, Int64, Presence)? in
      guard let session = cache.session, var current = cache.presence else { return nil }
      current.presence.recordInput(inputAt: time)
      cache.presence = current
      cache.savedAt = time
      return (session, current.event, current.presence)
    }
    try write(waitingAtMost: timeout) { transaction in
      guard let record = try openSession(in: transaction.snapshot, at: time) else { return }
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
    try readLatest { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: learner) else { return nil }
      return try snapshot.readingPosition(of: node, for: learner.id).map(ReadingPosition.init)
    }
  }

  /// Returns the character ranges of a text that the learner has read, by the digest of their passage.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func passagesRead(in place: Place) throws(NavigationError) -> [String: RangeSet<Int>] {
    try readLatest { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: learner) else { return [:] }
      return try snapshot.passagesRead(in: node, by: learner.id)
    }
  }

  /// Adds or removes the bookmark of a place. The bookmark of a removed place can be removed too.
  ///
  /// - Parameters:
  ///   - isSet: Whether the place has a bookmark afterwards.
  ///   - name: The place.
  ///   - timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Returns: Whether the bookmark was added or removed. `false` if nothing had to be changed.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``, and ``NavigationError/removedPlace(title:nearest:)`` if
  ///   a bookmark is to be added to a removed place.
  @discardableResult
  public func setBookmark(_ isSet: Bool, at name: PlaceName, waitingAtMost timeout: Duration? = nil)
    throws(NavigationError) -> Bool
  {
    let time = now()
    return try write(waitingAtMost: timeout) { transaction in
      let resolver = PlaceResolver(snapshot: transaction.snapshot, current: [])
      guard let node = try isSet ? resolver.resolve(name, nearby: nil).last : resolver.resolveEvenRemoved(name),
        let storedLearner = try transaction.snapshot.learner(named: learner)
          ?? (isSet ? makeLearner(in: transaction, at: time) : nil)
      else { return false }
      return try transaction.setBookmark(isSet, at: node.id, for: storedLearner.id, at: time)
    }
  }

  /// Returns the place with the given name, even if the place was removed and another place now contains its text. This
  /// is the place whose bookmark ``setBookmark(_:at:waitingAtMost:)`` removes.
  ///
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  package func placeEvenRemoved(named name: PlaceName) throws(NavigationError) -> NamedPlace {
    try readLatest { snapshot in
      NamedPlace(try snapshot.chain(to: PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved(name)?.id))
    }
  }

  /// Returns the places that the learner has bookmarked, the newest bookmark first.
  ///
  /// Includes removed places, for which `NamedPlace.isRemoved` is `true`. Their bookmarks become usable again when the
  /// places are restored.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func bookmarks() throws(NavigationError) -> [NamedPlace] {
    try read { snapshot in
      guard let learner = try snapshot.learner(named: learner) else { return [] }
      return try snapshot.bookmarks(of: learner.id).map { NamedPlace(try snapshot.chain(to: $0.node)) }
    }
  }

  /// Returns the value of one of the learner's settings, or `nil` if the setting has no value.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func setting(_ name: String) throws(NavigationError) -> String? {
    try read { snapshot in try snapshot.learner(named: learner).flatMap { try snapshot.setting(name, of: $0.id) } }
  }

  /// Stores a setting of the learner. The value `nil` removes the setting.
  ///
  /// - Throws: ``NavigationError/busy``, ``NavigationError/database(_:)``.
  public func set(_ value: String?, forSetting name: String) throws(NavigationError) {
    let time = now()
    try write { transaction in
      let storedLearner = try makeLearner(in: transaction, at: time)
      try transaction.set(value, forSetting: name, of: storedLearner.id, at: time)
    }
  }
}

// Reading positions of learners without an open session, for front ends such as the server.

extension NavigationService {
  /// Saves the reading position in a text, or removes it. Works without an open session.
  ///
  /// - Parameters:
  ///   - position: The reading position, whose fractions are clamped to 0…1. `nil` removes the stored position.
  ///   - name: The activity.
  /// - Throws: ``NavigationError/notAnActivity(place:)`` if the place is not an activity, and the errors of
  ///   `perform(_:cause:animated:waitingAtMost:)`.
  package func setReadingPosition(_ position: ReadingPosition?, in name: PlaceName) throws {
    let time = now()
    try write { transaction in
      let node = try activity(name, in: transaction.snapshot)
      guard let position else {
        guard let storedLearner = try transaction.snapshot.learner(named: learner) else { return }
        return try transaction.removeReadingPosition(of: node, for: storedLearner.id, at: time)
      }
      let storedLearner = try makeLearner(in: transaction, at: time)
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
