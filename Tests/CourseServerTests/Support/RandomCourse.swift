import Foundation
import TestSupport
import Testing

/// A course with a random structure and random texts, which contain unusual characters.
struct RandomCourse {
  /// The words of titles and texts.
  static let words = [
    "anchor", "Größe", "naïve", "日本語", "λ-calculus", "quoted \"word\"", "back\\slash", "tab\tbed", "emoji 👩‍👩‍👧‍👦",
    "right \u{202E}to left", "null", "<tag>", "a & b", "100 %", "…",
  ]

  let json: String

  init(using random: inout SplitMix64) {
    var number = 0
    func text(_ random: inout SplitMix64) -> String {
      (0...random.below(3)).map { _ in Self.words[random.below(Self.words.count)] }.joined(separator: " ")
    }
    func node(_ level: Int, _ random: inout SplitMix64) -> [String: Any] {
      number += 1
      var members: [String: Any] = ["key": "n\(number)", "title": "\(number) \(text(&random))"]
      if random.oneIn(2) { members["summary"] = text(&random) }
      guard level == 3 else {
        members["children"] = (0...random.below(3)).map { _ in node(level + 1, &random) }
        return members
      }
      switch random.below(3) {
      case 0: members["reading"] = (0...random.below(4)).map { _ in text(&random) }
      case 1: members["flashcards"] = [["front": "front \(number)", "back": text(&random)]]
      default:
        members["quiz"] = [
          ["question": "Question \(number)?", "choices": [["right": "yes \(number)"], ["wrong": "no \(number)"]]]
        ]
      }
      return members
    }
    let course = node(0, &random)
    let text = String(
      decoding: try! JSONSerialization.data(withJSONObject: course, options: [.sortedKeys, .withoutEscapingSlashes]),
      as: UTF8.self)
    // The importer detects the format by its first bytes.
    json = #"{"waymark": 1, "course": \#(text)}"#
  }

  /// Writes the course to a file in a home.
  func file(in home: ServerFixture) throws -> String {
    try home.folder.write(Data(json.utf8), to: "course.json")
    return home.folder.file("course.json")
  }

  /// Returns the paths of all places, including those of other courses.
  func paths(in home: ServerFixture) throws -> [String] { try Self.paths(in: home) }

  static func paths(in home: ServerFixture) throws -> [String] {
    let tree = try home.waymark("tree", "--format", "json").output
    let rows = try JSONSerialization.jsonObject(with: Data(tree.utf8)) as? [[String: Any]] ?? []
    return rows.compactMap { $0["path"] as? String }
  }

  /// Records random navigation, bookmarks and completed places of two learners.
  func walk(_ home: ServerFixture, using random: inout SplitMix64) throws {
    let paths = try paths(in: home)
    for learner in ["ada", "ben"] {
      let lines = (0..<30).map { _ -> String in
        let operation = ["open", "open", "next", "previous", "back", "forward", "pop", "popToRoot"][random.below(8)]
        return operation == "open" ? step(operation, paths[random.below(paths.count)]) : step(operation)
      }
      _ = try home.waymark(["nav", "run"], input: lines.joined(separator: "\n") + "\n", learner: learner)
      for _ in 0..<3 {
        let place = paths[random.below(paths.count)]
        _ = try home.waymark(["bookmarks", "add", place], learner: learner)
        _ = try home.waymark(["progress", "mark", place, "done"], learner: learner)
      }
    }
  }
}

extension RandomCourse {
  /// Returns a course of about 200 places, with a different key for each number.
  static func numbered(_ number: Int) -> String {
    let lessons = (0..<20).map { lesson in
      let texts = (0..<10).map {
        #"{"key": "a\#(lesson)-\#($0)", "title": "Text \#(lesson) \#($0)", "reading": ["Words."]}"#
      }
      return #"{"key": "l\#(lesson)", "title": "Lesson \#(lesson)", "children": [\#(texts.joined(separator: ","))]}"#
    }
    return #"{"waymark": 1, "course": {"key": "course-\#(number)", "title": "Course \#(number)", "children": "#
      + #"[{"key": "g", "title": "Goal", "children": [\#(lessons.joined(separator: ","))]}]}}"#
  }
}
