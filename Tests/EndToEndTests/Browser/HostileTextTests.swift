import Foundation
import GRDB
import TerminalHarness
import Testing

/// Courses are written by others. Whatever their texts hold is shown, and commands nothing.
@Suite struct `Text that was written to do harm` {
  private static let harm: [(name: String, text: String)] = [
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

  /// A home with a course of which every text is harmful: a lesson for each harm, with an activity of each type.
  ///
  /// The import refuses some of it, so it is put into the database behind everybody's back.
  private func harmfulHome() throws -> Home {
    let home = try Home()
    let imported = try home.waymark("import", home.write(Self.course(), to: "harm.json"))
    guard imported.code == 0 else { throw Unexpected(answer: imported) }
    let database = try DatabaseQueue(path: home.database.path)
    try database.write { database in
      for (name, text) in Self.harm + [("all", Self.harm.map(\.text).joined(separator: " "))] {
        let word = Self.word(name)
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
    return home
  }

  /// What stands for a harm until it is put in its place; no other is part of it.
  private static func word(_ name: String) -> String { "HARM" + name.replacing(" ", with: "") + "FUL" }

  private static func course() throws -> String {
    let lessons = harm.map { name, _ -> [String: Any] in
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
    let all = word("all")
    let course: [String: Any] = [
      "key": "harm", "title": "Harm \(all)", "summary": all,
      "children": [["key": "goal", "title": "Goal \(all)", "summary": all, "children": lessons]],
    ]
    let json = String(decoding: try JSONSerialization.data(withJSONObject: course), as: UTF8.self)
    return "{\"waymark\": 1, \"course\": \(json)}"
  }

  /// Expects that nothing was said to the terminal but what the browser itself has to say.
  private func expectHarmless(_ sitting: Sitting, _ location: SourceLocation = #_sourceLocation) {
    let emulator = sitting.terminal.emulator
    #expect(emulator.title == "Waymark", sourceLocation: location)
    #expect(emulator.bells == 0, sourceLocation: location)
    #expect(emulator.showsAlternateScreen && !emulator.showsCursor, sourceLocation: location)
    // Neither a cursor (25) nor a wrapping line (7) nor a picture that is held back (2026).
    #expect(emulator.privateModes == [1002, 1004, 1006, 1049, 2004], sourceLocation: location)
    let parts = TerminalSpeech.parts(of: sitting.terminal.output)
    #expect(
      parts.count { $0 == .sequence("2J") } == 1, "the screen is cleared at the start alone", sourceLocation: location)
    let strange = parts.filter { part in
      switch part {
      case .text(let text): text.unicodeScalars.contains { Self.isHarmful($0) }
      case .control(let byte): ![8, 9, 10, 13, 15].contains(byte)
      case .sequence(let text): !Self.finals.contains(text.last ?? "?")
      case .string("]", let text) where text.hasPrefix("8;id="): !text.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
      case .string(let opener, let text): !Self.strings.contains("\(opener)\(text)")
      case .escape(let text): !["(B", "M", "7", "8"].contains(text)
      }
    }
    #expect(strange == [], sourceLocation: location)
    for row in emulator.lines { #expect(row.count <= emulator.columns, sourceLocation: location) }
  }

  /// C1, the controls of direction, and what was never assigned to be seen.
  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029, 0xFEFF,
      0xE0000...0xE007F:
      true
    default: false
    }
  }

  private static let finals: Set<Character> = [
    "A", "B", "C", "D", "E", "G", "H", "J", "K", "L", "M", "P", "S", "T", "X", "@", "b", "c", "d", "h", "l", "m", "n",
    "p",
    "q", "r", "t", "u",
  ]
  private static let strings: Set<String> = ["]2;Waymark", "]11;?", "]8;;"]

  /// The ends of the rows of the chosen card's frame, where they belong.
  private func frame(of sitting: Sitting) -> [String] {
    let ends = (5..<22).map { row in
      [1, 78].map { sitting.terminal.emulator.cell(column: $0, row: row).text }.joined()
    }
    return Array(ends.drop { $0 != "╭╮" }.prefix(4))
  }

  @Test func `is shown as signs, in every list and every activity`() throws {
    let home = try harmfulHome()
    home.environment["WAYMARK_LEARNER"] = "ada\u{1B}]0;evil\u{7}"
    let sitting = try Sitting(in: home)
    try sitting.wait(for: "Harm")
    try sitting.settle()
    expectHarmless(sitting)

    sitting.type("ll")
    try sitting.wait(for: "goal 1 of 1")
    try sitting.settle()
    #expect(frame(of: sitting) == ["╭╮", "││", "││", "╰╯"], "the frame stands where it stands without harm")
    expectHarmless(sitting)
    for index in Self.harm.indices {
      sitting.type("g" + String(repeating: "j", count: index) + "l")
      try sitting.wait(for: "lesson \(index + 1) of \(Self.harm.count)")
      for activity in 1...3 {
        sitting.type(activity == 1 ? "gl" : "n")
        try sitting.wait(for: "activity \(activity) of 3")
        sitting.press(.down, .down, .up)
      }
      sitting.type("h")
      try sitting.wait(for: "lesson \(index + 1) of \(Self.harm.count)")
      sitting.type("h")
      try sitting.wait(for: "goal 1 of 1")
    }
    sitting.type("i")
    try sitting.settle()
    expectHarmless(sitting)
    sitting.press(.left)
    try sitting.settle()
    sitting.type("/end")
    try sitting.wait(for: "[2 Find]")
    try sitting.settle()
    sitting.press(.down, .escape)
    try sitting.wait(for: "[1 Learn]")
    sitting.type("3")
    try sitting.wait(for: "[3 History]")
    try sitting.settle()
    expectHarmless(sitting)
    #expect(sitting.rows[0].contains("ada␛]0;evil␇"))
    try sitting.quit()
  }

  @Test func `is harmless in the names of files too`() throws {
    let home = try Home()
    let name = "01-\u{1B}]0;evil\u{7}\u{9B}2J\u{202E}"
    try home.write("title: Files\n", to: "course/course.yml")
    try home.write("", to: "course/\(name)/goal.yml")
    try home.write("", to: "course/\(name)/\(name)/lesson.yml")
    try home.write("Some words to read.\n", to: "course/\(name)/\(name)/\(name).md")
    let terminal = try PseudoTerminal(columns: 80, rows: 24)

    try terminal.launch(
      BuiltProgram.path, ["import", home.path("course")], environment: home.environment, directory: home.folder)
    let ending = try terminal.waitForExit(within: Sitting.patience)

    #expect(terminal.emulator.title == "" && terminal.emulator.bells == 0)
    #expect(
      !terminal.output.contains { $0 == 0x07 } && !String(decoding: terminal.output, as: UTF8.self).contains("\u{9B}"))
    guard ending == .exited(0) else { return }
    let sitting = try Sitting(in: home)
    try sitting.wait(for: "Files")
    for place in ["course 1 of 1", "goal 1 of 1", "lesson 1 of 1", "activity 1 of 1"] {
      sitting.type("l")
      try sitting.wait(for: place)
      try sitting.settle()
    }
    expectHarmless(sitting)
    try sitting.quit()
  }

  @Test func `the words of an ordinary course are no more than words either`() throws {
    let sitting = try Sitting(in: .withBundledCourse(), ["english-for-business/meetings/across-borders"])
    try sitting.waitForPage("Across borders")
    sitting.type("l")
    try sitting.waitForPage("Two hands and a card")
    sitting.type("    ")
    try sitting.settle()

    expectHarmless(sitting)
    try sitting.quit()
  }
}
