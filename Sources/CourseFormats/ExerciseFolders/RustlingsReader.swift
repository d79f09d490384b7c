import Foundation
import LearningModel

/// Reads rustlings and programs of its kind for other languages: a list of exercises in an `info.toml`, one file for
/// each exercise.
///
/// Sources: rustlings 6, `src/info_file.rs`, `src/exercise.rs` (the commands of a check), `src/app_state.rs` (the state
/// file), `src/init.rs` (the manifest of a workspace); golings, `exercises/runner.go`; pythonlings, `core/runner.py` and
/// `core/state.py`.
struct RustlingsReader: CourseReader {
  let name = "rustlings"
  let summary =
    "rustlings and its relatives, such as golings and pythonlings: an info.toml and a file for each exercise."
  let requirements = "a file 'info.toml' with '[[exercises]]'"
  let mapping = FormatMapping(
    goal: "one goal with all topics", lesson: "a folder with the exercises of a topic",
    activity: "an exercise, or the README of a topic")
  let hasPathKeys = false
  let hasProgress = true

  /// The file with the list of exercises. A workspace that `rustlings init` has made has none.
  private static func list(in source: CourseSource) -> String? {
    guard source.isFolder else { return nil }
    let list = ["info.toml", "rustlings-macros/info.toml"].first { file in
      source.head(of: file, count: 1 << 16)?.contains("[[exercises]]") == true
    }
    let isWorkspace = source.hasFile(RustlingsState.file) && source.hasFile("Cargo.toml")
    return list ?? (isWorkspace ? "Cargo.toml" : nil)
  }

  func recognises(_ source: CourseSource) -> Bool { Self.list(in: source) != nil }

  func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard let file = Self.list(in: source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: requirements)
    }
    var course = try ExerciseCourse(source, options: options)
    var folder = RustlingsFolder(list: try RustlingsList(file, in: &course), file: file)
    return try folder.read(&course, format: name)
  }
}

/// The list of exercises in an `info.toml`, or in the manifest of a workspace.
private struct RustlingsList {
  struct Entry {
    let name: String
    /// The path of the file that the learner edits.
    let path: String
    var hasTests = true
    var isStrict = false
    var hint = ""

    /// The folder below `exercises`, or an empty text.
    var topic: String {
      let names = path.split(separator: "/").dropFirst().dropLast()
      return names.first.map(String.init) ?? ""
    }
  }

  private(set) var entries: [Entry] = []
  private(set) var welcome: String?
  private(set) var end: String?

  init(_ file: String, in course: inout ExerciseCourse) throws {
    let text = try course.text(of: file)
    guard file != "Cargo.toml" else {
      readManifest(text, in: course)
      return
    }
    var scanner = TOMLScanner(text, file: file)
    let values = try scanner.values()
    welcome = values.first { $0.path == ["welcome_message"] }?.text
    end = values.first { $0.path == ["final_message"] }?.text
    var tables: [[TOMLScanner.Value]] = []
    for value in values where value.path.first == "exercises" {
      if tables.last?.last?.table != value.table { tables.append([]) }
      tables[tables.count - 1].append(value)
    }
    for table in tables {
      func text(_ name: String) -> String? { table.last { $0.path == ["exercises", name] }?.text }
      guard let name = text("name") else {
        course.builder.findings.error(file, table.first?.line, "The exercise has no name. Add a line 'name = \"…\"'.")
        continue
      }
      let dir = text("dir").map { $0 + "/" } ?? ""
      // Before version 6, rustlings had a mode instead of two flags.
      let mode = text("mode")
      entries.append(
        Entry(
          name: name, path: text("path") ?? "exercises/\(dir)\(name).rs",
          hasTests: mode.map { $0 == "test" } ?? (text("test") != "false"),
          isStrict: mode == "clippy" || text("strict_clippy") == "true", hint: text("hint") ?? ""))
    }
  }

  /// Reads the programs of a workspace. Whether an exercise has tests follows from its text.
  private mutating func readManifest(_ text: String, in course: ExerciseCourse) {
    for match in text.matches(of: /\{\s*name\s*=\s*"([^"\n]*)",\s*path\s*=\s*"(exercises\/[^"\n]*)"/) {
      let path = String(match.output.2)
      let hasTests = course.source.head(of: path, count: 1 << 16)?.contains("#[test]") ?? false
      entries.append(Entry(name: String(match.output.1), path: path, hasTests: hasTests))
    }
  }
}

/// The language of a collection, with everything in which the collections differ.
private enum RustlingsLanguage: String {
  case rust = "rs"
  case go, python = "py"

  /// The name in a block of code.
  var name: String { self == .rust ? "rust" : self == .go ? "go" : "python" }
  var recipe: String { self == .rust ? "rustlings" : self == .go ? "go" : "python" }
  /// The beginning of a comment.
  var comment: Substring { self == .python ? "#" : "//" }
  /// The file that makes the exercises a project, and the files from which it is made, the first that exists.
  var project: (path: String, sources: [String])? {
    switch self {
    case .rust: ("Cargo.toml", ["dev/Cargo.toml", "Cargo.toml"])
    case .go: ("go.mod", ["go.mod"])
    case .python: nil
    }
  }

  /// Returns the commands that check an exercise.
  func check(_ entry: RustlingsList.Entry, tests: String?) -> [Exercise.Run] {
    // The same command for all exercises is shown only once before the learner allows it.
    let program = entry.path.hasSuffix("/\(entry.name).rs") ? "{main}" : entry.name
    func cargo(_ command: String, _ arguments: String...) -> Exercise.Run {
      Exercise.Run(.argv(["cargo", command, "-q", "--bin", program] + arguments))
    }
    switch self {
    case .rust:
      // Clippy also checks the code of tests with this profile.
      let clippy =
        entry.isStrict
        ? cargo("clippy", "--profile", "test", "--", "-D", "warnings") : cargo("clippy", "--profile", "test")
      return (entry.hasTests ? [cargo("test")] : []) + [clippy, cargo("run")]
    case .go:
      return [Exercise.Run(.argv(["go"] + (entry.hasTests ? ["test", "-race"] : ["run"]) + ["./" + entry.path]))]
    case .python:
      guard let tests else { return [Exercise.Run(.argv(["python3", "-B", entry.path]))] }
      // The tests use the names that the exercise defines.
      let program = """
        import sys
        names = {"__name__": "__main__"}
        for path in sys.argv[1:]:
            names["__file__"] = path
            exec(compile(open(path, encoding="utf-8").read(), path, "exec"), names)
        """
      return [Exercise.Run(.argv(["python3", "-B", "-c", program, entry.path, tests]))]
    }
  }

  /// Returns the file that makes the exercises a project.
  ///
  /// - Parameters:
  ///   - text: The text of the author's file, or `nil` if there is none.
  ///   - rust: The oldest version of Rust that the collection supports, or `nil` if it is not stated.
  func project(from text: String?, of entries: [RustlingsList.Entry], rust: String?) -> String {
    switch self {
    case .rust:
      if let text, text.contains("exercises/") {
        let manifest = Self.withoutSolutions(text).replacing("\"../exercises/", with: "\"exercises/")
        // The exercises need the same version of Rust as the program that runs them.
        guard let rust, !manifest.contains("rust-version") else { return manifest }
        return manifest.replacing("[package]\n", with: "[package]\nrust-version = \"\(rust)\"\n", maxReplacements: 1)
      }
      let programs = entries.map { "[[bin]]\nname = \"\($0.name)\"\npath = \"\($0.path)\"\n" }
      return "[package]\nname = \"exercises\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n"
        + programs.joined(separator: "\n")
    case .go:
      // The modules that the file requires are those of the program that runs the exercises.
      let lines = (text ?? "").split(separator: "\n").filter { $0.hasPrefix("module ") || $0.hasPrefix("go ") }
      return lines.isEmpty ? "module exercises\n" : lines.joined(separator: "\n") + "\n"
    case .python: return ""
    }
  }

  /// Removes the programs of the solutions from a manifest, because solutions are never written to a work folder.
  private static func withoutSolutions(_ text: String) -> String {
    var (kept, isAfterSolution) = ("", false)
    for part in text.split(separator: "}", omittingEmptySubsequences: false) {
      let part = isAfterSolution && part.hasPrefix(",") ? part.dropFirst() : part
      guard let open = part.lastIndex(of: "{"), part[open...].contains("solutions/") else {
        kept += part + "}"
        isAfterSolution = false
        continue
      }
      kept += part[..<open]
      while kept.last == " " || kept.last == "\n" { kept.removeLast() }
      isAfterSolution = true
    }
    return String(kept.dropLast())
  }
}

/// The exercises that a learner has passed in the other program.
private enum RustlingsState {
  static let file = ".rustlings-state.txt"

  private struct PythonState: Decodable { let completed: [String] }

  /// Returns the names of the passed exercises.
  static func passed(in course: inout ExerciseCourse) throws -> Set<String> {
    let json = ".pythonlings/state.json"
    if course.source.hasFile(json) { return Set(try course.json(PythonState.self, of: json).completed) }
    guard course.source.hasFile(file) else { return [] }
    // A comment, an empty line, the current exercise, an empty line, and the passed exercises up to an empty line.
    let lines = try course.text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
    return Set(lines.dropFirst(4).prefix { !$0.isEmpty }.map(String.init))
  }
}

/// A collection while it is read.
private struct RustlingsFolder {
  let list: RustlingsList
  let file: String
  /// The file that makes the exercises a project.
  private var project: [ExerciseFile] = []

  init(list: RustlingsList, file: String) { (self.list, self.file) = (list, file) }

  /// Neighbouring exercises with the same topic.
  private struct Lesson {
    let key: String
    let title: String
    let readme: String?
    let entries: [RustlingsList.Entry]
  }

  mutating func read(_ course: inout ExerciseCourse, format: String) throws -> CourseDraft {
    let passed = try course.options.includesProgress ? RustlingsState.passed(in: &course) : []
    let root = try course.add(
      .course, course.builder.courseKey(), NumberedName(course.source.titleStem, isFolder: true).title, in: nil,
      file: file)
    let lessons = lessons(&course)
    // Topics are too many and too different for groups of topics with a name.
    if let first = lessons.first {
      let goal = try course.add(.goal, first.key + "!", "Exercises", in: root, file: file)
      for lesson in lessons {
        let index = try course.add(.lesson, lesson.key, lesson.title, in: goal, file: lesson.readme ?? file)
        if lesson.key == lessons.first?.key { try addMessage(list.welcome, "Welcome", in: index, &course) }
        if let readme = lesson.readme {
          try course.addPage(of: readme, key: lesson.key + "/README.md", title: lesson.title, in: index)
        }
        for entry in lesson.entries {
          try add(entry, in: index, &course)
          if passed.contains(entry.name) { course.passed.append(entry.name) }
        }
        if lesson.key == lessons.last?.key { try addMessage(list.end, "After the last exercise", in: index, &course) }
      }
    }
    return try course.finish(format: format)
  }

  private func addMessage(_ text: String?, _ title: String, in lesson: Int, _ course: inout ExerciseCourse) throws {
    guard let text else { return }
    try course.addPage(text, of: file, key: file + "#" + Slug.make(from: title, fallback: ""), title: title, in: lesson)
  }

  private func lessons(_ course: inout ExerciseCourse) -> [Lesson] {
    var runs: [[RustlingsList.Entry]] = []
    for entry in list.entries {
      if runs.last?.last?.topic != entry.topic { runs.append([]) }
      runs[runs.count - 1].append(entry)
    }
    var counts: [String: Int] = [:]
    for run in runs { counts[run[0].topic, default: 0] += 1 }
    var known: Set<String> = []
    return runs.map { run in
      let topic = run[0].topic
      let folder = SourcePath.join("exercises", topic)
      let isFirst = known.insert(topic).inserted
      let readme = isFirst && course.source.hasFile(folder + "/README.md") ? folder + "/README.md" : nil
      // Quizzes are in one folder, but belong between other topics.
      let name = counts[topic] == 1 ? topic.isEmpty ? course.source.stem : topic : run[0].name
      let heading = readme.flatMap { try? course.parsed(course.text(of: $0), of: $0).title }
      return Lesson(
        key: NumberedName.key(of: folder, isFolder: true) + (isFirst ? "" : "/" + run[0].name),
        title: (counts[topic] == 1 ? heading : nil) ?? NumberedName(name, isFolder: true).title, readme: readme,
        entries: run)
    }
  }

  private mutating func add(_ entry: RustlingsList.Entry, in lesson: Int, _ course: inout ExerciseCourse) throws {
    let node = DraftNode(parent: lesson, key: entry.name, kind: .activity, title: entry.name.onOneLine)
    var project = project
    try course.addExercise(node, file: entry.path) { [list, file] course in
      guard let language = RustlingsLanguage(rawValue: entry.path.split(separator: ".").last.map(String.init) ?? "")
      else {
        throw CourseFormatError.malformed(
          file: file, line: nil, problem: "the exercise \(quoted: entry.name) is neither in Rust, Go nor Python",
          advice: "Remove it.")
      }
      if project.isEmpty, let (path, sources) = language.project {
        let source = sources.first(where: course.source.hasFile)
        let rust =
          course.source.hasFile("Cargo.toml")
          ? try course.text(of: "Cargo.toml").firstMatch(of: /(?m)^rust-version\s*=\s*"([\d.]+)"/).map {
            String($0.output.1)
          } : nil
        let text = language.project(from: try source.map { try course.text(of: $0) }, of: list.entries, rust: rust)
        project = [
          try course.builder.exerciseFile(Array(text.utf8), of: source ?? path, as: path, .support, isExecutable: false)
        ]
      }
      var files = [try course.file(entry.path, as: entry.path, .edit)]
      let inner = entry.path.hasPrefix("exercises/") ? entry.path.dropFirst("exercises/".count) : entry.path[...]
      for (folder, role) in [("checks/", ExerciseFile.Role.test), ("solutions/", .solution)] {
        let other = folder + inner
        if course.source.hasFile(other) { files.append(try course.file(other, as: other, role)) }
      }
      let task = language.task(of: try course.text(of: entry.path), entry)
      return Exercise(
        task: try course.blocks(task, of: entry.path), language: language.name, files: files + project,
        workspace: .shared, recipe: language.recipe,
        check: language.check(entry, tests: files.first { $0.role == .test }?.path),
        hints: entry.hint.isEmpty ? [] : [try course.blocks(entry.hint, of: file)])
    }
    self.project = project
  }
}

extension RustlingsLanguage {
  /// Returns the task of an exercise: the comment at the top of its file.
  fileprivate func task(of text: String, _ entry: RustlingsList.Entry) -> String {
    let mark = comment
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix(mark) }.map {
      line in
      let words = line.drop { $0 == mark.first || $0 == "!" }
      return words.hasPrefix(" ") ? words.dropFirst() : words
    }
    let words = lines.filter { line in
      let bare = line.filter { $0.isLetter || $0.isNumber }.lowercased()
      // The name of the exercise, and the mark of exercises that are not passed.
      return ![entry.name, entry.name + rawValue, "exercise" + entry.name, "iamnotdone"].contains(bare)
        && !(bare.isEmpty && line.contains("---"))
    }
    let task = words.joined(separator: "\n")
    return task.allSatisfy(\.isWhitespace) ? "Change the file so that the check passes." : task
  }
}
