import Foundation
import LearningModel
import Testing

@testable import CourseFormats

struct ExerciseFolderTests {
  private static func digest(_ text: String) -> String {
    var digest = SourceDigest()
    digest.add(Array(text.utf8))
    return digest.hexadecimal()
  }

  /// Creates a course with one exercise.
  private func folder(_ fields: String = "", task: String = "Do it.", _ files: [String: String] = [:]) throws
    -> TestFolder
  {
    let folder = try TestFolder([
      "course.yml": "title: C\nkey: c", "g/goal.yml": "title: G", "g/l/lesson.yml": "title: L",
    ])
    try folder.write(Data("---\ntitle: E\n\(fields)---\n\(task)\n".utf8), to: "g/l/1-e/exercise.md")
    for (path, text) in files { try folder.write(Data(text.utf8), to: "g/l/1-e/" + path) }
    return folder
  }

  private func exercise(_ draft: CourseDraft) throws -> Exercise? {
    guard case .exercise(let exercise)? = try draft.content("g/l/e") else { return nil }
    return exercise
  }

  private static let whole = """
    language: python
    difficulty: 2
    after: [g/l, g]
    files: {add.py: edit, data/.hidden: support, picture.png: support}
    executable: check.sh
    workspace: shared
    recipe: python
    prepare: pip install pytest
    check:
      - sh check.sh
      - argv: [python3, add.py]
        name: sum
        input: "1 2\\n"
        seconds: 5
        expect: {contains: "3"}
      - shell: "false"
        expect: {exit: 1}
    passesUnchanged: true

    """

  private static let files = [
    "add.py": "print(1)\n", "data/.hidden": "", "picture.png": "<svg", "check.sh": "exit 0\n",
    "test_add.py": "import add\n",
    "solution/add.py": "print(3)\n", ".DS_Store": "x", "__pycache__/add.pyc": "x", "photo.jpg": "x",
  ]

  @Test func `a folder with its task, hints, solution and files becomes an exercise`() throws {
    let folder = try folder(
      Self.whole,
      task: "Add.\n\n## Example\n\nNothing.\n\n## Hint\n\nUse +.\n\n## Hint 2\n\nReally.\n\n## Solution\n\nWrite +.",
      Self.files)

    let draft = try folder.read()

    #expect(draft.diagnostics == [])
    #expect(draft.nodes.map(\.key) == ["c", "g", "g/l", "g/l/e"])
    #expect(draft.nodes.last?.type == .exercise)
    func file(_ path: String, _ role: ExerciseFile.Role, isExecutable: Bool = false) -> ExerciseFile {
      ExerciseFile(path: path, role: role, digest: Self.digest(Self.files[path]!), isExecutable: isExecutable)
    }
    #expect(
      try exercise(draft)
        == Exercise(
          task: [
            .paragraph([.text("Add.")]), .heading(level: 2, text: [.text("Example")], anchor: "example"),
            .paragraph([.text("Nothing.")]),
          ], language: "python", difficulty: 2, after: ["g/l", "g"],
          files: [
            file("add.py", .edit), file("data/.hidden", .support), file("picture.png", .support),
            file("check.sh", .support, isExecutable: true), file("test_add.py", .test),
            file("solution/add.py", .solution),
          ], workspace: .shared, recipe: "python", prepare: [.init(.shell("pip install pytest"))],
          check: [
            .init(.shell("sh check.sh")),
            .init(.argv(["python3", "add.py"]), name: "sum", input: "1 2\n", expectation: .contains("3"), seconds: 5),
            .init(.shell("false"), expectation: .exit(1)),
          ], hints: [[.paragraph([.text("Use +.")])], [.paragraph([.text("Really.")])]],
          solution: [.paragraph([.text("Write +.")])], passesUnchanged: true))
    for file in try #require(try exercise(draft)).files {
      #expect(try draft.contents.bytes(of: file) == Array(Self.files[file.path]!.utf8), "\(file.path)")
    }
  }

  @Test func `an exercise is equal after it was written as JSON, also in an archive`() throws {
    let draft = try folder(Self.whole, Self.files).read()
    let archive = try TestFolder()
    var zip = Data()
    try WaymarkArchive.write(
      images: Set(draft.allContents().flatMap(\.storedDigests)).sorted(), bytes: { try draft.contents.image($0) },
      json: { try WaymarkWriter.write(draft.nodes, language: nil, contents: draft.contents, to: $0) },
      to: { zip.append(contentsOf: $0) })
    try archive.write(zip, to: "c.zip")

    for back in [
      try FormatRegistry.read(CourseSource(name: "c.json", bytes: Array(WaymarkWriter.text(of: draft).utf8))),
      try FormatRegistry.read(CourseSource(path: archive.path + "/c.zip")),
    ] {
      #expect(back.diagnostics == [] && back.losses == [])
      #expect(back.nodes == draft.nodes)
      #expect(try back.allContents() == draft.allContents())
      for file in try #require(try exercise(draft)).files {
        #expect(try back.contents.bytes(of: file) == draft.contents.bytes(of: file), "\(file.path)")
      }
    }
  }

  @Test(
    arguments: [
      ("leap.py", .edit), ("Sources/Leap/Leap.swift", .edit), ("latest.py", .edit), ("contest/entry.c", .edit),
      ("leap_test.py", .test), ("test_leap.py", .test), ("Tests/LeapTests/LeapTests.swift", .test),
      ("LeapTest.java", .test),
      ("leap.spec.js", .test), ("tests/common.rs", .test), ("solution.py", .solution), ("solutions/leap.py", .solution),
      ("leap_solution.py", .solution), ("Cargo.toml", .support), ("data.json", .support), ("Makefile", .support),
      ("notes.md", .support),
    ] as [(String, ExerciseFile.Role)])
  func `a file without a role gets one by its path`(_ path: String, _ role: ExerciseFile.Role) throws {
    #expect(try exercise(folder("", [path: "x"]).read())?.files.map(\.role) == [role])
  }

  @Test func `if a file to edit is named, other files support it`() throws {
    let draft = try folder("files: {leap.py: edit}\n", ["leap.py": "x", "helper.py": "y", "leap_test.py": "z"]).read()

    #expect(
      try exercise(draft)?.files.map { "\($0.path) \($0.role)" }
        == ["leap.py edit", "helper.py support", "leap_test.py test"])
  }

  private static let faults: [(fields: String, files: [String: String], message: String)] = [
    (
      "files: {gone.py: edit}\n", [:],
      "g/l/1-e/gone.py: error: The file does not exist. Add the file, or remove the references to it."
    ),
    (
      "files: {../../../course.yml: edit}\n", [:],
      "g/l/1-e/../../../course.yml: error: The file leads out of the folder of the exercise. Rename it."
    ),
    ("files: {/etc/passwd: edit}\n", [:], "g/l/1-e//etc/passwd: error: The file has an absolute path. Rename it."),
    (
      "", ["a.py": "x", "A.py": "y"],
      "g/l/1-e/exercise.md: error: The exercise cannot be imported: the file 'a.py' cannot be told from 'A.py' where letter "
        + "case is ignored. Correct it."
    ),
    (
      "", ["a\\b.py": "x"],
      "g/l/1-e/a\\b.py: error: The file has a backslash in its name. Rename it."
    ),
    (
      "difficulty: 11\n", [:],
      "g/l/1-e/exercise.md: error: The exercise cannot be imported: 'difficulty' is 11, and not from 1 to 10. Correct it."
    ),
    (
      "difficulty: hard\n", [:],
      "g/l/1-e/exercise.md:3: error: The field 'difficulty' is not valid: 'difficulty' has the wrong form. See the fields of "
        + "an exercise."
    ),
    (
      "files: {a.py: written}\n", ["a.py": ""],
      "g/l/1-e/exercise.md:3: error: The field 'files' is not valid: Cannot initialize Role from invalid String value "
        + "written. See the fields of an exercise."
    ),
    (
      "check: {name: x}\n", [:],
      "g/l/1-e/exercise.md:3: error: The field 'check' is not valid: 'shell' is missing. See the fields of an exercise."
    ),
    (
      "type: quiz\n", [:],
      "g/l/1-e/exercise.md:3: error: An exercise is a folder with the file 'exercise.md'. Rename the file, or change its "
        + "'type'."
    ),
    (
      "after: g/l/gone\n", [:],
      "g/l/1-e/exercise.md: warning: The exercise names 'g/l/gone' in 'after', but no node has that key. Correct the key, or "
        + "remove it."
    ),
    (
      "author: me\n", [:],
      "g/l/1-e/exercise.md:3: warning: The field 'author' is not known and is left out. The fields are: title, type, minutes, "
        + "key, summary, url, pass, reversed, language, difficulty, after, workspace, recipe, passesUnchanged, files, "
        + "executable, prepare, check."
    ),
  ]

  @Test(arguments: faults.indices)
  func `a field or a file that breaks a rule is reported with its name`(_ index: Int) throws {
    let fault = Self.faults[index]

    let draft = try folder(fault.fields, fault.files).read()

    #expect(draft.diagnostics.map(\.description) == [fault.message])
  }

  @Test func `a file with type exercise is no exercise`() throws {
    let folder = try TestFolder(["course.yml": "title: C", "g/goal.yml": "title: G", "g/l/lesson.yml": "title: L"])
    try folder.write(Data("---\ntitle: A\ntype: exercise\n---\nx".utf8), to: "g/l/a.md")

    #expect(
      try folder.read().diagnostics.map(\.description) == [
        "g/l/a.md:3: error: An exercise is a folder with the file 'exercise.md'. Rename the file, or change its 'type'."
      ])
  }

  @Test func `a symbolic link is no file of an exercise`() throws {
    let folder = try folder("", ["a.py": "x"])
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/g/l/1-e/b.py", withDestinationPath: "a.py")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/g/l/1-e/c.py", withDestinationPath: "/etc/passwd")

    let draft = try folder.read()

    #expect(
      draft.diagnostics.map(\.description) == [
        "g/l/1-e/b.py: error: It is reached through a symbolic link. Copy the target of the link.",
        "g/l/1-e/c.py: warning: It is a symbolic link to '/etc/passwd', outside the course's folder, and is left out. Copy its "
          + "target there.",
      ])
  }

  private static let sizes: [(files: [String: Int], message: String?)] = [
    (["a.py": 1 << 20], nil),
    (
      ["a.py": 1 << 20 + 1],
      "g/l/1-e/a.py: error: The file is larger than 1 MiB. Split the file, or remove it from the course."
    ),
    (Dictionary(uniqueKeysWithValues: (0..<8).map { ("\($0).py", 1 << 20) }), nil),
    (
      Dictionary(uniqueKeysWithValues: (0..<9).map { ("\($0).py", $0 == 8 ? 1 : 1 << 20) }),
      "g/l/1-e/exercise.md: error: The exercise cannot be imported: with the file '8.py', it has files of more than 8 MiB. "
        + "Remove or shorten files."
    ),
  ]

  @Test(arguments: sizes.indices)
  func `the files of an exercise have a maximum size`(_ index: Int) throws {
    let (files, message) = Self.sizes[index]
    let folder = try folder()
    for (path, size) in files {
      try folder.write(Data(repeating: UInt8(ascii: "a"), count: size), to: "g/l/1-e/" + path)
    }

    #expect(try folder.read().diagnostics.map(\.description) == [message].compactMap { $0 })
  }

  @Test func `an exercise has a maximum number of files`() throws {
    let folder = try folder("", ["a.py": "a", "b.py": "b", "c.py": "c"])
    var limits = SourceLimits.standard
    #expect(limits.exerciseFiles == 1_000)

    limits.exerciseFiles = 3
    #expect(try folder.read(limits: limits).diagnostics == [])
    limits.exerciseFiles = 2
    #expect(
      try folder.read(limits: limits).diagnostics.map(\.description) == [
        "g/l/1-e/exercise.md: error: The exercise cannot be imported: it has 3 files, and not up to 2. Remove files."
      ])
  }

  @Test func `the files of a course have a maximum size, and equal files count once`() throws {
    let folder = try folder("", ["a.py": "aaaa", "b.py": "bbbb"])
    try folder.write(Data("---\ntitle: F\n---\nx".utf8), to: "g/l/2-f/exercise.md")
    for (path, text) in ["a.py": "aaaa", "c.py": "cccc"] { try folder.write(Data(text.utf8), to: "g/l/2-f/" + path) }
    var limits = SourceLimits.standard

    limits.totalExerciseSize = 12
    let allowed = try folder.read(limits: limits)
    limits.totalExerciseSize = 11
    let refused = try folder.read(limits: limits)

    #expect(allowed.diagnostics == [])
    #expect(
      refused.diagnostics.map(\.description) == [
        "g/l/2-f/exercise.md: error: The exercise cannot be imported: with the file 'c.py', the course has files of more than "
          + "11 bytes. Remove or shorten files."
      ])
  }

  @Test func `a file that JSON does not contain, or that breaks a rule, is reported with its name`() throws {
    let digest = String(repeating: "0a", count: 32)
    func diagnostics(_ path: String) throws -> [String] {
      let text = """
        {"waymark": 1, "course": {"key": "c", "title": "C", "children": [{"key": "g", "title": "G", "children": [
        {"key": "l", "title": "L", "children": [{"key": "e", "title": "E", "exercise": {"task": "x", "files": [
        {"path": "\(path)", "role": "edit", "digest": "\(digest)"}]}}]}]}]}}
        """
      return try FormatRegistry.read(CourseSource(name: "c.json", bytes: Array(text.utf8))).diagnostics.map(
        \.description)
    }

    #expect(
      try diagnostics("a.py") == [
        "c.json: error: The exercise cannot be imported: the file 'a.py' is missing. Export the course again."
      ])
    #expect(
      try diagnostics("../a.py") == [
        "c.json:2: error: The activity 'E' cannot be read: the file '../a.py' leads out of the folder of the exercise. See the "
          + "schema of the format."
      ])
  }

  @Test func `an edition is changed if the content of a file to edit differs from the author's`() {
    let exercise = Exercise(
      task: [],
      files: [
        ExerciseFile(path: "a.py", role: .edit, digest: Self.digest("a")),
        ExerciseFile(path: "b.py", role: .edit, digest: ExerciseFile.emptyDigest),
        ExerciseFile(path: "t.py", role: .test, digest: Self.digest("t")),
      ])
    func edition(_ texts: [String: String]) -> (digest: String, isChanged: Bool) {
      exercise.edition { file in texts[file.path].map { Array($0.utf8) } }
    }

    let original = edition(["a.py": "a", "b.py": "", "t.py": "other"])
    let edited = edition(["a.py": "a", "b.py": "b"])
    let deleted = edition(["a.py": "a"])

    #expect(!original.isChanged && edited.isChanged && deleted.isChanged)
    #expect(Set([original, edited, deleted].map(\.digest)).count == 3)
    #expect(edition(["a.py": "a", "b.py": ""]).digest == original.digest)
  }
}
