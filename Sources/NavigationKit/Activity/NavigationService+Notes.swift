import Foundation
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
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // `JSONEncoder` cannot fail on strings and integers.
    return String(decoding: try! encoder.encode(self), as: UTF8.self)
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
    guard text.count <= Note.maximumTextLength else { throw NavigationError.noteTooLong }
    let id = id ?? RandomIdentifier.make()
    try record(.noted(id: id, text: text, anchor: anchor), in: name, waitingAtMost: timeout)
    return id
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
    let time = now()
    let isThere = try read { snapshot in
      try snapshot.learner(named: learner).flatMap { try snapshot.note(id, of: $0.id) } != nil
    }
    guard isThere else { return false }
    return try beginning(at: time, waitingAtMost: timeout) { transaction, record in
      guard let stored = try transaction.snapshot.note(id, of: record.session.learner) else { return false }
      let event = ActivityEventContent.noteRemoved(id: id)
      _ = try transaction.append(
        PendingActivityEvent(
          uuid: RandomIdentifier.make(), session: record.session, node: stored.node, kind: event.kind,
          detail: event.detail, score: event.score, at: time))
      return true
    }
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
