/// Code that the learner writes and that commands check.
public struct Exercise: Hashable, Sendable {
  /// The task.
  public let task: [Block]
  /// The programming language, named as in a block of code, such as `python`. `nil` if the author gives none.
  public let language: String?
  /// The difficulty, from 1 to 10. `nil` if the author gives none.
  public let difficulty: Int?
  /// The keys of the activities that the author recommends to finish first.
  public let after: [String]
  /// The files, in the author's order. A decoder checks the rules for their paths.
  public let files: [ExerciseFile]
  /// The folder in which the learner works.
  public let workspace: Workspace
  /// The name of a recipe, which completes the commands. `nil` if the exercise has all commands itself.
  public let recipe: String?
  /// The commands that install what the checks need. Their expectations have no effect.
  public let prepare: [Run]
  /// The commands that check the learner's files. All of them must meet their expectations.
  public let check: [Run]
  /// The hints, from the first to the last.
  public let hints: [[Block]]
  /// The explanation of the solution. Empty if the author gives none.
  public let solution: [Block]
  /// Whether the check passes although no file was edited, so that a passed check of unedited files is no mistake.
  public let passesUnchanged: Bool

  /// The folder in which a learner works on an exercise.
  public enum Workspace: String, Codable, CaseIterable, Hashable, Sendable {
    /// A folder of its own.
    case own
    /// A folder for all exercises of the course with a shared workspace, such as a project with a file for each exercise.
    case shared
  }

  /// A command that prepares or checks an exercise.
  public struct Run: Hashable, Sendable {
    /// The name of the check, such as the name of a test. `nil` if the author gives none.
    public let name: String?
    /// The program or the line for the shell.
    public let command: Command
    /// The standard input. `nil` if the command has no input.
    public let input: String?
    /// The condition under which the check is passed.
    public let expectation: Expectation
    /// The maximum duration in seconds, from 1 to ``maximumSeconds``. `nil` if the author gives none.
    public let seconds: Int?

    /// The highest limit that an author can set, in seconds.
    public static let maximumSeconds = 300

    /// The form of a command.
    public enum Command: Hashable, Sendable {
      /// A program with its arguments. There is at least one element.
      case argv([String])
      /// A line for the shell.
      case shell(String)
    }

    /// The condition under which a check is passed. The comparisons with the output also need the exit code 0.
    public enum Expectation: Hashable, Sendable {
      /// The exit code is equal to this one.
      case exit(Int)
      /// The output contains the text.
      case contains(String)
      /// The output is equal to the text.
      case equals(String)
      /// The output contains a match of the regular expression.
      case matches(String)
    }

    /// Creates a command.
    public init(
      _ command: Command, name: String? = nil, input: String? = nil, expectation: Expectation = .exit(0),
      seconds: Int? = nil
    ) {
      (self.command, self.name, self.input) = (command, name, input)
      (self.expectation, self.seconds) = (expectation, seconds)
    }
  }

  /// Creates an exercise.
  public init(
    task: [Block], language: String? = nil, difficulty: Int? = nil, after: [String] = [], files: [ExerciseFile] = [],
    workspace: Workspace = .own, recipe: String? = nil, prepare: [Run] = [], check: [Run] = [], hints: [[Block]] = [],
    solution: [Block] = [], passesUnchanged: Bool = false
  ) {
    (self.task, self.language, self.difficulty, self.after) = (task, language, difficulty, after)
    (self.files, self.workspace, self.recipe, self.prepare) = (files, workspace, recipe, prepare)
    (self.check, self.hints, self.solution, self.passesUnchanged) = (check, hints, solution, passesUnchanged)
  }

  /// Returns the exercise with other texts or files. A value that is `nil` does not change.
  package func with(
    task: [Block]? = nil, hints: [[Block]]? = nil, solution: [Block]? = nil, files: [ExerciseFile]? = nil
  ) -> Exercise {
    Exercise(
      task: task ?? self.task, language: language, difficulty: difficulty, after: after, files: files ?? self.files,
      workspace: workspace, recipe: recipe, prepare: prepare, check: check, hints: hints ?? self.hints,
      solution: solution ?? self.solution, passesUnchanged: passesUnchanged)
  }

  /// The files with a role, in order.
  public func files(_ role: ExerciseFile.Role) -> [ExerciseFile] { files.filter { $0.role == role } }
}

/// A file of an exercise. Its content is stored with the course, like an image.
public struct ExerciseFile: Hashable, Sendable {
  /// The path in the folder of the exercise. Its names are separated by `/`.
  public let path: String
  /// The purpose of the file.
  public let role: Role
  /// The SHA-256 of the content, as 64 lower-case hexadecimal digits.
  public let digest: String
  /// Whether the file is a program.
  public let isExecutable: Bool

  /// The purpose of a file.
  public enum Role: String, Codable, CaseIterable, Hashable, Sendable {
    /// The learner edits the file.
    case edit
    /// The file contains tests. It is written again before each check.
    case test
    /// The other files need the file. It is written again before each check.
    case support
    /// The file is the author's solution. It is never written next to the learner's files.
    case solution
  }

  /// The name of the file that contains the task in a folder of Waymark's format.
  package static let taskName = "exercise.md"
  /// The digest of an empty file, which has no stored content.
  package static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// Creates a file.
  public init(path: String, role: Role, digest: String, isExecutable: Bool = false) {
    (self.path, self.role, self.digest, self.isExecutable) = (path, role, digest, isExecutable)
  }
}

// MARK: - Rules

extension Exercise {
  /// The first violation of the rules for exercises, as the middle of a sentence. `nil` if there is none.
  package var fault: String? {
    if let difficulty, !(1...10).contains(difficulty) { return "'difficulty' is \(difficulty), and not from 1 to 10" }
    for run in prepare + check {
      if run.command == .argv([]) { return "a command is empty" }
      if let seconds = run.seconds, !(1...Run.maximumSeconds).contains(seconds) {
        return "'seconds' is \(seconds), and not from 1 to \(Run.maximumSeconds)"
      }
    }
    // The paths of the files, and of the folders that contain them, without case.
    var known: [String: (path: String, isFolder: Bool)] = [:]
    for file in files {
      if let fault = ExerciseFile.fault(ofPath: file.path) { return "the file \(quoted: file.path) \(fault)" }
      guard StoredImage(digest: file.digest, size: nil) != nil else {
        return "'digest' of the file \(quoted: file.path) is not a SHA-256 digest with 64 lower-case hexadecimal digits"
      }
      for end in file.path.indices.filter({ file.path[$0] == "/" }) + [file.path.endIndex] {
        let new = (path: String(file.path[..<end]), isFolder: end < file.path.endIndex)
        guard let old = known.updateValue(new, forKey: new.path.lowercased()),
          !old.isFolder || !new.isFolder || !old.path.utf8.elementsEqual(new.path.utf8)
        else { continue }
        return old.path.utf8.elementsEqual(new.path.utf8)
          ? "the file \(quoted: file.path) occurs twice, or is also a folder"
          : "the file \(quoted: file.path) cannot be told from \(quoted: old.path) where letter case is ignored"
      }
    }
    return nil
  }
}

extension ExerciseFile {
  /// Returns the reason why a file cannot have a path, as the end of a sentence. Returns `nil` if the path is valid.
  package static func fault(ofPath path: String) -> String? {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    if path.hasPrefix("/") { return "has an absolute path" }
    if names.contains("..") { return "leads out of the folder of the exercise" }
    if names.contains("") || names.contains(".") { return "has an empty name or a single dot in its path" }
    if path.escapingControls != path { return "has a control character in its name" }
    if path.contains("\\") { return "has a backslash in its name" }
    if path.utf8.count > 1_000 || names.contains(where: { $0.utf8.count > 255 }) {
      return "has a name that is too long"
    }
    return path.lowercased() == taskName ? "has the name of the file with the task" : nil
  }
}

extension Block {
  /// The section of an exercise that begins with the block in a file of Waymark's format: `hint` or `solution`. `nil` for
  /// other blocks.
  package var exerciseSection: String? {
    guard case .heading(2, let text, _) = self else { return nil }
    let words = text.plainText.lowercased().split(separator: " ")
    guard let name = words.first, ["hint", "solution"].contains(name), words.dropFirst().allSatisfy({ Int($0) != nil })
    else { return nil }
    return String(name)
  }
}

extension ActivityContent {
  /// The digests of all stored files in reading order: images and sounds, and then the files of an exercise. A file that
  /// occurs several times is included several times.
  package var storedDigests: [String] {
    guard case .exercise(let exercise) = self else { return storedImages.map(\.digest) }
    return storedImages.map(\.digest) + exercise.files.map(\.digest).filter { $0 != ExerciseFile.emptyDigest }
  }
}

// MARK: - JSON

/// An exercise is coded as an object with `task` and `files`. Other members are omitted if they are empty or have their
/// default values.
extension Exercise: Codable {
  private enum Key: String, CodingKey {
    case task, language, difficulty, after, files, workspace, recipe, prepare, check, hints, solution, passesUnchanged
  }

  /// Decodes an object, and checks the rules for exercises.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    func list<Element: Decodable>(_ key: Key) throws -> [Element] {
      try object.decodeIfPresent([Element].self, forKey: key) ?? []
    }
    self.init(
      task: try object.blocks(.task), language: try object.decodeIfPresent(String.self, forKey: .language),
      difficulty: try object.decodeIfPresent(Int.self, forKey: .difficulty), after: try list(.after),
      files: try list(.files), workspace: try object.decodeIfPresent(Workspace.self, forKey: .workspace) ?? .own,
      recipe: try object.decodeIfPresent(String.self, forKey: .recipe), prepare: try list(.prepare),
      check: try list(.check), hints: try (list(.hints) as [CodedBlocks]).map(\.blocks),
      solution: try object.blocks(.solution),
      passesUnchanged: try object.decodeIfPresent(Bool.self, forKey: .passesUnchanged) ?? false)
    if let fault {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: fault))
    }
  }

  /// Encodes an object without empty members.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    func encode(_ list: [some Encodable], _ key: Key) throws {
      if !list.isEmpty { try object.encode(list, forKey: key) }
    }
    try object.encode(CodedBlocks(task), forKey: .task)
    try object.encodeIfPresent(language, forKey: .language)
    try object.encodeIfPresent(difficulty, forKey: .difficulty)
    try encode(after, .after)
    try object.encode(files, forKey: .files)
    if workspace != .own { try object.encode(workspace, forKey: .workspace) }
    try object.encodeIfPresent(recipe, forKey: .recipe)
    try encode(prepare, .prepare)
    try encode(check, .check)
    try encode(hints.map(CodedBlocks.init), .hints)
    try object.encode(blocks: solution, .solution)
    if passesUnchanged { try object.encode(true, forKey: .passesUnchanged) }
  }
}

/// A file is coded as an object with `path`, `role`, `digest` and, for a program, `executable`.
extension ExerciseFile: Codable {
  private enum Key: String, CodingKey {
    case path, role, digest, executable
  }

  /// Decodes an object with `path`, `role` and `digest`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    self.init(
      path: try object.decode(String.self, forKey: .path), role: try object.decode(Role.self, forKey: .role),
      digest: try object.decode(String.self, forKey: .digest),
      isExecutable: try object.decodeIfPresent(Bool.self, forKey: .executable) ?? false)
  }

  /// Encodes an object with `path`, `role` and `digest`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(path, forKey: .path)
    try object.encode(role, forKey: .role)
    try object.encode(digest, forKey: .digest)
    if isExecutable { try object.encode(true, forKey: .executable) }
  }
}

/// A command is coded as an object with `argv` or `shell`, and `name`, `input`, `expect` and `seconds`. `expect` is an
/// object with one of the members `exit`, `contains`, `equals` and `matches`, and missing for the exit code 0.
extension Exercise.Run: Codable {
  private enum Key: String, CodingKey {
    case name, argv, shell, input, expect, seconds
    case exit, contains, equals, matches
  }

  /// Decodes an object with `argv` or `shell`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    let argv = try object.decodeIfPresent([String].self, forKey: .argv)
    var expectation = Expectation.exit(0)
    if object.contains(.expect) {
      let expect = try object.nestedContainer(keyedBy: Key.self, forKey: .expect)
      func text(_ key: Key, _ make: (String) -> Expectation) throws -> Expectation? {
        try expect.decodeIfPresent(String.self, forKey: key).map(make)
      }
      expectation =
        try text(.contains, Expectation.contains) ?? text(.equals, Expectation.equals)
        ?? text(.matches, Expectation.matches) ?? .exit(expect.decode(Int.self, forKey: .exit))
    }
    self.init(
      try argv.map(Command.argv) ?? .shell(try object.decode(String.self, forKey: .shell)),
      name: try object.decodeIfPresent(String.self, forKey: .name),
      input: try object.decodeIfPresent(String.self, forKey: .input), expectation: expectation,
      seconds: try object.decodeIfPresent(Int.self, forKey: .seconds))
  }

  /// Encodes an object with `argv` or `shell`.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encodeIfPresent(name, forKey: .name)
    switch command {
    case .argv(let arguments): try object.encode(arguments, forKey: .argv)
    case .shell(let line): try object.encode(line, forKey: .shell)
    }
    try object.encodeIfPresent(input, forKey: .input)
    if expectation != .exit(0) {
      var expect = object.nestedContainer(keyedBy: Key.self, forKey: .expect)
      switch expectation {
      case .exit(let code): try expect.encode(code, forKey: .exit)
      case .contains(let text): try expect.encode(text, forKey: .contains)
      case .equals(let text): try expect.encode(text, forKey: .equals)
      case .matches(let text): try expect.encode(text, forKey: .matches)
      }
    }
    try object.encodeIfPresent(seconds, forKey: .seconds)
  }
}
