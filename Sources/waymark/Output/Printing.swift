import Answers

/// Says one thing on standard output.
enum Printing {
  /// Prints a list.
  ///
  /// - Parameter fields: The columns of the CSV form.
  static func list<Row: Encodable & Sendable>(
    _ rows: [Row], fields: [String], columns: [Column<Row>], as format: OutputFormat, whenEmpty: String
  ) throws {
    var output = StandardOutput()
    try format.write(rows, fields: fields, columns: columns, whenEmpty: whenEmpty, to: &output)
    output.flush()
  }

  /// Prints one value; `table` is the text that says the same to a person.
  static func value(
    _ value: some Encodable, fields: [String], table: String, as format: OutputFormat
  ) throws {
    var output = StandardOutput()
    try format.write(value, fields: fields, table: table, to: &output)
    output.flush()
  }

  /// Prints a sentence for a person, harmless whatever titles are in it.
  static func line(_ text: String) {
    var output = StandardOutput()
    output.say(text.harmlessLines + "\n")
    output.flush()
  }
}
