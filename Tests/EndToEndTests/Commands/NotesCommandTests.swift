import Foundation
import Testing

struct NotesCommandTests {
  private static let text = "english-for-business/negotiating/opening-offers/who-speaks-first"

  @Test func `notes are added, listed, printed in reading order and removed`() throws {
    let home = try HomeFixture.walked()

    let added = try home.waymark(
      "notes", "add", Self.text, "Count to *ten*", "--about", "Let the silence work for you.")
    let marked = try home.waymark("notes", "add", "english-for-business/meetings/opening/why-are-we-here")
    let table = try home.waymark("notes")
    let matches = try home.waymark("notes", "--text", "SILENCE", "--format", "csv")
    let below = try home.waymark("notes", "english-for-business/meetings", "--format", "jsonl")
    let markdown = try home.waymark("notes", "--format", "markdown")
    let name = try #require((below.output.json as? [String: Any])?["note"] as? String)
    let removed = try home.waymark("notes", "remove", String(name.prefix(8)))

    #expect(added.output == "Added a note to “Let the silence work for you.” in “Who speaks first?”.\n")
    #expect(marked.code == 0 && marked.output.hasPrefix("Highlighted “"))
    // Of a pipe too, long texts continue on the next line and are complete.
    #expect(table.output.lines.count == 6)
    #expect(table.output.lines.allSatisfy { $0.count < 220 } && !table.output.contains("…"))
    #expect(matches.output.lines.count == 2 && matches.output.lines[1].contains("Count to *ten*"))
    #expect(below.output.lines.count == 1)
    let lines = markdown.output.lines
    #expect(lines.first == "# English for Business")
    #expect(
      lines.suffix(3) == [
        "## Negotiating › Opening offers › Who speaks first?", "> Let the silence work for you.", #"Count to \*ten\*"#,
      ])
    #expect(removed.code == 0)
    #expect(try home.waymark("notes", "--format", "jsonl").output.lines.count == 1)
  }

  @Test func `own cards are listed with the notes, printed in reading order, and removed`() throws {
    let home = try HomeFixture.walked()
    _ = try home.waymark("notes", "add", Self.text, "Count to ten")
    _ = try home.waymark([Self.text, "--linear"], input: "\n\ncard Who speaks first?\nquit\n")

    let rows = try home.waymark("notes", "--format", "json").output.json as? [[String: Any]]
    let table = try home.waymark("notes", "--limit", "1").output
    let below = try home.waymark("notes", "english-for-business/meetings", "--format", "jsonl").output
    let matches = try home.waymark("notes", "--text", "who speaks", "--format", "jsonl").output
    let markdown = try home.waymark("notes", "--format", "markdown").output
    let card = try #require(rows?.first)
    let answer = try #require(card["answer"] as? String)
    let removed = try home.waymark("notes", "remove", String(try #require(card["note"] as? String).prefix(9)))

    #expect(rows?.map { $0["text"] as? String } == ["Who speaks first?", "Count to ten"])
    #expect(rows?[1]["answer"] is NSNull && !answer.isEmpty && card["state"] as? String == "there")
    #expect(table.contains("Card: Who speaks first?") && table.contains("Answer: \(answer.prefix(20))"), "\(table)")
    #expect(below == "" && matches.lines.count == 1)
    #expect(markdown.contains("\n**Who speaks first?**\n\n\(answer.prefix(20))"), "\(markdown)")
    #expect(removed.output == "Removed the card “Who speaks first?” in “Who speaks first?”.\n", "\(removed)")
    #expect(try home.waymark("notes", "--format", "jsonl").output.lines.count == 1)
  }

  @Test func `a note about code keeps the lines of code in a fenced block with their language`() throws {
    let home = try HomeFixture.walked()
    _ = try home.write("key: lab\ntitle: Lab\n", to: "lab/course.yml")
    _ = try home.write("title: Goal\n", to: "lab/01-goal/goal.yml")
    _ = try home.write("title: Lesson\n", to: "lab/01-goal/01-lesson/lesson.yml")
    _ = try home.write(
      "---\ntitle: Text\nminutes: 3\nsummary: Words.\n---\n\n"
        + "```python\ndef f(x):\n    return x <= 3\n\nprint(f(2))\n```\n", to: "lab/01-goal/01-lesson/01-text.md")
    _ = try home.waymark("import", home.path("lab"))

    _ = try home.waymark("notes", "add", "lab/goal/lesson/text", "All of it")
    let noteOnBlock = try home.waymark("notes", "lab", "--format", "markdown")
    let name = try #require(
      (home.waymark("notes", "--format", "jsonl").output.json as? [String: Any])?["note"] as? String)
    _ = try home.waymark("notes", "remove", name)
    _ = try home.waymark("notes", "add", "lab/goal/lesson/text", "--about", "return x <= 3")
    let noteOnLine = try home.waymark("notes", "lab", "--format", "markdown")

    let head = "# Lab\n\n## Goal › Lesson › Text\n\n> ```python\n"
    #expect(
      noteOnBlock.output == head + "> def f(x):\n>     return x <= 3\n>\n> print(f(2))\n> ```\n\nAll of it\n")
    #expect(noteOnLine.output == head + ">     return x <= 3\n> ```\n")
  }

  @Test func `unknown text and unknown notes are refused with a remedy`() throws {
    let home = try HomeFixture.walked()

    let unknownText = try home.waymark("notes", "add", Self.text, "Mine", "--about", "nowhere to be found")
    let list = try home.waymark("notes", "add", "english-for-business/meetings", "Mine")
    let unknownNote = try home.waymark("notes", "remove", "0000")

    expectAnswer(
      unknownText, code: 66,
      errors: "Could not add a note to '\(Self.text)': its text does not contain 'nowhere to be found'. "
        + "Copy the words from 'waymark show \(Self.text)'.\n")
    expectAnswer(
      list, code: 66,
      errors: "Could not add a note to 'english-for-business/meetings': it has no text. "
        + "Name an activity with a text; 'waymark tree' lists them.\n")
    expectAnswer(
      unknownNote, code: 66,
      errors: "Could not remove the note '0000': no note has this id. "
        + "List the ids with 'waymark notes --format jsonl'.\n")
  }

  @Test func `a note that is too long is refused with the limit and not saved`() throws {
    let home = try HomeFixture.walked()

    let answer = try home.waymark("notes", "add", Self.text, String(repeating: "x", count: 4_001))

    expectAnswer(
      answer, code: 1,
      errors: "Could not save the note: it is longer than 4000 characters. Shorten it, or write two notes.\n")
    #expect(try home.waymark("notes", "--format", "jsonl").output == "")
  }

  @Test func `a note follows its text when the course is edited, and reports if the text is missing`() throws {
    let home = try HomeFixture.walked()
    let head = "---\ntitle: Text\nminutes: 3\nsummary: Words.\n---\n\n"
    func imported(_ text: String) throws {
      _ = try home.write("key: lab\ntitle: Lab\n", to: "lab/course.yml")
      _ = try home.write("title: Goal\n", to: "lab/01-goal/goal.yml")
      _ = try home.write("title: Lesson\n", to: "lab/01-goal/01-lesson/lesson.yml")
      _ = try home.write(head + text, to: "lab/01-goal/01-lesson/01-text.md")
      #expect(try home.waymark("import", home.path("lab"), "--replace").code == 0)
    }
    try imported("Who asks first has the floor.\n\nWho waits has the time.\n")
    _ = try home.waymark("notes", "add", "lab/goal/lesson/text", "Mine", "--about", "Who waits has the time.")
    func state() throws -> String? {
      (try home.waymark("notes", "--format", "jsonl").output.json as? [String: Any])?["state"] as? String
    }

    let before = try state()
    try imported("Something new.\n\nWho asks first has the floor.\n")
    let missing = try state()
    try imported("Something new.\n\nRemember: Who waits has the time.\n")

    #expect(before == "there")
    #expect(missing == "gone")
    #expect(try state() == "there")
  }
}
