import LearningModel
package import NavigationService

/// A note with its place, and what became of the words that it is about.
package struct NoteRow: Encodable, Sendable {
  /// The note.
  package let placed: PlacedNote
  /// `there`, `gone` or `removed`.
  package let state: String

  /// Makes a row.
  package init(_ placed: PlacedNote, state: String) {
    (self.placed, self.state) = (placed, state)
  }

  private enum Key: String, CodingKey { case note, text, quote, heading, state, createdAt, changedAt }

  /// Writes `path`, `kind` and `title`, then what the note says. `text` is empty for a highlight.
  package func encode(to encoder: any Encoder) throws {
    try placed.place.encode(to: encoder)
    var container = encoder.container(keyedBy: Key.self)
    let note = placed.note
    try container.encode(note.id, forKey: .note)
    try container.encode(note.text, forKey: .text)
    try container.encode(note.anchor.quote, forKey: .quote)
    try container.encode(note.anchor.heading, forKey: .heading)
    try container.encode(state, forKey: .state)
    try container.encode(note.createdAt, forKey: .createdAt)
    try container.encode(note.changedAt, forKey: .changedAt)
  }
}
