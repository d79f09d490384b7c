import Foundation
import LearningModel
import Testing

@testable import CourseFormats

struct ExercismTests {
  private func exercise(_ key: String, in draft: CourseDraft) throws -> Exercise {
    guard case .exercise(let exercise)? = try draft.content(key) else {
      throw CourseFormatError.fileMissing(file: key)
    }
    return exercise
  }

  @Test func `a track has a lesson for each concept exercise and each difficulty, and the others are counted`()
    throws
  {
    let draft = try TestFolder(ExerciseFixtures.track).read()

    #expect(
      draft.outline == [
        "c python | Python",
        "  g concepts | Concepts",
        "    l e-kettle! | Water",
        "      a c-water | Water",
        "      a e-kettle | The Kettle",
        "    l concepts/more | Concepts without an exercise",
        "      a c-salt | Salt",
        "  g practice | Practice",
        "    l practice/1 | Difficulty 1",
        "      a e-roll | Roll",
        "    l practice/4 | Difficulty 4",
        "      a e-loaf | Loaf",
      ])
    #expect(
      draft.losses == [
        Loss(what: "deprecated exercise", count: 1, treatment: "left out"),
        Loss(what: "unfinished exercise", count: 1, treatment: "left out"),
        Loss(what: "concept without a text", count: 1, treatment: "left out"),
        Loss(what: "prerequisite that no exercise teaches", count: 1, treatment: "left out"),
      ])
    #expect(draft.diagnostics.isEmpty && draft.format == "exercism")
  }

  @Test func `an exercise has its texts as the task, its hints, its files by purpose and a recipe`() throws {
    let draft = try TestFolder(ExerciseFixtures.track).read()
    let kettle = try exercise("e-kettle", in: draft)

    #expect(
      kettle.task == [
        .admonition(Admonition(kind: .note, title: [], blocks: [.paragraph([.text("Hot!")])])),
        .heading(level: 2, text: [.text("Instructions")], anchor: "instructions"),
        .heading(level: 2, text: [.text("1. Fill it")], anchor: "1-fill-it"),
        .paragraph([.text("With water.")]),
        .heading(level: 2, text: [.text("Append")], anchor: "append"),
        .paragraph([.text("Cold water.")]),
      ])
    #expect(
      kettle.hints.map { $0.first } == [
        .heading(level: 2, text: [.text("General")], anchor: "general"),
        .heading(level: 2, text: [.text("1. Fill it")], anchor: "1-fill-it"),
      ])
    #expect(
      kettle.files.map { "\($0.role) \($0.path)" } == [
        "edit kettle.py", "test kettle_test.py", "support data/tea.txt", "solution .meta/exemplar.py",
        "support tool.cfg",
      ])
    #expect(kettle.recipe == "pytest" && kettle.language == "python" && kettle.check.isEmpty)
    let loaf = try exercise("e-loaf", in: draft)
    #expect(loaf.difficulty == 4 && loaf.after == ["e-kettle"])
  }

  @Test func `addresses of the site lead to concepts and exercises of the track`() throws {
    let draft = try TestFolder(ExerciseFixtures.track).read()

    #expect(
      try draft.content("c-water")
        == .reading([
          .paragraph([
            .text("Water is "), .link(destination: "waymark:c-salt", text: [.text("wet")]), .text(". See "),
            .emphasis([.text("salt")]), .text("."),
          ]),
          .heading(level: 2, text: [.text("Links")], anchor: "links"),
          .bulletList(items: [
            ListItem(blocks: [.paragraph([.link(destination: "https://a.org/water", text: [.text("Water")])])])
          ]),
        ]))
    #expect(
      try draft.content("c-salt")
        == .reading([
          .paragraph([
            .text("Salt. "), .link(destination: "waymark:e-loaf", text: [.text("The loaf")]), .text(", "),
            .link(destination: "https://exercism.org/tracks/go/concepts/salt", text: [.text("elsewhere")]), .text("."),
          ])
        ]))
  }

  @Test func `a track without a list has the exercises with a folder`() throws {
    let draft = try TestFolder([
      "config.json": "{\"slug\": \"bash\", \"language\": \"Bash\"}", "README.md": "# Track\n",
      "exercises/practice/two-fer/.docs/instructions.md": "# Instructions\n\nSay two-fer.\n",
      "exercises/practice/two-fer/two_fer.sh": "x\n", "exercises/practice/two-fer/two_fer_test.bats": "x\n",
    ]).read()

    #expect(try exercise("two-fer", in: draft).files.map(\.role) == [.edit, .test])
  }

  @Test func `a learner's folder has the learner's files, the texts of the exercises and a recipe by track`() throws {
    let draft = try TestFolder(ExerciseFixtures.learner, name: "exercism").read()
    let loaf = try exercise("rust/loaf", in: draft)
    let roll = try exercise("cobol/roll", in: draft)

    #expect(
      draft.outline == [
        "c exercism | Exercism",
        "  g cobol! | Cobol", "    l cobol/ | Cobol", "      a cobol/roll | Roll",
        "  g rust! | Rust", "    l rust/ | Rust", "      a rust/loaf | Loaf",
      ])
    #expect(loaf.task == [.paragraph([.text("Bake.")])] && loaf.hints.count == 1)
    #expect(
      loaf.files.map { "\($0.role) \($0.path)" } == ["edit src/lib.rs", "edit Cargo.toml", "test tests/loaf.rs"])
    #expect(loaf.recipe == "cargo")
    #expect(roll.files.map { "\($0.role) \($0.path)" } == ["edit roll.py", "test test_roll.py"])
    #expect(
      roll.recipe == nil
        && roll.task.last
          == .paragraph([.text("Waymark cannot check the exercises of this track. Run the tests yourself.")])
    )
  }

  @Test(arguments: ["rust", "rust/loaf"])
  func `the folder of a track or of one exercise is read too`(_ folder: String) throws {
    let all = try TestFolder(ExerciseFixtures.learner)

    let draft = try FormatRegistry.read(CourseSource(path: all.path + "/" + folder))

    #expect(draft.nodes.last?.key == "rust/loaf")
  }

  @Test func `a page that is not text is left out`() throws {
    let folder = try TestFolder(ExerciseFixtures.track)
    try folder.write(Data([0x41, 0xFF]), to: "concepts/water/about.md")
    let draft = try folder.read()

    #expect(draft.nodes.contains { $0.key == "e-kettle" } && !draft.nodes.contains { $0.key == "c-water" })
    #expect(draft.losses.contains(Loss(what: "page that cannot be read", count: 1, treatment: "left out")))
    #expect(
      draft.diagnostics.map(\.description) == [
        "concepts/water/about.md:1: warning: Byte 0xFF at offset 1 is not UTF-8 text. Save the file as UTF-8."
      ])
  }

  @Test func `invalid JSON of the track is an error, and of an exercise leaves it out`() throws {
    let folder = try TestFolder(ExerciseFixtures.track)
    try folder.write(Data("{\"files\": {\"solution\": 3}}".utf8), to: "exercises/practice/loaf/.meta/config.json")
    try folder.write(
      Data("{\"files\": {\"solution\": [\"roll.py\", \"Roll.py\"]}}".utf8),
      to: "exercises/practice/roll/.meta/config.json")
    try folder.write(Data("x".utf8), to: "exercises/practice/roll/Roll.py")
    let draft = try folder.read()

    #expect(draft.nodes.filter { $0.type == .exercise }.map(\.key) == ["e-kettle"])
    #expect(
      draft.diagnostics.map(\.description) == [
        "exercises/practice/roll/.docs/instructions.md: warning: The file 'Roll.py' cannot be told from 'roll.py' where "
          + "letter case is ignored. Correct it.",
        "exercises/practice/loaf/.meta/config.json: warning: 'solution' has the wrong form. Correct it.",
      ])

    try folder.write(Data("{\"slug\": }".utf8), to: "config.json")
    let error = #expect(throws: CourseFormatError.self) { try folder.read() }
    #expect(error?.diagnostic.description.hasPrefix("config.json:1: error: ") == true)
  }
}
