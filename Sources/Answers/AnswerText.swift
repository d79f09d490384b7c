/// The JSON of an answer, as a command prints it and a server sends it: the same bytes.
package enum AnswerText {
  /// Indented, with a line end.
  package static func json(_ value: some Encodable) throws -> String {
    try OutputEncoder.encode(value).indentedJSON + "\n"
  }

  /// On one line, without its end.
  package static func jsonLine(_ value: some Encodable) throws -> String {
    try OutputEncoder.encode(value).json
  }
}
