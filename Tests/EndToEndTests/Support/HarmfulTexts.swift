import Foundation
import GRDB
import Testing

/// Texts with control sequences and other characters that could affect a terminal.
enum HarmfulTexts {
  static let all: [(name: String, text: String)] = [
    ("title", "\u{1B}]0;evil\u{7}"),
    ("clipboard", "\u{1B}]52;c;ZXZpbA==\u{1B}\\"),
    ("screen", "\u{1B}[2J\u{1B}[H\u{1B}[?1049l\u{1B}[?25h\u{1B}[1;3r"),
    ("reset", "\u{1B}c\u{1B}#8"),
    ("device", "\u{1B}P+q544e\u{1B}\\\u{1B}_evil\u{1B}\\\u{1B}^evil\u{1B}\\"),
    ("eight bits", "\u{9B}2J\u{9D}0;evil\u{9C}\u{90}evil\u{9C}\u{85}"),
    ("turned round", "\u{202E}live\u{202C} \u{2066}x\u{2069} \u{200F}y\u{061C}"),
    ("no width", String(repeating: "\u{200B}\u{2060}\u{FEFF}\u{200D}", count: 500)),
    ("on top", "a" + String(repeating: "\u{0301}", count: 10_000)),
    ("controls", "a\rb\u{8}\u{8}c\u{7}\u{B}\u{C}\u{7F}\u{E}\u{F}\td\ne"),
    ("tags", "x\u{E0001}\u{E0065}\u{E0076}\u{E007F}\u{FE0F}\u{20E3}"),
  ]

  /// Returns the placeholder for a harmful text. No placeholder contains another one.
  static func word(_ name: String) -> String { "HARM" + name.replacing(" ", with: "") + "FUL" }

  static func course() throws -> String {
    let lessons = all.map { name, _ -> [String: Any] in
      let text = word(name)
      let word = "\(name) \(text) end"
      return [
        "key": "lesson-\(name)", "title": word, "summary": word,
        "children": [
          [
            "key": "text-\(name)", "title": "Text \(word)", "summary": word, "minutes": 3,
            "reading": [
              ["h2": word],
              ["p": [word, ["em": word], ["code": text], ["link": "https://example.org/\(text)", "text": word]]],
              ["ul": [word, word]], ["code": "let x = 1 // \(text)\n\(text)", "language": "swift\(text)"],
              ["table": [[word, "b"], ["c", word]]], ["quote": word],
            ],
          ],
          ["key": "cards-\(name)", "title": "Cards \(word)", "flashcards": [["front": word, "back": word]]],
          [
            "key": "quiz-\(name)", "title": "Quiz \(word)",
            "quiz": [
              ["question": word, "choices": [["wrong": word], ["right": "right \(text)"]], "explanation": word]
            ],
          ],
        ],
      ]
    }
    let everything = word("all")
    let course: [String: Any] = [
      "key": "harm", "title": "Harm \(everything)", "summary": everything,
      "children": [["key": "goal", "title": "Goal \(everything)", "summary": everything, "children": lessons]],
    ]
    let json = String(decoding: try JSONSerialization.data(withJSONObject: course), as: UTF8.self)
    return "{\"waymark\": 1, \"course\": \(json)}"
  }
}

extension HomeFixture {
  /// A home with a course in which every text is harmful. The course has a lesson for each harmful text, with an
  /// activity of each type.
  ///
  /// An import would refuse some of these texts, so they are written to the database directly.
  static func harmful() throws -> HomeFixture { try HomeFixture(copying: harmed) }

  private static let harmed = Result { try original(doHarm) }

  /// Imports the course with placeholders, then replaces these in the database.
  static func doHarm(_ home: HomeFixture) throws {
    let imported = try home.waymark("import", home.write(HarmfulTexts.course(), to: "harm.json"))
    guard imported.code == 0 else { throw Unexpected(answer: imported) }
    let database = try DatabaseQueue(path: home.database.path)
    try database.write { database in
      for (name, text) in HarmfulTexts.all + [("all", HarmfulTexts.all.map(\.text).joined(separator: " "))] {
        let word = HarmfulTexts.word(name)
        try database.execute(
          sql: "UPDATE contentNode SET title = replace(title, ?1, ?2), summary = replace(summary, ?1, ?2)",
          arguments: [word, text])
        let json = try JSONSerialization.data(
          withJSONObject: text, options: [.fragmentsAllowed, .withoutEscapingSlashes])
        try database.execute(
          sql: "UPDATE activityContent SET content = replace(content, ?, ?)",
          arguments: [word, String(String(decoding: json, as: UTF8.self).dropFirst().dropLast())])
      }
    }
    try database.close()
  }
}
