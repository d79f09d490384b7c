import Foundation
import JSONCoding
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

/// A change of a note: the note was added, changed or removed.
package struct NoteChange: Hashable, Sendable {
  /// The UUID of the note.
  package let id: String
  /// The activity. Its `isRemoved` is `true` if the activity was removed from its course.
  package let place: NamedPlace
  /// The note before the change, or `nil` if it was added.
  package let before: Note?
  /// The note after the change, or `nil` if it was removed.
  package let after: Note?
}

/// The details of a note in the log.
struct NoteDetail: Encodable {
  var note: String
  var text: String?
  var anchor: String?
  var digest: String?
  var from: Int?
  var to: Int?
  var quote: String?

  init(note: String) { self.note = note }

  init(_ note: String, _ text: String, _ anchor: NoteAnchor) {
    self.note = note
    self.text = text
    self.anchor = anchor.heading
    digest = anchor.digest
    (from, to) = (anchor.characters.lowerBound, anchor.characters.upperBound)
    quote = String(anchor.quote.prefix(NoteAnchor.maximumQuoteLength))
  }

  var json: String {
    // Encoding cannot fail on strings and integers.
    String(decoding: try! JSONEncoding.sorted(self), as: UTF8.self)
  }
}

extension NavigationService {
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
  ///   `perform(_:cause:animated:waitingAtMost:)`. Nothing is recorded if the call throws.
  @discardableResult
  public func write(
    note text: String, at anchor: NoteAnchor, replacing id: String? = nil, in name: PlaceName,
    waitingAtMost timeout: Duration? = nil
  ) throws(NavigationError) -> String {
    try change(note: id, to: (text, anchor), in: name, waitingAtMost: timeout).id
  }

  /// Removes a note. Notes of an activity that was removed from its course can be removed too.
  ///
  /// - Parameters:
  ///   - id: The note's UUID.
  ///   - timeout: How long to wait for another writer; `nil` for the database's busy timeout.
  /// - Returns: Whether the learner had such a note.
  /// - Throws: ``NavigationError/busy``, ``NavigationError/database(_:)``.
  @discardableResult
  public func removeNote(_ id: String, waitingAtMost timeout: Duration? = nil) throws(NavigationError) -> Bool {
    try removal(ofNote: id, waitingAtMost: timeout) != nil
  }

  /// Returns the learner's notes in an activity, the oldest first. Returns no notes for the root.
  ///
  /// - Throws: ``NavigationError/database(_:)``.
  public func notes(in place: Place) throws(NavigationError) -> [Note] {
    try readLatest { snapshot in
      guard let node = place.node, let learner = try snapshot.learner(named: learner) else { return [] }
      return try snapshot.notes(in: node, by: learner.id)
    }
  }

  /// Returns the learner's notes in a place and its descendants, the most recently changed first.
  ///
  /// - Parameter name: The place; `nil` for the notes in all places.
  /// - Throws: ``NavigationError/unknownPlace(name:nearest:)``.
  public func notes(under name: PlaceName? = nil) throws(NavigationError) -> [PlacedNote] {
    try read { snapshot in
      let node = try name.flatMap { try PlaceResolver(snapshot: snapshot, current: []).resolveEvenRemoved($0)?.id }
      guard let learner = try snapshot.learner(named: learner) else { return [] }
      var chains: [NodeID: [ContentNode]] = [:]
      return try snapshot.notes(of: learner.id, under: node).map { stored in
        let chain = try chains[stored.node] ?? snapshot.chain(to: stored.node)
        chains[stored.node] = chain
        return PlacedNote(
          place: NamedPlace(chain), ancestorTitles: chain.dropLast().map(\.title), position: chain.map(\.position),
          note: stored.note)
      }
    }
  }
}

extension NavigationService {
  /// Adds or changes a note: see ``write(note:at:replacing:in:waitingAtMost:)``.
  ///
  /// - Returns: The change, which ``undo(_:waitingAtMost:)`` takes back.
  package func change(
    note id: String?, to content: (text: String, anchor: NoteAnchor), in name: PlaceName,
    waitingAtMost timeout: Duration? = nil
  ) throws(NavigationError) -> NoteChange {
    guard content.text.count <= Note.maximumTextLength else { throw NavigationError.noteTooLong }
    let id = id ?? RandomIdentifier.make()
    let time = now()
    return try beginning(at: time, waitingAtMost: timeout) { transaction, record in
      let chain = try PlaceResolver(snapshot: transaction.snapshot, current: []).resolve(name, nearby: nil)
      guard let node = chain.last, node.kind == .activity else {
        throw NavigationError.notAnActivity(place: NamedPlace(chain).path)
      }
      let event = ActivityEventContent.noted(id: id, text: content.text, anchor: content.anchor)
      return try append(event, toNote: id, in: node.id, at: time, record, transaction)
    }
  }

  /// Removes a note: see ``removeNote(_:waitingAtMost:)``.
  ///
  /// - Returns: The change, which ``undo(_:waitingAtMost:)`` takes back, or `nil` if the learner has no such note.
  package func removal(ofNote id: String, waitingAtMost timeout: Duration? = nil) throws(NavigationError) -> NoteChange?
  {
    let time = now()
    let isThere = try read { snapshot in
      try snapshot.learner(named: learner).flatMap { try snapshot.note(id, of: $0.id) } != nil
    }
    guard isThere else { return nil }
    return try beginning(at: time, waitingAtMost: timeout) { transaction, record in
      guard let stored = try transaction.snapshot.note(id, of: record.session.learner) else { return nil }
      return try append(.noteRemoved(id: id), toNote: id, in: stored.node, at: time, record, transaction)
    }
  }

  /// Takes a change of a note back. The log only grows: this is a new event.
  ///
  /// - Returns: The opposite change, or `nil` if the note was changed since, in which case nothing is changed.
  /// - Throws: ``NavigationError/removedPlace(title:nearest:)`` if the note's activity was removed from its course, and
  ///   the errors of `perform(_:cause:animated:waitingAtMost:)`.
  package func undo(_ change: NoteChange, waitingAtMost timeout: Duration? = nil) throws(NavigationError) -> NoteChange?
  {
    let time = now()
    return try beginning(at: time, waitingAtMost: timeout) { transaction, record in
      let stored = try transaction.snapshot.note(change.id, of: record.session.learner)
      guard stored?.note.text == change.after?.text, stored?.note.anchor == change.after?.anchor else { return nil }
      let place = PlaceName.place(change.place.place)
      guard let node = try PlaceResolver(snapshot: transaction.snapshot, current: []).resolve(place, nearby: nil).last
      else { return nil }
      let event = change.before.map { ActivityEventContent.noted(id: change.id, text: $0.text, anchor: $0.anchor) }
      return try append(
        event ?? .noteRemoved(id: change.id), toNote: change.id, in: node.id, at: time, record, transaction)
    }
  }

  private func append(
    _ event: ActivityEventContent, toNote id: String, in node: NodeID, at time: Timestamp, _ record: SessionRecord,
    _ transaction: StoreTransaction
  ) throws -> NoteChange {
    let learner = record.session.learner
    let before = try transaction.snapshot.note(id, of: learner)?.note
    _ = try transaction.append(
      PendingActivityEvent(
        uuid: RandomIdentifier.make(), session: record.session, node: node, kind: event.kind, detail: event.detail,
        score: event.score, at: time))
    return NoteChange(
      id: id, place: NamedPlace(try transaction.snapshot.chain(to: node)), before: before,
      after: try transaction.snapshot.note(id, of: learner)?.note)
  }
}
