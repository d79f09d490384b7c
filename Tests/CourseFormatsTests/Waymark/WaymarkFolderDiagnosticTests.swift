import Foundation
import LearningModel
import TestSupport
import Testing

struct WaymarkFolderDiagnosticTests {
  /// Returns the diagnostics of a course with one lesson that contains these files.
  private func diagnostics(_ files: [String: String], course: String = "title: Bees") throws -> [String] {
    let folder = try TestFolder(["course.yml": course, "g/goal.yml": "title: G", "g/l/lesson.yml": "title: L"])
    for (name, text) in files { try folder.write(Data(text.utf8), to: "g/l/\(name)") }
    return try folder.read().diagnostics.map(\.description)
  }

  private static let cases: [(text: String, message: String)] = [
    (
      "---\ntitle: A\ntype: video\n---\nx",
      "g/l/1-a.md:3: error: The type 'video' is not known. The types are: reading, flashcards, quiz, link, "
        + "exercise."
    ),
    (
      "---\ntitle: A\nauthor: me\n---\nx",
      "g/l/1-a.md:3: warning: The field 'author' is not known and is left out. "
        + "The fields are: title, type, minutes, key, summary, url, pass, reversed."
    ),
    (
      "---\ntitle: [A]\n---\n# A\n\nx",
      "g/l/1-a.md:2: error: The field 'title' is not a line of text. Write 'title: …' on one line."
    ),
    (
      "---\ntitle: A\nminutes: soon\n---\nx",
      "g/l/1-a.md:3: error: The field 'minutes' is 'soon'. Write a whole number from 1 to 10000."
    ),
    (
      "---\ntitle: A\npass: most\n---\nx",
      "g/l/1-a.md:3: error: The field 'pass' is 'most'. Write the required percentage of correct answers, from 1 to "
        + "100."
    ),
    (
      "just words",
      "g/l/1-a.md:1: warning: The activity has no title, so it is named 'A'. Add a line 'title: …' at its top."
    ),
    ("---\ntitle: A\n---\n", "g/l/1-a.md: warning: The activity has no text. Write one below its fields."),
    (
      "---\ntitle: A\n",
      "g/l/1-a.md:1: error: The fields at the top are not closed. Write a line '---' below them."
    ),
    (
      "---\ntitle: A: B\n---\nx",
      "g/l/1-a.md:2: error: The YAML is invalid: mapping values are not allowed in this context. "
        + "Put text that contains ':' or '#' in quotes."
    ),
    (
      "---\ntitle: A\ntype: quiz\n---\n## Who?\n\nx\n",
      "g/l/1-a.md:5: error: The question 'Who?' has neither choices nor an answer. Write each choice as '- [ ] …', "
        + "right ones as '- [x] …'; or, for a free-text question, a good answer as '> …'."
    ),
    (
      "---\ntitle: A\ntype: quiz\n---\n## Who?\n\n> Said in passing.\n\nx\n",
      "g/l/1-a.md:5: error: The question 'Who?' has neither choices nor an answer. Write each choice as '- [ ] …', "
        + "right ones as '- [x] …'; or, for a free-text question, a good answer as '> …'."
    ),
    (
      "---\ntitle: A\ntype: quiz\n---\n## Who?\n\n- a\n- b\n\n> The queen.\n",
      "g/l/1-a.md:7: warning: The question 'Who?' is read as a free-text question because its list has no boxes. "
        + "If these are its choices, write each as '- [ ] …', right ones as '- [x] …'."
    ),
    (
      "---\ntitle: A\ntype: quiz\n---\nx\n\n## Who?\n\n- [ ] a\n- [ ] b\n",
      "g/l/1-a.md:7: error: The question 'Who?' has no right choice. Tick one: '- [x] …'."
    ),
    (
      "---\ntitle: A\ntype: quiz\n---\n## Who?\n\n- [x] a\n",
      "g/l/1-a.md:5: error: The question 'Who?' has one choice only. Add a wrong one: '- [ ] …'."
    ),
    (
      "---\ntitle: A\ntype: quiz\n---\n## Who?\n\n- [x] a\n- [ ] <!-- -->\n",
      "g/l/1-a.md:5: error: A wrong choice of 'Who?' has no text. Write one."
    ),
    (
      "---\ntitle: A\ntype: quiz\n---\n## Who?\n\n- [x] a\n- [ ] b\n\nBecause.\n",
      "g/l/1-a.md:10: warning: The text below the choices of 'Who?' is read as part of the explanation. Begin it with "
        + "'> '."
    ),
    (
      "---\ntitle: A\ntype: quiz\n---\nx\n",
      "g/l/1-a.md: error: The quiz has no questions. Write '## ' and a question, and its choices below."
    ),
    (
      "---\ntitle: A\ntype: flashcards\n---\nx\n",
      "g/l/1-a.md: error: The set has no cards. Write '## ' and the front of a card, and its back below."
    ),
    (
      "---\ntitle: A\ntype: flashcards\n---\n## Apis\n",
      "g/l/1-a.md:5: error: The card 'Apis' has no back. Write one below its front."
    ),
    (
      "---\ntitle: A\ntype: link\n---\nx\n",
      "g/l/1-a.md:1: error: The link has no URL. Add a line 'url: https://…' at its top."
    ),
    (
      "---\ntitle: A\ntype: link\nurl: javascript:alert(1)\n---\nx\n",
      "g/l/1-a.md:4: error: The field 'url' is 'javascript:alert(1)'. Write a complete URL, such as "
        + "https://example.org."
    ),
    (
      "---\ntitle: A\n---\nx\n\nSee\n[that](missing.md).\n",
      "g/l/1-a.md:7: warning: The link 'missing.md' is broken: there is no such file. Its text is kept."
    ),
    (
      "---\ntitle: A\n---\n[that](#nowhere)\n",
      "g/l/1-a.md:4: warning: The link '#nowhere' is broken: there is no heading '#nowhere'. "
        + "Its text is kept."
    ),
    (
      "---\ntitle: A\n---\n[that](../../../b.md)\n",
      "g/l/1-a.md:4: warning: The link '../../../b.md' is broken: it leads outside the course's folder. "
        + "Its text is kept."
    ),
    (
      "---\ntitle: A\n---\n[that](waymark:g/x)\n",
      "g/l/1-a.md:4: warning: The link 'waymark:g/x' is broken: no node has that key. Its text is kept."
    ),
  ]

  @Test(arguments: cases)
  func `each mistake in an activity is reported with file and line`(_ text: String, _ message: String) throws {
    #expect(try diagnostics(["1-a.md": text]) == [message])
  }

  @Test func `thousands of broken links are reported with lines in little time`() throws {
    let links = (0..<3_000).map { "[a](b\($0).md)" }
    var said: [String] = []

    let time = try processorSeconds { said = try diagnostics(["1-a.md": links.joined(separator: "\n\n")]) }

    #expect(
      said
        == ["g/l/1-a.md:1: warning: The activity has no title, so it is named 'A'. Add a line 'title: …' at its top."]
        + links.indices.map {
          "g/l/1-a.md:\(2 * $0 + 1): warning: The link 'b\($0).md' is broken: there is no such file. "
            + "Its text is kept."
        })
    #expect(time < 10)
  }

  @Test func `a duplicate key is reported as an error at its second use`() throws {
    #expect(
      try diagnostics(["1-a.md": "# A\n\nx", "2-a.md": "# A\n\nx"]) == [
        "g/l/2-a.md: error: The key 'g/l/a' is already used by a node of 'g/l/1-a.md'. Give one of them another 'key'."
      ])
    #expect(
      try diagnostics(["1-a.md": "# A\n\nx", "2-b.md": "---\ntitle: B\nkey: g/l/a\n---\nx"]) == [
        "g/l/2-b.md:3: error: The key 'g/l/a' is already used by a node of 'g/l/1-a.md'. Give one of them another "
          + "'key'."
      ])
  }

  @Test func `missing titles, missing activities and unknown YAML cause warnings`() throws {
    let folder = try TestFolder([
      "course.yml": "summary: x", "01-first-goal/1-l/1-a.md": "# A\n\nx", "02-empty/goal.yml": "title: E",
      "03-g/goal.yml": "titel: G", "03-g/1-l/lesson.yaml": "title: L", "03-g/1-l/a.md": "# A\n\nx",
      "03-g/extra.yml": "",
    ])

    let draft = try folder.read()

    #expect(
      draft.diagnostics.map(\.description) == [
        "course.yml: warning: The course has no title, so it is named 'Course'. Add a line 'title: …'.",
        "01-first-goal/goal.yml: warning: The goal has no title, so it is named 'First goal'. Add a line 'title: …'.",
        "01-first-goal/1-l/lesson.yml: warning: The lesson has no title, so it is named 'L'. Add a line 'title: …'.",
        "02-empty/goal.yml: warning: The goal has no activities. Add a Markdown file, or remove it.",
        "03-g/goal.yml:1: warning: The field 'titel' is not known and is left out. "
          + "The fields are: key, title, summary.",
        "03-g/goal.yml: warning: The goal has no title, so it is named 'G'. Add a line 'title: …'.",
        "03-g/extra.yml: warning: A file with this name is not read. Use course.yml, goal.yml or lesson.yml.",
      ])
    #expect(!draft.isRefused)
  }

  @Test func `unreadable fields cause no further warnings`() throws {
    let broken = "title: A: B\nsummary: x"
    let folder = try TestFolder([
      "course.yml": broken, "1-g/goal.yml": broken, "1-g/1-l/lesson.yml": broken, "1-g/1-l/1-a.md": "# A\n\nx",
    ])

    let draft = try folder.read()

    #expect(
      draft.diagnostics.map(\.description)
        == ["course.yml", "1-g/goal.yml", "1-g/1-l/lesson.yml"].map {
          "\($0):1: error: The YAML is invalid: mapping values are not allowed in this context. "
            + "Put text that contains ':' or '#' in quotes."
        })
    #expect(draft.isRefused)
  }

  @Test func `a course without activities is rejected`() throws {
    let folder = try TestFolder(["course.yml": "title: A"])

    let draft = try folder.read()

    #expect(
      draft.diagnostics.map(\.description) == [
        "course.yml: error: The course has no activities. Add a folder for a goal, one in it for a lesson, "
          + "and Markdown files in that."
      ])
    #expect(draft.isRefused)
  }

  @Test func `an unreadable file is reported, and the other files are read`() throws {
    let folder = try TestFolder(["course.yml": "title: A", "g/l/2-b.md": "# B\n\nx"])
    try folder.write(Data([0x23, 0x20, 0xFF, 0x0A]), to: "g/l/1-a.md")

    let draft = try folder.read()

    #expect(draft.isRefused)
    #expect(
      draft.diagnostics.filter { $0.severity == .error }.map(\.description) == [
        "g/l/1-a.md:1: error: Byte 0xFF at offset 2 is not UTF-8 text. Save the file as UTF-8."
      ])
    #expect(draft.outline.last == "      a g/l/b | B")
  }

  @Test func `links inside the course become keys, and external links are unchanged`() throws {
    let folder = try TestFolder([
      "course.yml": "title: A", "1-g/goal.yml": "title: G", "1-g/1-l/lesson.yml": "title: L",
      "1-g/1-l/1-a.md":
        "# A\n\n[b](2-b.md) [c](2-b.md#part-two) [d](./) [e](..) [f](#here) [g](https://e.org) [h](waymark:why#part-two) "
        + "[i](notes.pdf) [j](javascript:x) [k](2-b.md?x)\n\n## Here\n",
      "1-g/1-l/2-b.md": "---\ntitle: B\nkey: why\n---\nx\n\n## Part two\n", "1-g/1-l/notes.pdf": "",
    ])

    let draft = try folder.read()

    #expect(draft.diagnostics == [])
    #expect(
      try draft.content("g/l/a")
        == .reading([
          .paragraph([
            .link(destination: "waymark:why", text: [.text("b")]), .text(" "),
            .link(destination: "waymark:why#part-two", text: [.text("c")]), .text(" "),
            .link(destination: "waymark:g/l", text: [.text("d")]), .text(" "),
            .link(destination: "waymark:g", text: [.text("e")]), .text(" "),
            .link(destination: "waymark:g/l/a#here", text: [.text("f")]), .text(" "),
            .link(destination: "https://e.org", text: [.text("g")]), .text(" "),
            .link(destination: "waymark:why#part-two", text: [.text("h")]), .text(" i j "),
            .link(destination: "waymark:why", text: [.text("k")]),
          ]),
          .heading(level: 2, text: [.text("Here")], anchor: "here"),
        ]))
    #expect(
      draft.losses == [
        Loss(what: "other file", count: 1, treatment: "left out"),
        Loss(what: "linked file", count: 1, treatment: "shown as its name"),
        Loss(what: "unsafe link", count: 1, treatment: "shown as text"),
      ])
  }
}
