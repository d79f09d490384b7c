import Foundation
import LearningModel
import LearningStore

/// A learner's file: JSON whose lists have one element a line.
///
/// ```json
/// {
/// "format": "waymark-learner",
/// "version": 1,
/// "uuid": "0c5e2f0a-64c0-4a8c-9f0e-3c1a6b6f1d11",
/// "name": "ada",
/// "createdAt": "2026-11-20T10:00:00.000Z",
/// "nodes": [
/// {"course":"english","key":"agenda","kind":"activity","parent":3,"slug":"agenda","title":"Agenda"}
/// ],
/// "sessions": [], "steps": [], "activities": [], "bookmarks": [], "positions": [], "quizzes": [],
/// "passages": [], "changes": [], "settings": {}
/// }
/// ```
enum LearnerFile {
  static let format = "waymark-learner"
  static let version = 1

  /// What the file says of itself.
  private struct Header: Decodable {
    let format: String
    let version: Int
  }

  /// Writes a record piece by piece.
  static func write(_ record: LearnerRecord, to write: (String) throws -> Void) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func json(_ value: some Encodable) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }
    func list(_ name: String, _ elements: [some Encodable]) throws {
      try write("\"\(name)\": [")
      for (number, element) in elements.enumerated() { try write((number == 0 ? "\n" : ",\n") + json(element)) }
      try write(elements.isEmpty ? "],\n" : "\n],\n")
    }

    try write("{\n\"format\": \"\(format)\",\n\"version\": \(version),\n")
    if let uuid = record.uuid { try write("\"uuid\": \(json(uuid)),\n") }
    try write("\"name\": \(json(record.name)),\n\"createdAt\": \(json(record.createdAt)),\n")
    try list("nodes", record.nodes)
    try list("sessions", record.sessions)
    try list("steps", record.steps)
    try list("activities", record.activities)
    try list("bookmarks", record.bookmarks)
    try list("positions", record.positions)
    try list("quizzes", record.quizzes ?? [])
    try list("passages", record.passages ?? [])
    try list("changes", record.changes ?? [])
    if let others = record.others { try list("others", others) }
    if let erased = record.erased, !erased.isEmpty { try write("\"erased\": \(json(erased)),\n") }
    try write("\"settings\": \(json(record.settings))\n}\n")
  }

  /// Reads a record.
  ///
  /// - Throws: ``NavigationError/unreadableLearner(file:found:)``.
  static func read(_ data: Data, from file: String) throws -> LearnerRecord {
    let decoder = JSONDecoder()
    do {
      let header = try decoder.decode(Header.self, from: data)
      guard header.format == format else {
        throw NavigationError.unreadableLearner(file: file, found: "its format is '\(header.format)'")
      }
      guard header.version <= version else {
        throw NavigationError.unreadableLearner(file: file, found: "a newer version of waymark has written it")
      }
      return try decoder.decode(LearnerRecord.self, from: data)
    } catch let error as DecodingError {
      throw NavigationError.unreadableLearner(file: file, found: words(error))
    }
  }

  private static func words(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "\(path(context.codingPath)) is of another type"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty ? "it is no JSON" : "\(path(context.codingPath)) cannot be read"
    @unknown default: "it is no JSON"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    "'" + keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".") + "'"
  }
}
