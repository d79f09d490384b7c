import LearningModel

/// Writes notes as text that Anki imports: a line for each note, with fields separated by tabs.
///
/// Source: Anki manual, "Text Files", "File Headers".
package enum AnkiText {
  /// Writes the text.
  package static func write(_ notes: AnkiNotes, to sink: (String) throws -> Void) rethrows {
    try sink(
      "#separator:tab\n#html:true\n#notetype:Basic\n#guid column:1\n#deck column:2\n#tags column:5\n")
    for note in notes.notes {
      let fields = [
        note.guid, note.deck.joined(separator: "::"), note.front, note.back, note.tags.joined(separator: " "),
      ]
      try sink(fields.map(quoted).joined(separator: "\t") + "\n")
    }
  }

  /// Returns a field. It is quoted if it contains a separator or a quotation mark, or begins like a comment.
  private static func quoted(_ field: String) -> String {
    guard field.hasPrefix("#") || field.contains(where: { "\t\n\r\"".contains($0) }) else { return field }
    return "\"" + field.replacing("\"", with: "\"\"") + "\""
  }
}
