import Foundation
import LearningModel
import LearningStore

/// The format of a learner's file: a JSON object whose arrays have one element per line.
///
/// ```json
/// {
/// "format": "waymark-learner",
/// "version": 2,
/// "uuid": "0c5e2f0a-64c0-4a8c-9f0e-3c1a6b6f1d11",
/// "name": "ada",
/// "createdAt": "2026-11-20T10:00:00.000Z",
/// "nodes": [
/// {"course":"english","key":"agenda","kind":"activity","parent":3,"slug":"agenda","title":"Agenda"}
/// ],
/// "sessions": [], "steps": [], "activities": [], "bookmarks": [], "positions": [], "quizzes": [],
/// "passages": [], "changes": [], "erased": {"sessions":[],"spans":[]}, "settings": {}
/// }
/// ```
enum LearnerFile {
  static let format = "waymark-learner"
  static let version = 2

  /// The format and version at the beginning of a file.
  private struct Header: Decodable {
    let format: String
    let version: Int
  }

  /// The arrays whose elements are written one by one, in the order of the file.
  private static let lists = ["nodes", "sessions", "steps", "activities"]

  /// Writes the record of a learner piece by piece, so that it is never completely in memory.
  ///
  /// - Parameters:
  ///   - learner: The learner. If `nil`, the record is empty.
  ///   - empty: The empty record, if there is no learner.
  ///   - snapshot: The database.
  ///   - write: Receives the next piece of the text.
  static func write(
    recordOf learner: LearnerID?, or empty: LearnerRecord?, in snapshot: StoreSnapshot,
    to write: (String) throws -> Void
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func json(_ value: some Encodable) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }
    func list(_ name: String, _ elements: [some Encodable]) throws {
      try write("\"\(name)\": [")
      for (number, element) in elements.enumerated() { try write((number == 0 ? "\n" : ",\n") + json(element)) }
      try write(elements.isEmpty ? "],\n" : "\n],\n")
    }
    var header: LearnerRecord?
    // The number of arrays that were begun, and the number of elements written to the last one.
    var (begun, count) = (0, 0)
    func begin(_ end: Int) throws {
      while begun < end {
        if begun > 0 { try write(count == 0 ? "],\n" : "\n],\n") }
        try write("\"\(lists[begun])\": [")
        (begun, count) = (begun + 1, 0)
      }
    }
    func add(_ element: some Encodable, toList number: Int) throws {
      try begin(number + 1)
      try write((count == 0 ? "\n" : ",\n") + json(element))
      count += 1
    }

    func append(_ element: RecordElement) throws {
      switch element {
      case .head(let record):
        header = record
        try write("{\n\"format\": \"\(format)\",\n\"version\": \(version),\n")
        try write("\"uuid\": \(json(record.uuid)),\n\"name\": \(json(record.name)),\n")
        try write("\"createdAt\": \(json(record.createdAt)),\n")
      case .node(let node): try add(node, toList: 0)
      case .session(let session): try add(session, toList: 1)
      case .step(let step): try add(step, toList: 2)
      case .activity(let event): try add(event, toList: 3)
      }
    }
    if let learner { try snapshot.forEachElement(ofRecordOf: learner, append) }
    if let empty { try append(.head(empty)) }
    guard let header else { return }
    try begin(lists.count)
    try write(count == 0 ? "],\n" : "\n],\n")
    try list("bookmarks", header.bookmarks)
    try list("positions", header.positions)
    try list("quizzes", header.quizzes)
    try list("passages", header.passages)
    try list("changes", header.changes)
    if let others = header.others { try list("others", others) }
    try write("\"erased\": \(json(header.erased)),\n\"settings\": \(json(header.settings))\n}\n")
  }

  /// Decodes a record.
  ///
  /// - Parameters:
  ///   - data: The content of the file.
  ///   - file: The name of the file for errors.
  /// - Throws: ``NavigationError/unreadableLearner(file:problem:)``.
  static func read(_ data: Data, from file: String) throws(NavigationError) -> LearnerRecord {
    let decoder = JSONDecoder()
    do {
      let header = try decoder.decode(Header.self, from: data)
      guard header.format == format else {
        throw NavigationError.unreadableLearner(file: file, problem: "its format is \(quoted: header.format)")
      }
      guard header.version == version else {
        let age = header.version < version ? "an older" : "a newer"
        throw NavigationError.unreadableLearner(file: file, problem: "it was written by \(age) version of waymark")
      }
      return try decoder.decode(LearnerRecord.self, from: data)
    } catch let error as NavigationError {
      throw error
    } catch {
      throw .unreadableLearner(file: file, problem: (error as? DecodingError).map(message) ?? "it is not JSON")
    }
  }

  private static func message(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(path(context.codingPath)) has the wrong type"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty ? "it is not JSON" : "\(path(context.codingPath)) cannot be read"
    @unknown default: "it is not JSON"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    "'" + keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") + "'"
  }
}
