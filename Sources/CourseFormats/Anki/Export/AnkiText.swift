import LearningModel

/// Writes notes as text that Anki imports: a line for each note, with fields separated by tabs.
///
/// Source: Anki manual, "Text Files", "File Headers".
package enum AnkiText {
  /// Writes the text.
  package static func write(_ notes: AnkiNotes, to sink: (String) throws -> Void) rethrows {
    try sink(
      "#separator:tab\n#html:true\n#guid column:1\n#notetype column:2\n#deck column:3\n#tags column:6\n")
    for note in notes.notes {
      let fields = [
        note.guid, name(of: note.kind), note.deck.joined(separator: "::"), note.front, note.back,
        note.tags.joined(separator: " "),
      ]
      try sink(fields.map(quoted).joined(separator: "\t") + "\n")
    }
  }

  /// Returns the name of a note type that every collection of Anki contains in English.
  private static func name(of kind: AnkiNotes.Kind) -> String {
    switch kind {
    case .basic: "Basic"
    case .reversed: "Basic (and reversed card)"
    case .cloze: "Cloze"
    }
  }

  /// Returns a field. It is quoted if it contains a separator or a quotation mark, or begins like a comment.
  private static func quoted(_ field: String) -> String {
    guard field.hasPrefix("#") || field.contains(where: { "\t\n\r\"".contains($0) }) else { return field }
    return "\"" + field.replacing("\"", with: "\"\"") + "\""
  }
}
