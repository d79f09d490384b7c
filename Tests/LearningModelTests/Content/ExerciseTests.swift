import Foundation
import JSONCoding
import LearningModel
import Testing

private let digest = String(repeating: "0a", count: 32)

struct ExerciseTests {
  private static func file(_ path: String) -> ExerciseFile { ExerciseFile(path: path, role: .edit, digest: digest) }

  @Test(
    arguments: [
      ("leap.py", nil), ("src/lib.rs", nil), ("a b/Grüße.swift", nil), (".cargo/config.toml", nil),
      ("/etc/passwd", "has an absolute path"), ("../leap.py", "leads out of the folder of the exercise"),
      ("src/../../leap.py", "leads out of the folder of the exercise"),
      ("..", "leads out of the folder of the exercise"),
      ("", "has an empty name or a single dot in its path"),
      ("src//a", "has an empty name or a single dot in its path"),
      ("src/", "has an empty name or a single dot in its path"),
      ("./a", "has an empty name or a single dot in its path"),
      ("a\nb", "has a control character in its name"), ("a\u{1B}[31m", "has a control character in its name"),
      ("a\u{0}b", "has a control character in its name"), ("a\u{85}b", "has a control character in its name"),
      ("a\\b", "has a backslash in its name"),
      (String(repeating: "a", count: 255), nil),
      (String(repeating: "a", count: 256), "has a name that is too long"),
      (String(repeating: "a/", count: 500) + "a", "has a name that is too long"),
      ("exercise.md", "has the name of the file with the task"),
      ("Exercise.MD", "has the name of the file with the task"),
      ("docs/exercise.md", nil),
    ] as [(String, String?)])
  func `a path of a file is checked`(_ path: String, _ fault: String?) {
    #expect(ExerciseFile.fault(ofPath: path) == fault)
  }

  @Test(
    arguments: [
      (["a.py", "b.py", "src/a.py", "src/b.py"], nil),
      (["a.py", "a.py"], "the file 'a.py' occurs twice, or is also a folder"),
      (["src", "src/a.py"], "the file 'src/a.py' occurs twice, or is also a folder"),
      (["src/a.py", "src"], "the file 'src' occurs twice, or is also a folder"),
      (["a.py", "A.py"], "the file 'A.py' cannot be told from 'a.py' where letter case is ignored"),
      (["src/a.py", "Src/b.py"], "the file 'Src/b.py' cannot be told from 'src' where letter case is ignored"),
      (
        ["\u{E9}.py", "e\u{301}.py"],
        "the file 'e\u{301}.py' cannot be told from '\u{E9}.py' where letter case is ignored"
      ),
      (["a.py", "../b.py"], "the file '../b.py' leads out of the folder of the exercise"),
    ] as [([String], String?)])
  func `two files cannot have the same path on any file system`(_ paths: [String], _ fault: String?) {
    #expect(Exercise(task: [], files: paths.map(Self.file)).fault == fault)
  }

  @Test(
    arguments: [
      (Exercise(task: [], difficulty: 1), nil), (Exercise(task: [], difficulty: 10), nil),
      (Exercise(task: [], difficulty: 0), "'difficulty' is 0, and not from 1 to 10"),
      (Exercise(task: [], difficulty: 11), "'difficulty' is 11, and not from 1 to 10"),
      (Exercise(task: [], check: [.init(.argv([]))]), "a command is empty"),
      (Exercise(task: [], prepare: [.init(.argv([]))]), "a command is empty"),
      (Exercise(task: [], check: [.init(.shell("x"), seconds: 300)]), nil),
      (Exercise(task: [], check: [.init(.shell("x"), seconds: 301)]), "'seconds' is 301, and not from 1 to 300"),
      (Exercise(task: [], check: [.init(.shell("x"), seconds: 0)]), "'seconds' is 0, and not from 1 to 300"),
      (
        Exercise(task: [], files: [ExerciseFile(path: "a.py", role: .edit, digest: "0A")]),
        "'digest' of the file 'a.py' is not a SHA-256 digest with 64 lower-case hexadecimal digits"
      ),
    ] as [(Exercise, String?)])
  func `the values of an exercise are checked`(_ exercise: Exercise, _ fault: String?) {
    #expect(exercise.fault == fault)
  }

  static let whole = Exercise(
    task: [.paragraph([.text("Add.")])], language: "python", difficulty: 3, after: ["loops"],
    files: [
      ExerciseFile(path: "add.py", role: .edit, digest: digest),
      ExerciseFile(path: "check.sh", role: .test, digest: ExerciseFile.emptyDigest, isExecutable: true),
    ], workspace: .shared, recipe: "python", prepare: [.init(.shell("make"))],
    check: [
      .init(.argv(["sh", "check.sh"]), name: "all", input: "1 2\n", expectation: .equals("3\n"), seconds: 20),
      .init(.shell("false"), expectation: .exit(1)), .init(.shell("a"), expectation: .contains("b")),
      .init(.shell("a"), expectation: .matches("^b")),
    ], hints: [[.paragraph([.text("Use +.")])], [.rule, .paragraph([.text("Really.")])]],
    solution: [.paragraph([.text("Write +.")])], passesUnchanged: true)

  private static let json = """
    {"exercise":{"after":["loops"],"check":[{"argv":["sh","check.sh"],"expect":{"equals":"3\\n"},"input":"1 2\\n",\
    "name":"all","seconds":20},{"expect":{"exit":1},"shell":"false"},{"expect":{"contains":"b"},"shell":"a"},\
    {"expect":{"matches":"^b"},"shell":"a"}],"difficulty":3,"files":[{"digest":"\(digest)","path":"add.py",\
    "role":"edit"},{"digest":"\(ExerciseFile.emptyDigest)","executable":true,"path":"check.sh","role":"test"}],\
    "hints":["Use +.",[{"hr":true},"Really."]],"language":"python","passesUnchanged":true,"prepare":[{"shell":"make"}],\
    "recipe":"python","solution":"Write +.","task":"Add.","workspace":"shared"}}
    """

  @Test(arguments: [
    (ActivityContent.exercise(whole), json), (.exercise(Exercise(task: [])), #"{"exercise":{"files":[],"task":[]}}"#),
  ])
  func `an exercise is encoded without empty members, and decoded as an equal value`(
    _ content: ActivityContent, _ json: String
  ) throws {
    #expect(String(decoding: try JSONEncoding.sorted(content), as: UTF8.self) == json)
    #expect(try JSONDecoding.decode(ActivityContent.self, from: Array(json.utf8)) == content)
  }

  @Test(arguments: [
    #"{"exercise":{"task":"","files":[{"path":"../a","role":"edit","digest":"\#(digest)"}]}}"#,
    #"{"exercise":{"task":"","files":[{"path":"a","role":"other","digest":"\#(digest)"}]}}"#,
    #"{"exercise":{"task":"","check":[{"name":"neither argv nor shell"}],"files":[]}}"#,
    #"{"exercise":{"task":"","check":[{"shell":"a","expect":{}}],"files":[]}}"#,
  ])
  func `an exercise that breaks a rule is not decoded`(_ json: String) {
    #expect(throws: DecodingError.self) { try JSONDecoding.decode(ActivityContent.self, from: Array(json.utf8)) }
  }

  @Test func `the task and the hints are searched, and the solution is not`() {
    let content = ActivityContent.exercise(Self.whole)

    #expect(content.searchedText == "Add.\nUse +.\nReally.")
    #expect(content.plainText == "Add.\nUse +.\nReally.\nWrite +.")
  }

  @Test func `files that are not empty are stored like images`() throws {
    let image = try #require(StoredImage(digest: String(repeating: "1b", count: 32), size: nil))
    let task: [Block] = [.paragraph([.image(source: "a.png", alternative: "a", stored: image)])]

    #expect(ActivityContent.exercise(Self.whole.with(task: task)).storedDigests == [image.digest, digest])
  }

  @Test func `headings of the second level begin hints and the solution`() {
    let headings = ["Hint", "hint 2", "Solution", "Hints", "Hint about loops", "Task"]

    let names = headings.map { Block.heading(level: 2, text: [.text($0)], anchor: "").exerciseSection }

    #expect(names == ["hint", "hint", "solution", nil, nil, nil])
    #expect(Block.heading(level: 3, text: [.text("Hint")], anchor: "").exerciseSection == nil)
  }
}
