public import LearningModel
import LearningStore

/// A note together with the activity that contains it.
public struct PlacedNote: Hashable, Sendable {
  /// The activity. Its `isRemoved` is `true` if the activity was removed from its course.
  public let place: NamedPlace
  /// The titles of the activity's ancestors, the course first.
  public let ancestorTitles: [String]
  /// The position of the activity in reading order: the index of each ancestor and of the activity among its siblings,
  /// the course first.
  public let position: [Int]
  /// The note's text and the passage that it is about.
  public let note: Note
}

extension PlacedNote {
  /// - Parameter chain: The path of nodes to the activity.
  init(_ stored: StoredNote, in chain: [ContentNode]) {
    self.init(
      place: NamedPlace(chain), ancestorTitles: chain.dropLast().map(\.title), position: chain.map(\.position),
      note: stored.note)
  }
}

/// The notes and bookmarks of a learner.
public struct LearnerNotes: Sendable {
  let session: LearnerSession

  /// Adds a note to a passage of a text, or changes a note. A note without text is a highlight.
  ///
  /// - Parameters:
  ///   - text: The note's text, at most `Note.maximumTextLength` characters; empty for a highlight.
  ///   - anchor: The passage that the note is about.
  ///   - id: The UUID of the note to change; `nil` adds a new note.
  ///   - name: The activity.
  ///   - timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Returns: The note's UUID.
  /// - Throws: ``NavigationError/noteTooLong``, ``NavigationError/notAnActivity(place:)``, and the errors of
  ///   `NavigationService.perform`. Nothing is recorded if the call throws.
  @discardableResult
  public func write(
    _ text: String, at anchor: NoteAnchor, replacing id: String? = nil, in name: PlaceName,
    waitingAtMost timeout: Duration? = nil
  ) throws(NavigationError) -> String {
    guard text.count <= Note.maximumTextLength else { throw NavigationError.noteTooLong }
    let id = id ?? RandomIdentifier.make()
    return try session.beginning(waitingAtMost: timeout) { transaction, record, time in
      let node = try transaction.snapshot.activity(name).node
      let event = ActivityEventContent.noted(id: id, text: text, anchor: anchor)
      try session.append(event.kind, event.detail, node: node.id, at: time, record, transaction)
      return id
    }
  }

  /// Removes a note. Notes of an activity that was removed from its course can be removed too.
  ///
  /// - Parameters:
  ///   - id: The note's UUID.
  ///   - timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Returns: Whether the learner had such a note.
  /// - Throws: ``NavigationError/busy``, ``NavigationError/database(_:)``.
  @discardableResult
  public func remove(_ id: String, waitingAtMost timeout: Duration? = nil) throws(NavigationError) -> Bool {
    func note(_ snapshot: StoreSnapshot) throws -> StoredNote? {
      try snapshot.learner(named: session.learner).flatMap { try snapshot.note(id, of: $0.id) }
    }
    guard try session.read({ try note($0) != nil }) else { return false }
    return try session.beginning(waitingAtMost: timeout) { transaction, record, time in
      guard let stored = try note(transaction.snapshot) else { return false }
      try session.append(.noteRemoved, NoteDetail(note: id).json, node: stored.node, at: time, record, transaction)
      return true
    }
  }

  /// Returns the learner's notes in an activity, the oldest first. Returns no notes for the root.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func all(in place: Place) throws(NavigationError) -> [Note] {
    try session.readLatest { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: session.learner) else { return [] }
      return try snapshot.notes(in: node, by: learner.id)
    }
  }

  /// Returns the learner's notes in a place and its descendants, the most recently changed first.
  ///
  /// - Parameters:
  ///   - name: The place; `nil` for the notes in all places.
  ///   - hasCards: Whether the cards that the learner has made are returned too.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  public func all(under name: PlaceName? = nil, withCards hasCards: Bool = false) throws(NavigationError)
    -> [PlacedNote]
  {
    if hasCards { session.settleMemories() }
    return try session.read { snapshot in
      let node = try name.flatMap { try PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved($0)?.id }
      guard let learner = try snapshot.learner(named: session.learner)?.id else { return [] }
      var stored = try snapshot.notes(of: learner, under: node)
      if hasCards {
        stored += try snapshot.madeCards(of: learner, under: node)
        stored.sort { $0.note.changedAt > $1.note.changedAt }
      }
      var chains: [NodeID: [ContentNode]] = [:]
      return try stored.map { stored in
        let chain = try chains[stored.node] ?? snapshot.chain(to: stored.node)
        chains[stored.node] = chain
        return PlacedNote(stored, in: chain)
      }
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
    let time = session.now()
    return try session.write(waitingAtMost: timeout) { transaction in
      let resolver = PlaceResolver(snapshot: transaction.snapshot, current: [])
      guard let node = try isSet ? resolver.resolve(name, nearby: nil).last : resolver.resolveEvenRemoved(name),
        let storedLearner = try transaction.snapshot.learner(named: session.learner)
          ?? (isSet ? session.makeLearner(in: transaction, at: time) : nil)
      else { return false }
      return try transaction.setBookmark(isSet, at: node.id, for: storedLearner.id, at: time)
    }
  }

  /// Returns the places that the learner has bookmarked, the newest bookmark first.
  ///
  /// Includes removed places, for which `NamedPlace.isRemoved` is `true`. Their bookmarks become usable again when the
  /// places are restored.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func bookmarks() throws(NavigationError) -> [NamedPlace] {
    try session.read { snapshot in
      guard let learner = try snapshot.learner(named: session.learner) else { return [] }
      return try snapshot.bookmarks(of: learner.id).map { NamedPlace(try snapshot.chain(to: $0.node)) }
    }
  }
}
