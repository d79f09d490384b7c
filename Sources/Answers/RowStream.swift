/// Writes rows one after another in a form for programs. Memory does not grow with the number of rows.
package struct RowStream {
  /// A form for programs.
  package enum Form {
    /// One indented JSON array.
    case json
    /// A JSON object a line.
    case jsonLines
    /// Comma-separated values of these columns, with a header.
    case csv(columns: [String])
    /// One JSON array with an object a line.
    case jsonArray
    /// JSON arrays of at most so many objects, an array a line.
    case jsonArrays(ofAtMost: Int)
  }

  /// The number of bytes that are collected before they are handed over.
  private static let pieceSize = 16_384

  private let form: Form
  private let json: JSONWriter
  private let csv: CSVWriter?
  private var text: [UInt8] = []
  /// The number of rows so far.
  package private(set) var count = 0

  /// Begins a text.
  package init(_ form: Form) {
    self.form = form
    if case .json = form { json = JSONWriter(indentation: 2) } else { json = JSONWriter() }
    if case .csv(let columns) = form {
      csv = CSVWriter(columns: columns)
      csv?.writeHeader(to: &text)
    } else {
      csv = nil
    }
  }

  /// Adds a row.
  ///
  /// - Parameter sink: Receives the text in pieces.
  /// - Throws: Any error of the row's encoding and of `sink`.
  package mutating func write(_ row: some Encodable, to sink: ([UInt8]) throws -> Void) throws {
    if let csv {
      try csv.write(row, to: &text)
    } else {
      text += Array(separator.utf8)
      try json.encode(row)
      text += json.bytes
      json.bytes.removeAll(keepingCapacity: true)
      if case .jsonLines = form { text.append(UInt8(ascii: "\n")) }
    }
    count += 1
    if text.count >= Self.pieceSize { try handOver(to: sink) }
  }

  /// Ends the text.
  package mutating func finish(to sink: ([UInt8]) throws -> Void) throws {
    text += Array(end.utf8)
    try handOver(to: sink)
  }

  private mutating func handOver(to sink: ([UInt8]) throws -> Void) throws {
    try sink(text)
    text.removeAll(keepingCapacity: true)
  }

  /// The text before the next row.
  private var separator: String {
    switch form {
    case .csv, .jsonLines: ""
    case .json: count == 0 ? "[\n  " : ",\n  "
    case .jsonArray: count == 0 ? "[\n" : ",\n"
    case .jsonArrays(let most): count == 0 ? "[" : count.isMultiple(of: most) ? "]\n[" : ","
    }
  }

  /// The text after the last row.
  private var end: String {
    switch form {
    case .csv, .jsonLines: ""
    case .json, .jsonArray: count == 0 ? "[]\n" : "\n]\n"
    case .jsonArrays: count == 0 ? "" : "]\n"
    }
  }
}

@available(*, unavailable)
extension RowStream: Sendable {}
