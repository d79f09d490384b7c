import JSONCoding

/// Encodes rows one after another in a machine-readable format. Memory use does not depend on the number of rows.
package struct RowStream {
  /// The format of the output.
  package enum Format {
    /// One indented JSON array.
    case json
    /// One JSON object per line.
    case jsonLines
    /// Comma-separated values of these columns, with a header.
    case csv(columns: [String])
    /// One JSON array with one object per line.
    case jsonArray
    /// JSON arrays of at most this many objects, one array per line.
    case jsonArrays(ofAtMost: Int)
  }

  /// The number of bytes that are collected before they are passed to the sink.
  private static let chunkSize = 16_384

  private let format: Format
  private let json: JSONTextSink
  private let csv: CSVWriter?
  private var text: [UInt8] = []
  /// The number of rows so far.
  package private(set) var count = 0

  /// Creates a stream without rows.
  package init(_ format: Format) {
    self.format = format
    if case .json = format {
      json = JSONTextSink(answerWithIndentation: 2)
    } else {
      json = JSONTextSink(answerWithIndentation: nil)
    }
    if case .csv(let columns) = format {
      csv = CSVWriter(columns: columns)
      csv?.writeHeader(to: &text)
    } else {
      csv = nil
    }
  }

  /// Adds a row.
  ///
  /// - Parameter sink: Receives the text in chunks.
  /// - Throws: Any error that is thrown while the row is encoded, and any error of `sink`.
  package mutating func write(_ row: some Encodable, to sink: ([UInt8]) throws -> Void) throws {
    if let csv {
      try csv.write(row, to: &text)
    } else {
      text += Array(separator.utf8)
      try JSONEncoding(to: json).encode(row)
      text += json.bytes
      json.bytes.removeAll(keepingCapacity: true)
      if case .jsonLines = format { text.append(UInt8(ascii: "\n")) }
    }
    count += 1
    if text.count >= Self.chunkSize { try flush(to: sink) }
  }

  /// Writes the end of the text.
  package mutating func finish(to sink: ([UInt8]) throws -> Void) throws {
    text += Array(end.utf8)
    try flush(to: sink)
  }

  private mutating func flush(to sink: ([UInt8]) throws -> Void) throws {
    try sink(text)
    text.removeAll(keepingCapacity: true)
  }

  /// The text before the next row.
  private var separator: String {
    switch format {
    case .csv, .jsonLines: ""
    case .json: count == 0 ? "[\n  " : ",\n  "
    case .jsonArray: count == 0 ? "[\n" : ",\n"
    case .jsonArrays(let limit): count == 0 ? "[" : count.isMultiple(of: limit) ? "]\n[" : ","
    }
  }

  /// The text after the last row.
  private var end: String {
    switch format {
    case .csv, .jsonLines: ""
    case .json, .jsonArray: count == 0 ? "[]\n" : "\n]\n"
    case .jsonArrays: count == 0 ? "" : "]\n"
    }
  }
}

@available(*, unavailable)
extension RowStream: Sendable {}
