/// The JSON of an answer. A command prints and a server sends the same bytes.
package enum AnswerText {
  /// Returns indented JSON with a line end.
  package static func json(_ value: some Encodable) throws -> String {
    try text(value, indentation: 0) + "\n"
  }

  /// Returns JSON on one line, without a line end.
  package static func jsonLine(_ value: some Encodable) throws -> String { try text(value, indentation: nil) }

  static func text(_ value: some Encodable, indentation: Int?) throws -> String {
    let writer = JSONWriter(indentation: indentation)
    try writer.encode(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
