import CourseFormats
import Foundation
import LearningModel
import Testing

struct SchemaTests {
  private let schema: JSONSchema

  init() throws {
    schema = try JSONSchema(
      at: fixtures.deletingLastPathComponent().appending(path: "Documentation/waymark-course.schema.json"))
  }

  @Test func `the project's own course is valid against the published schema`() throws {
    let data = try Data(contentsOf: fixtures.appending(path: "english-for-business.json"))

    #expect(schema.problem(in: try JSONSerialization.jsonObject(with: data)) == nil)
  }

  @Test(arguments: 0..<30) func `the writer's output is valid against the schema`(_ seed: UInt64) throws {
    var random = RandomContent(seed: seed)
    let (nodes, contents) = random.course()
    var text = ""
    try WaymarkWriter.write(nodes, language: "en", contents: ContentsInMemory(contents)) { text += $0 }

    #expect(schema.problem(in: try JSONSerialization.jsonObject(with: Data(text.utf8))) == nil)
  }

  @Test(arguments: [
    #"{"waymark": 2, "course": {"key": "a", "title": "A", "children": []}}"#,
    #"{"waymark": 1, "course": {"title": "A", "children": []}}"#,
    #"{"waymark": 1, "course": {"key": "a", "title": "A", "children": [], "author": "x"}}"#,
    #"{"waymark": 1, "course": {"key": "a", "title": "A", "children": [], "pass": 0}}"#,
    #"{"waymark": 1, "course": {"key": "a", "title": "A", "children": [], "pass": 60}}"#,
    #"{"waymark": 1, "course": {"key": "a", "title": "A", "children": [], "pass": "60 %"}}"#,
    #"{"waymark": 1, "course": {"key": "a", "title": "A", "children": [{"key": "b", "title": "B", "reading": "x"}]}}"#,
  ])
  func `the schema rejects invalid courses`(_ text: String) throws {
    #expect(schema.problem(in: try JSONSerialization.jsonObject(with: Data(text.utf8))) != nil)
  }
}

/// A validator for the keywords of JSON Schema that the published schema uses. Unknown keywords are reported as
/// problems, so that none is ignored.
private struct JSONSchema {
  private let root: [String: Any]

  init(at url: URL) throws {
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    root = try #require(object as? [String: Any])
  }

  func problem(in value: Any) -> String? { problem(value, root, at: "$") }

  private func problem(_ value: Any, _ schema: [String: Any], at path: String) -> String? {
    for (keyword, rule) in schema {
      let found: String? =
        switch keyword {
        case "$schema", "title", "description", "$defs": nil
        case "$ref": problem(value, definition(rule as! String), at: path)
        case "type": has(value, type: rule as! String) ? nil : "is no \(rule)"
        case "const", "enum": allows(value, (rule as? [Any]) ?? [rule]) ? nil : "is not one of \(rule)"
        case "minLength": (value as? String).map { $0.isEmpty } == true ? "is empty" : nil
        case "minimum": number(value).map { $0 < number(rule)! } == true ? "is too small" : nil
        case "exclusiveMinimum": number(value).map { $0 <= number(rule)! } == true ? "is too small" : nil
        case "maximum": number(value).map { $0 > number(rule)! } == true ? "is too large" : nil
        case "pattern":
          (value as? String).map { $0.wholeMatch(of: try! Regex(rule as! String)) == nil } == true
            ? "is not of its form" : nil
        case "maxItems": (value as? [Any]).map { $0.count > rule as! Int } == true ? "has too many" : nil
        case "minItems": (value as? [Any]).map { $0.count < rule as! Int } == true ? "has too few" : nil
        case "minProperties": (value as? [String: Any]).map { $0.count < rule as! Int } == true ? "has too few" : nil
        case "required":
          (rule as! [String]).first { (value as? [String: Any])?[$0] == nil }.map { "has no \($0)" }
        case "properties": problem(inMembersOf: value, rule as! [String: [String: Any]], at: path)
        case "additionalProperties":
          if let rule = rule as? [String: Any] {
            (value as? [String: Any])?.lazy.compactMap { problem($1, rule, at: "\(path).\($0)") }.first
          } else {
            extra(in: value, schema).map { "has an unknown \($0)" }
          }
        case "items":
          (value as? [Any])?.enumerated().lazy
            .compactMap { problem($1, rule as! [String: Any], at: "\(path)[\($0)]") }.first
        case "anyOf", "oneOf":
          (rule as! [[String: Any]]).contains { problem(value, $0, at: path) == nil } ? nil : "fits none of \(keyword)"
        default: "has a schema with the unknown keyword \(keyword)"
        }
      if let found { return found.hasPrefix("$") ? found : "\(path) \(found)" }
    }
    return nil
  }

  private func definition(_ reference: String) -> [String: Any] {
    let name = String(reference.dropFirst("#/$defs/".count))
    return (root["$defs"] as! [String: [String: Any]])[name]!
  }

  private func has(_ value: Any, type: String) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "boolean": value is Bool
    case "number": number(value) != nil
    default: value is Int && !(value is String)
    }
  }

  private func number(_ value: Any) -> Double? { value is String ? nil : value as? Double }

  private func allows(_ value: Any, _ values: [Any]) -> Bool {
    values.contains { "\($0)" == "\(value)" && ($0 is String) == (value is String) }
  }

  private func extra(in value: Any, _ schema: [String: Any]) -> String? {
    let known = Set((schema["properties"] as! [String: Any]).keys)
    return (value as? [String: Any])?.keys.first { !known.contains($0) }
  }

  private func problem(inMembersOf value: Any, _ rules: [String: [String: Any]], at path: String) -> String? {
    guard let object = value as? [String: Any] else { return nil }
    return rules.lazy.compactMap { name, rule in object[name].flatMap { problem($0, rule, at: "\(path).\(name)") } }
      .first
  }
}
