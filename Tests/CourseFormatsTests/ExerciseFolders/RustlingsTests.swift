import Foundation
import LearningModel
import Testing

@testable import CourseFormats

struct RustlingsTests {
  private static func exercise(_ key: String, in draft: CourseDraft) throws -> Exercise? {
    guard case .exercise(let exercise)? = try draft.content(key) else { return nil }
    return exercise
  }

  private func exercise(_ key: String, of files: [String: String]) throws -> Exercise {
    try #require(try Self.exercise(key, in: TestFolder(files).read()))
  }

  private static func text(of path: String, of exercise: Exercise, in draft: CourseDraft) throws -> String? {
    try exercise.files.first { $0.path == path }.flatMap { try draft.contents.bytes(of: $0) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test func `topics become lessons, and quizzes stay between them`() throws {
    let draft = try TestFolder(ExerciseFixtures.rustlings, name: "bread").read()

    #expect(draft.format == "rustlings" && draft.diagnostics.isEmpty && draft.losses.isEmpty)
    #expect(
      draft.outline == [
        "c bread | Bread",
        "  g exercises/water! | Exercises",
        "    l exercises/water | Warm water",
        "      a rustlings-macros/info.toml#welcome | Welcome",
        "      a exercises/water/README.md | Warm water",
        "      a water1 | water1",
        "    l exercises/flour | Flour",
        "      a exercises/flour/README.md | Flour",
        "      a flour1 | flour1",
        "    l exercises/quizzes | Quiz1",
        "      a exercises/quizzes/README.md | Quiz1",
        "      a quiz1 | quiz1",
        "    l exercises/salt | Salt",
        "      a salt1 | salt1",
        "    l exercises/quizzes/quiz2 | Quiz2",
        "      a quiz2 | quiz2",
        "      a rustlings-macros/info.toml#after-the-last-exercise | After the last exercise",
      ])
    #expect(
      try draft.content("exercises/water/README.md")
        == .reading([
          .paragraph([
            .text("See "), .link(destination: "waymark:exercises/flour/README.md", text: [.text("the flour")]),
            .text(" and "), .link(destination: "https://a.org/b", text: [.text("the book")]), .text("."),
          ])
        ]))
  }

  @Test func `a collection has one goal, however many topics it has`() throws {
    let names = (1...30).map { "topic\($0)" }
    var files = Dictionary(uniqueKeysWithValues: names.map { ("exercises/\($0)/\($0)a.rs", "fn main() {}\n") })
    files["info.toml"] = names.map { "[[exercises]]\nname = \"\($0)a\"\ndir = \"\($0)\"\n" }.joined()

    let draft = try TestFolder(files, name: "crabs").read()

    #expect(draft.nodes.filter { $0.kind == .goal }.map(\.title) == ["Exercises"])
    #expect(draft.nodes.count { $0.kind == .lesson } == 30)
  }

  @Test func `an exercise has the comment at its top, its commands, its hint and the files of the project`() throws {
    let draft = try TestFolder(ExerciseFixtures.rustlings).read()
    let water = try #require(try Self.exercise("water1", in: draft))
    let flour = try #require(try Self.exercise("flour1", in: draft))

    #expect(
      water.task == [
        .paragraph([.text("Warm the water to 30 degrees.")])
      ])
    #expect(flour.task == [.paragraph([.text("Change the file so that the check passes.")])])
    #expect(flour.hints == [[.paragraph([.text("Use "), .code("Vec"), .text(". Sift it.")])]])
    #expect(water.workspace == .shared && water.recipe == "rustlings" && water.language == "rust")
    #expect(
      water.check == [
        Exercise.Run(.argv(["cargo", "clippy", "-q", "--bin", "{main}", "--profile", "test"])),
        Exercise.Run(.argv(["cargo", "run", "-q", "--bin", "{main}"])),
      ])
    #expect(
      flour.check == [
        Exercise.Run(.argv(["cargo", "test", "-q", "--bin", "{main}"])),
        Exercise.Run(
          .argv(["cargo", "clippy", "-q", "--bin", "{main}", "--profile", "test", "--", "-D", "warnings"])),
        Exercise.Run(.argv(["cargo", "run", "-q", "--bin", "{main}"])),
      ])
    #expect(
      water.files.map { "\($0.role) \($0.path)" } == [
        "edit exercises/01_water/water1.rs", "solution solutions/01_water/water1.rs", "support Cargo.toml",
      ])
    #expect(
      try Self.text(of: "Cargo.toml", of: water, in: draft) == """
        bin = [
          { name = "water1", path = "exercises/01_water/water1.rs" },
          { name = "flour1", path = "exercises/02_flour/flour1.rs" },
        ]

        [package]
        name = "exercises"
        edition = "2024"

        [lints.rust]
        unsafe_code = "forbid"
        """)
  }

  @Test func `a collection without a manifest gets one with all exercises`() throws {
    let draft = try TestFolder([
      "info.toml": """
      [[exercises]]
      name = "a"
      path = "exercises/a.rs"
      mode = "clippy"

      [[exercises]]
      name = "b"
      path = "exercises/b.rs"
      mode = "compile"
      """, "exercises/a.rs": "fn main() {}\n", "exercises/b.rs": "fn main() {}\n",
    ]).read()
    let first = try #require(try Self.exercise("a", in: draft))

    #expect(
      first.check.first?.command
        == .argv(["cargo", "clippy", "-q", "--bin", "{main}", "--profile", "test", "--", "-D", "warnings"]))
    #expect(
      try Self.text(of: "Cargo.toml", of: first, in: draft) == """
        [package]
        name = "exercises"
        version = "0.0.0"
        edition = "2021"

        [[bin]]
        name = "a"
        path = "exercises/a.rs"

        [[bin]]
        name = "b"
        path = "exercises/b.rs"

        """)
  }

  @Test func `golings runs or tests one file in a module without other modules`() throws {
    let draft = try TestFolder(ExerciseFixtures.golings).read()
    let water = try #require(try Self.exercise("water1", in: draft))

    #expect(water.task.first == .paragraph([.text("Make me compile!")]) && water.language == "go")
    #expect(water.check == [Exercise.Run(.argv(["go", "run", "./exercises/water/water1/main.go"]))])
    #expect(
      try Self.exercise("water2", in: draft)?.check
        == [Exercise.Run(.argv(["go", "test", "-race", "./exercises/water/water2/main_test.go"]))])
    #expect(try Self.text(of: "go.mod", of: water, in: draft) == "module example.org/water\ngo 1.19\n")
  }

  @Test func `pythonlings runs an exercise together with its tests`() throws {
    let water = try exercise("water1", of: ExerciseFixtures.pythonlings)

    #expect(water.task.first == .paragraph([.text("Set a to 30.")]))
    #expect(
      water.files.map { "\($0.role) \($0.path)" } == ["edit exercises/water/water1.py", "test checks/water/water1.py"])
    guard case .argv(let arguments)? = water.check.first?.command else {
      Issue.record("the check is no program")
      return
    }
    #expect(arguments.prefix(3) == ["python3", "-B", "-c"])
    #expect(arguments.suffix(2) == ["exercises/water/water1.py", "checks/water/water1.py"])
  }

  @Test func `a workspace has the learner's files, and tests where a file has some`() throws {
    let draft = try TestFolder(ExerciseFixtures.workspace).read()
    let (water, flour) = (try Self.exercise("water1", in: draft), try Self.exercise("flour1", in: draft))

    #expect(water?.check.count == 2 && flour?.check.count == 3)
    #expect(
      try water.flatMap { try Self.text(of: "exercises/01_water/water1.rs", of: $0, in: draft) }
        == "fn main() { warm() }\n")
  }

  @Test(arguments: [
    (ExerciseFixtures.rustlings, ["water1", "quiz1"]), (ExerciseFixtures.golings, []),
    (ExerciseFixtures.pythonlings, ["water1"]), (ExerciseFixtures.workspace, ["water1"]),
  ])
  func `passed exercises are read only if they are requested`(_ files: [String: String], _ passed: [String]) throws {
    var options = ReadOptions()
    #expect(try TestFolder(files).read(options: options).progress.isEmpty)

    options.includesProgress = true
    #expect(try TestFolder(files).read(options: options).progress.passedExercises == passed)
  }

  @Test func `a file that is missing, too large or a link leaves out only its exercise`() throws {
    let folder = try TestFolder(ExerciseFixtures.rustlings)
    let exercises = folder.url.appending(path: "exercises")
    try FileManager.default.removeItem(at: exercises.appending(path: "quizzes/quiz1.rs"))
    try folder.write(Data(repeating: 0x20, count: 2 << 20), to: "exercises/02_flour/flour1.rs")
    try FileManager.default.removeItem(at: exercises.appending(path: "03_salt/salt1.rs"))
    try FileManager.default.createSymbolicLink(
      atPath: exercises.path + "/03_salt/salt1.rs", withDestinationPath: "/etc/passwd")
    let draft = try folder.read()

    #expect(draft.nodes.filter { $0.type == .exercise }.map(\.key) == ["water1", "quiz2"])
    #expect(draft.losses == [Loss(what: "exercise that cannot be read", count: 3, treatment: "left out")])
    #expect(
      draft.diagnostics.map(\.description) == [
        "exercises/02_flour/flour1.rs: warning: The file is larger than 1 MiB. Split the file, or remove it from the course.",
        "exercises/quizzes/quiz1.rs: warning: The file does not exist. Add the file, or remove the references to it.",
        "exercises/03_salt/salt1.rs: warning: The path leads outside the course's folder. "
          + "Copy the file into the folder and use its new path.",
      ])
    #expect(try folder.read(options: ReadOptions(isStrict: true)).isRefused)
  }

  @Test(arguments: [
    (
      "[[exercises]]\nname = \"a",
      "info.toml:2: error: The TOML is invalid: a closing quote is missing. Correct the line."
    ),
    (
      "[[exercises]]\ndir = \"a\"\n",
      "info.toml:2: error: The exercise has no name. Add a line 'name = \"…\"'."
    ),
    (
      "[[exercises]]\nname = \"a\"\npath = \"exercises/a.zig\"\n",
      "info.toml: warning: The exercise 'a' is neither in Rust, Go nor Python. Remove it."
    ),
    (
      "[[exercises]]\nname = \"a\"\npath = \"../../etc/passwd.py\"\n",
      "../../etc/passwd.py: warning: The path leads outside the course's folder. "
        + "Copy the file into the folder and use its new path."
    ),
  ])
  func `a wrong list is an error, and a wrong exercise is left out`(_ toml: String, _ message: String) throws {
    let folder = try TestFolder(["info.toml": toml])

    do {
      let draft = try folder.read()
      #expect(draft.diagnostics.first?.description == message)
      #expect(
        draft.diagnostics.contains { $0.message.hasPrefix("The course has no exercises.") }
          != message.contains(": error"))
    } catch let error as CourseFormatError {
      #expect(error.diagnostic.description == message)
    }
  }
}
