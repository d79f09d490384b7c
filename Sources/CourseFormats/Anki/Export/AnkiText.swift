import LearningModel

/// Writes notes as text that Anki imports: a line for each note, with fields separated by tabs.
///
/// Source: Anki manual, "Text Files", "File Headers".
package enum AnkiText {
  /// Writes the text.
  package static func write(_ notes: AnkiNotes, to sink: (String) throws -> Void) rethrows {
    try sink(
      "#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n#deck column:3\n#tags column:4\n")
    // Each line has the same number of columns.
    let width = notes.notes.map(\.fields.count).max() ?? 0
    for note in notes.notes {
      let fields = [
        note.guid, name(of: note.type), note.cards.first?.deck.joined(separator: "::") ?? "",
        note.tags.joined(separator: " "),
      ]
      let padding = repeatElement("", count: width - note.fields.count)
      try sink((fields + note.fields + padding).map(quoted).joined(separator: "\t") + "\n")
    }
  }

  /// Returns the name of the note type. For Waymark's own types, that is a name that every collection of Anki contains in English.
  private static func name(of type: SourceNotes.NoteType) -> String {
    switch AnkiNotes.Kind.allCases.first(where: { $0.noteType.id == type.id }) {
    case .basic: "Basic"
    case .reversed: "Basic (and reversed card)"
    case .cloze: "Cloze"
    case nil: type.name
    }
  }

  /// Returns a field. It is quoted if it contains a separator or a quotation mark, or begins like a comment.
  private static func quoted(_ field: String) -> String {
    guard field.hasPrefix("#") || field.contains(where: { "\t\n\r\"".contains($0) }) else { return field }
    return "\"" + field.replacing("\"", with: "\"\"") + "\""
  }
}
