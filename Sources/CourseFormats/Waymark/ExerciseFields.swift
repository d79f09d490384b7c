import LearningModel
import Yams

/// The fields of the file of an exercise, except those that all activities have.
struct ExerciseFields {
  fileprivate enum Key: String, CodingKey, CaseIterable {
    case language, difficulty, after, workspace, recipe, passesUnchanged, files, executable, prepare, check
  }

  /// The names of the fields.
  static let names = Key.allCases.map(\.rawValue)

  /// The paths of the files with a role that the author gives, in the author's order.
  private(set) var paths: [String] = []
  private var roles: [String: ExerciseFile.Role] = [:]
  /// The paths of the files that are programs whatever their permissions.
  private(set) var executable: Set<String> = []
  /// An exercise with the other fields, without texts and files.
  private(set) var exercise = Exercise(task: [])

  init() {}

  /// Returns the role of a file: the author's or, if the author gives none, one that follows from its name. If the author
  /// names a file to edit, other files are not edited.
  func role(of path: String) -> ExerciseFile.Role {
    if let role = roles[path] { return role }
    // A capital after a small letter begins a word, as in `LeapTests`.
    let words = Set(path.matches(of: /[A-Z]?[a-z]+|[A-Z]+/).map { $0.output.lowercased() })
    if !words.isDisjoint(with: ["solution", "solutions"]) { return .solution }
    if !words.isDisjoint(with: ["test", "tests", "spec"]) { return .test }
    let isProject = Self.projectExtensions.contains { SourcePath.hasExtension($0, path) } || !path.contains(".")
    return isProject || roles.values.contains(.edit) ? .support : .edit
  }

  /// The extensions of files that describe a project or contain data.
  private static let projectExtensions = [
    "toml", "lock", "json", "mod", "sum", "cfg", "ini", "yml", "yaml", "xml", "txt", "md",
  ]
}

extension ExerciseFields: Decodable {
  /// A value that may also be written as a list.
  private struct Values<Element: Decodable>: Decodable {
    let elements: [Element]

    init(from decoder: any Decoder) throws {
      elements = try (try? decoder.unkeyedContainer()) == nil ? [Element(from: decoder)] : [Element](from: decoder)
    }
  }

  /// A command, which is a line for the shell or an object as in JSON.
  private struct Command: Decodable {
    let run: Exercise.Run

    init(from decoder: any Decoder) throws {
      let line = try? decoder.singleValueContainer().decode(String.self)
      run = try line.map { Exercise.Run(.shell($0)) } ?? Exercise.Run(from: decoder)
    }
  }

  private struct Path: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Key.self)
    func list<Element: Decodable>(_ key: Key) throws -> [Element] {
      try fields.decodeIfPresent(Values<Element>.self, forKey: key)?.elements ?? []
    }
    if fields.contains(.files) {
      let roles = try fields.nestedContainer(keyedBy: Path.self, forKey: .files)
      paths = roles.allKeys.map(\.stringValue)
      self.roles = try fields.decode([String: ExerciseFile.Role].self, forKey: .files)
    }
    executable = Set(try list(.executable))
    exercise = Exercise(
      task: [], language: try fields.decodeIfPresent(String.self, forKey: .language),
      difficulty: try fields.decodeIfPresent(Int.self, forKey: .difficulty), after: try list(.after),
      workspace: try fields.decodeIfPresent(Exercise.Workspace.self, forKey: .workspace) ?? .own,
      recipe: try fields.decodeIfPresent(String.self, forKey: .recipe),
      prepare: try (list(.prepare) as [Command]).map(\.run), check: try (list(.check) as [Command]).map(\.run),
      passesUnchanged: try fields.decodeIfPresent(Bool.self, forKey: .passesUnchanged) ?? false)
  }
}

extension Findings {
  /// Returns the fields of an exercise. Adds an error for a field with an unknown form.
  mutating func exerciseFields(_ front: FrontMatter, in file: String) -> ExerciseFields {
    do {
      guard let node = try YAMLFields.compose(front.yaml), node.mapping != nil else { return ExerciseFields() }
      return try YAMLDecoder().decode(ExerciseFields.self, from: node)
    } catch {
      let (path, problem) = (error as? DecodingError)?.pathAndProblem ?? ([], "it cannot be read")
      let name = path.first?.stringValue ?? ""
      self.error(
        file, front.fields[name]?.line,
        "The field \(quoted: name) is not valid: \(problem). See the fields of an exercise.")
      return ExerciseFields()
    }
  }
}
