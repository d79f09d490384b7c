import CourseFormats
import Foundation
import LearningModel
import Snapshots
import Testing

struct WaymarkFolderTests {
  @Test func `folders become goals and lessons in the order of their numbers`() throws {
    let folder = try TestFolder([
      "course.yml": "key: bees\ntitle: Bees\nsummary: All of it.\nlanguage: en\n",
      "10-late/goal.yml": "title: Late", "10-late/1-a/lesson.yml": "title: A",
      "10-late/1-a/1-x.md": "---\ntitle: X\n---\nx",
      "2-early/goal.yml": "title: Early\nsummary: First.\nkey: first", "2-early/b/lesson.yml": "title: B",
      "2-early/b/b.md": "---\ntitle: Plain\n---\nx", "2-early/b/2-y.md": "---\ntitle: Y\nkey: why\nminutes: 3\n---\nx",
      "2-early/b/3-inner/lesson.yml": "title: Inner",
      "2-early/b/3-inner/1-z.md": "---\ntitle: Z\nsummary: Last.\n---\nx",
      "2-early/b/images/a.png": "", "LICENSE": "",
    ])

    let draft = try folder.read()

    #expect(draft.diagnostics == [])
    expectSnapshot(draft.outline)
    #expect(draft.language == "en")
    #expect(draft.nodes[0].summary == "All of it.")
    #expect(draft.nodes[3].minutes == 3 && draft.nodes[3].type == .reading)
    #expect(draft.nodes[5].summary == "Last.")
    #expect(draft.losses == [Loss(what: "other file", count: 1, treatment: "left out")])
  }

  @Test func `the key of the course is taken from the option, otherwise from the name of the folder`() throws {
    let folder = try TestFolder(["course.yml": "title: A"], name: "Über Bees")

    #expect(try folder.read().nodes[0].key == "über-bees")
    #expect(
      try folder.read(options: ReadOptions(key: "mine")).nodes[0].key == "mine"
    )
  }

  @Test(arguments: ["md", "markdown"])
  func `a folder with activities needs no file with fields`(_ fileExtension: String) throws {
    let folder = try TestFolder(["course.yml": "title: Bees", "hive/inside/comb.\(fileExtension)": "Wax."])

    let draft = try folder.read()

    #expect(draft.nodes.map(\.kind) == [.course, .goal, .lesson, .activity])
  }

  @Test func `misplaced files are put into an implied goal and lesson, with a warning`() throws {
    let folder = try TestFolder([
      "course.yml": "title: Bees", "1-a.md": "---\ntitle: A\n---\nx", "2-b.md": "---\ntitle: B\n---\nx",
      "3-lesson/lesson.yml": "title: L", "3-lesson/1-c.md": "---\ntitle: C\n---\nx", "README.md": "About the folder.",
      "4-goal/goal.yml": "title: G", "4-goal/1-d.md": "---\ntitle: D\n---\nx", "4-goal/2-e.md": "---\ntitle: E\n---\nx",
    ])

    let draft = try folder.read()

    expectSnapshot(draft.outline)
    #expect(
      draft.diagnostics.map(\.description) == [
        "1-a.md: warning: It is directly in the course, so it is added to a goal named 'Bees'. "
          + "Move it into a goal's folder.",
        "4-goal/1-d.md: warning: It is directly in the goal, so it is added to a lesson named 'G'. "
          + "Move it into a lesson's folder.",
        "README.md: warning: This file describes the folder and is left out. "
          + "To import it, move it into a lesson's folder.",
      ])
  }

  @Test func `course-yml takes precedence over course-yaml`() throws {
    let files = ["g/goal.yml": "title: G", "g/l/lesson.yml": "title: L", "g/l/1-a.md": "# A\n\nx"]
    let longer = try TestFolder(files.merging(["course.yaml": "title: Longer"]) { $1 })
    let both = try TestFolder(files.merging(["course.yaml": "title: Longer", "course.yml": "title: Shorter"]) { $1 })

    #expect(try longer.read().nodes[0].title == "Longer")
    #expect(try both.read().nodes[0].title == "Shorter")
  }

  @Test func `a quiz without its own pass mark uses that of the course`() throws {
    let question = "## Who?\n\n- [x] I\n- [ ] You\n"
    let folder = try TestFolder([
      "course.yml": "title: Bees\npass: 70\n", "g/goal.yml": "title: G", "g/l/lesson.yml": "title: L",
      "g/l/1-own.md": "---\ntitle: Own\ntype: quiz\npass: 80 %\n---\n\(question)",
      "g/l/2-course.md": "---\ntitle: Course\ntype: quiz\n---\n\(question)",
    ])

    let passes = try folder.read().allContents().map { content in
      guard case .quiz(_, _, let pass) = content else { return 0.0 }
      return pass
    }

    #expect(passes == [0.8, 0.7])
  }

  @Test func `quizzes, cards and links are parsed from Markdown`() throws {
    let folder = try TestFolder([
      "course.yml": "title: Bees",
      "g/l/1-quiz.md": """
      ---
      title: Quiz
      type: quiz
      ---
      Three minutes.

      ## Who *lives* upstairs?

      Look at the picture.

      - [x] The **honey**
      - [ ] The queen

      > Because of the grid.
      >
      > It is fine.

      ## Which are bees?

      * [X] Drones
      * [x] Workers
      * [ ] Wasps

      ## Why do they dance?

      > Seen by Karl von Frisch.

      Say it in a sentence.

      > To tell where food is.

      > How far, too.
      """,
      "g/l/2-cards.md": """
      ---
      title: Cards
      type: flashcards
      ---

      ## *Apis*

      A bee.

      ### Note

      Many.

      ## Bombus
      A bumblebee.
      """,
      "g/l/3-link.md": "---\ntitle: Link\ntype: link\nurl: https://example.org/a?b=c\n---\nRead *this*.",
      "g/goal.yml": "title: G", "g/l/lesson.yml": "title: L",
    ])

    let draft = try folder.read()

    #expect(draft.diagnostics == [])
    #expect(
      try draft.content("g/l/quiz")
        == .quiz(
          introduction: [.paragraph([.text("Three minutes.")])],
          questions: [
            QuizQuestion(
              question: [.text("Who "), .emphasis([.text("lives")]), .text(" upstairs?")],
              details: [.paragraph([.text("Look at the picture.")])],
              choices: [
                .init(text: [.text("The "), .strong([.text("honey")])], isRight: true),
                .init(text: [.text("The queen")], isRight: false),
              ],
              explanation: [.paragraph([.text("Because of the grid.")]), .paragraph([.text("It is fine.")])]),
            QuizQuestion(
              question: [.text("Which are bees?")], details: [],
              choices: [
                .init(text: [.text("Drones")], isRight: true), .init(text: [.text("Workers")], isRight: true),
                .init(text: [.text("Wasps")], isRight: false),
              ],
              explanation: []),
            QuizQuestion(
              question: [.text("Why do they dance?")],
              details: [
                .quote([.paragraph([.text("Seen by Karl von Frisch.")])]), .paragraph([.text("Say it in a sentence.")]),
              ],
              choices: [],
              explanation: [.paragraph([.text("To tell where food is.")]), .paragraph([.text("How far, too.")])]),
          ]))
    #expect(
      try draft.content("g/l/cards")
        == .flashcards(
          introduction: [],
          cards: [
            Flashcard(
              front: [.emphasis([.text("Apis")])],
              back: [
                .paragraph([.text("A bee.")]), .heading(level: 3, text: [.text("Note")], anchor: "note"),
                .paragraph([.text("Many.")]),
              ]),
            Flashcard(front: [.text("Bombus")], back: [.paragraph([.text("A bumblebee.")])]),
          ]))
    #expect(
      try draft.content("g/l/link")
        == .link(
          destination: "https://example.org/a?b=c",
          text: [.paragraph([.text("Read "), .emphasis([.text("this")]), .text(".")])]))
  }

  @Test func `the title is taken from the field, otherwise from the first heading, which is removed`() throws {
    let folder = try TestFolder([
      "course.yml": "title: Bees", "g/goal.yml": "title: G", "g/l/lesson.yml": "title: L",
      "g/l/1-a.md": "# The *hive*\n\nx", "g/l/2-b.md": "---\ntitle: Same\n---\n# Same\n\nx",
      "g/l/3-c.md": "---\ntitle: Other\n---\n# Heading\n\nx",
    ])

    let draft = try folder.read()

    #expect(draft.nodes.suffix(3).map(\.title) == ["The hive", "Same", "Other"])
    #expect(try draft.content("g/l/b") == .reading([.paragraph([.text("x")])]))
    #expect(
      try draft.content("g/l/c")
        == .reading([.heading(level: 1, text: [.text("Heading")], anchor: "heading"), .paragraph([.text("x")])]))
  }

  @Test func `only equal folders have equal digests`() throws {
    let first = try TestFolder(["course.yml": "title: A", "g/l/1-a.md": "# A\n\nx"])
    let second = try TestFolder(["course.yml": "title: A", "g/l/1-a.md": "# A\n\nx"])
    let third = try TestFolder(["course.yml": "title: A", "g/l/1-a.md": "# A\n\ny"])

    let digests = try [first, second, third].map { try $0.read().sourceDigest }

    #expect(digests[0] == digests[1] && digests[0] != digests[2])
  }

  @Test func `the number of nodes and the number of entries are limited`() throws {
    let folder = try TestFolder(["course.yml": "title: A"])
    for number in 0..<20 { try folder.write(Data("# A\n\nx".utf8), to: "g/l/\(number)-a.md") }
    var limits = SourceLimits()
    limits.nodes = 10
    #expect(throws: CourseFormatError.limit(.nodes(10), file: "course", line: nil)) {
      try folder.read(limits: limits)
    }
    limits = SourceLimits()
    limits.entries = 10
    #expect(throws: CourseFormatError.limit(.entries(10), file: "course", line: nil)) {
      try folder.read(limits: limits)
    }
  }
}
