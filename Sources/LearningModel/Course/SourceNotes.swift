/// The notes of another flashcard program, as it stores them, so that an export returns them unchanged.
package struct SourceNotes: Hashable, Sendable {
  /// A note type, which determines the fields and the cards of its notes.
  package struct NoteType: Hashable, Codable, Sendable {
    package struct Template: Hashable, Codable, Sendable {
      package let name: String
      package let question: String
      package let answer: String

      package init(name: String, question: String, answer: String) {
        (self.name, self.question, self.answer) = (name, question, answer)
      }
    }

    package let id: Int64
    package let name: String
    /// When the type was changed, in seconds since 1970.
    package let changedAt: Int64
    package let isCloze: Bool
    package let css: String
    /// The beginning and the end of LaTeX documents, or `nil` for the usual ones.
    package let latexStart: String?
    package let latexEnd: String?
    /// The names of the fields, in the order of their values in a note.
    package let fields: [String]
    package let templates: [Template]

    package init(
      id: Int64, name: String, changedAt: Int64, isCloze: Bool, css: String, latexStart: String? = nil,
      latexEnd: String? = nil, fields: [String], templates: [Template]
    ) {
      (self.id, self.name, self.changedAt, self.isCloze) = (id, name, changedAt, isCloze)
      (self.css, self.latexStart, self.latexEnd) = (css, latexStart, latexEnd)
      (self.fields, self.templates) = (fields, templates)
    }
  }

  /// A card of a note.
  package struct Card: Hashable, Codable, Sendable {
    /// The number of the template from 0 or, for a gap, its number minus 1.
    package let ordinal: Int
    package let id: Int64
    /// The number of the flag, or 0.
    package let flag: Int

    package init(ordinal: Int, id: Int64, flag: Int) { (self.ordinal, self.id, self.flag) = (ordinal, id, flag) }
  }

  package struct Note: Hashable, Sendable {
    /// The number of the note, or 0 if it is not stored.
    package let id: Int64
    /// The name by which the program recognises the note.
    package let guid: String
    /// The ``NoteType/id`` of the note type.
    package let type: Int64
    /// When the note was changed, in seconds since 1970.
    package let changedAt: Int64
    package let tags: [String]
    /// The values of the fields, as HTML.
    package let fields: [String]
    package let cards: [Card]

    package init(
      id: Int64, guid: String, type: Int64, changedAt: Int64, tags: [String], fields: [String], cards: [Card]
    ) {
      (self.id, self.guid, self.type, self.changedAt) = (id, guid, type, changedAt)
      (self.tags, self.fields, self.cards) = (tags, fields, cards)
    }
  }

  package var types: [NoteType]
  package var notes: [Note]

  package init(types: [NoteType] = [], notes: [Note] = []) {
    (self.types, self.notes) = (types, notes)
  }
}
