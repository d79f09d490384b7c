import Answers
import ArgumentParser
import CourseKit
import CoursePages
import Exercises
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// `waymark exercise`, with subcommands to work on exercises and to check them.
struct ExerciseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "exercise", "Work on the exercises of a course in your own editor, and check them.",
    example: "waymark exercise check intro1",
    subcommands: [
      ExerciseListCommand.self, ExerciseNextCommand.self, ExerciseShowCommand.self, ExerciseStartCommand.self,
      ExerciseCheckCommand.self, ExercisePrepareCommand.self, ExerciseHintCommand.self, ExerciseSolutionCommand.self,
      ExerciseResetCommand.self, ExercisePathCommand.self, ExerciseTrustCommand.self, ExerciseSandboxCommand.self,
    ], defaultSubcommand: ExerciseListCommand.self)

  @OptionGroup var global: GlobalOptions
}

/// The exercise of a command.
struct ExerciseOptions: ParsableArguments, LearnerChoice {
  @OptionGroup var global: GlobalOptions
  @Argument(
    help: "The path or the name of an exercise (default: the one whose work folder is the current folder).",
    completion: .places,
    transform: ArgumentParsers.place)
  var place: String?

  var database: String? { global.database }
  var learner: String? { global.learner }

  /// The exercise that a place with exercises stands for.
  enum Substitute {
    /// The first that is neither passed nor marked as done.
    case next
    case first
  }

  /// Finds the exercise.
  ///
  /// - Parameter substitute: The exercise to use if the place contains exercises, or `nil` if that is an error.
  /// - Throws: ``ExerciseFailure/noExercise(_:)``, and the errors of the services.
  func found(_ substitute: Substitute? = nil) throws -> CourseExercise {
    let library = try library()
    let root = CourseExercise.root(ofDatabase: databasePath)
    let path = try place.map { try Self.path(named: $0, library) } ?? Self.current(below: root, library)
    if let found = try CourseExercise(at: path, in: library, root: root) { return found }
    let rows = try substitute == nil ? [] : ExerciseListCommand.rows(global, below: path.description)
    guard let first = rows.first else { throw ExerciseFailure.noExercise(path.description) }
    let row = substitute == .first ? first : rows.first { !$0.state.isDone }
    guard let row, let found = try CourseExercise(at: row.place.path, in: library, root: root) else {
      throw ExerciseFailure.noneLeft
    }
    return found
  }

  /// Returns a place by its path, or the only exercise whose name is the last one of the path, below places with the others.
  private static func path(named name: String, _ library: CourseLibrary) throws -> PlacePath {
    do {
      return try library.place(at: PlacePath(name)).reference.path
    } catch {
      guard case .unknownPlace = error else { throw error }
      let names = PlacePath(name).description.split(separator: "/")
      let found = try library.tree(from: nil).map(\.path).filter { path in
        let parts = path.description.split(separator: "/")
        var rest = names[...]
        for part in parts where part == rest.first { rest = rest.dropFirst() }
        guard rest.isEmpty, parts.last == names.last else { return false }
        if case .exercise = try? library.content(at: path) { return true } else { return false }
      }
      guard found.count == 1 else { throw error }
      return found[0]
    }
  }

  /// Returns the place of the exercise in whose work folder the current folder lies. In a shared folder, it is the only one whose
  /// files are in the current folder.
  private static func current(below root: String, _ library: CourseLibrary) throws -> PlacePath {
    let folder = FileManager.default.currentDirectoryPath
    let real = URL(filePath: root).resolvingSymlinksInPath().path
    guard folder.hasPrefix(real + "/") else { throw ExerciseFailure.noExercise(nil) }
    var path = PlacePath(String(folder.dropFirst(real.count + 1)))
    let parts = path.description.split(separator: "/")
    if parts.count > 1, parts[1] == WorkFolder.sharedName {
      let inner = parts.dropFirst(2).map { $0 + "/" }.joined()
      let paths = try library.tree(from: PlacePath(String(parts[0]))).map(\.path).filter { path in
        guard case .exercise(let exercise)? = try? library.content(at: path) else { return false }
        return exercise.files(.edit).contains { $0.path.hasPrefix(inner) }
      }
      guard paths.count == 1 else { throw ExerciseFailure.sharedFolder }
      return paths[0]
    }
    // The current folder may be a folder of the exercise's files.
    while (try? library.content(at: path)) == nil, let parent = path.parent, !parent.isRoot { path = parent }
    return path
  }
}

extension CourseExercise {
  /// Writes missing and changed files, and names the files that the author has changed too.
  func updateFiles() throws {
    for file in try update().changedByAuthor {
      StandardError.write(
        "The author has changed \(quoted: file), but you have edited it. Your file is kept; 'waymark exercise reset' replaces it.\n"
          .harmlessLines)
    }
  }

  /// Prints blocks like `waymark show`.
  static func print(_ blocks: [Block]) {
    var output = StandardOutput()
    let depth = ProgramEnvironment.current.colourDepth(onTerminal: output.isTerminal)
    output.printText(
      TextPrinting.text(blocks, terminal: output.width, width: nil, depth: depth, signs: output.signs))
    output.flush()
  }
}

/// `waymark exercise list [PLACE]`, the default subcommand.
struct ExerciseListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "list", "List the exercises with their states.", example: "waymark exercise list rustlings")

  @OptionGroup var global: GlobalOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var limit: LimitOption
  @Argument(
    help: "A path such as rustlings (default: all courses).", completion: .places,
    transform: ArgumentParsers.place)
  var place: String?

  func run() throws {
    let rows = try Self.rows(global, below: place)
    try Printing.list(
      limit.first(of: rows), fields: CSVColumns.exercises,
      columns: [
        Column("title", mayShrink: true) { $0.place.title }, Column("state") { $0.state.text },
        Column("path", mayShrink: true, omissionRank: 1) { $0.place.path.description },
      ],
      as: output.format, whenEmpty: "No exercises there.")
  }

  /// Returns the exercises below a place in reading order.
  static func rows(_ global: GlobalOptions, below place: String?) throws -> [ExerciseRow] {
    let service = try global.readOnlyService()
    return try global.library().tree(from: place.map { PlacePath($0) }).filter { $0.kind == .activity }.compactMap {
      row in
      let summary = try service.places.summary(of: .text(row.path.description))
      return summary.exercise.map { ExerciseRow(place: summary.place, state: $0) }
    }
  }
}

/// `waymark exercise next [PLACE]`.
struct ExerciseNextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "next", "Print the path of the first exercise that is neither passed nor marked as done.",
    example: "waymark exercise next rustlings")

  @OptionGroup var global: GlobalOptions
  @Argument(
    help: "A path such as rustlings (default: all courses).", completion: .places, transform: ArgumentParsers.place)
  var place: String?

  func run() throws {
    let next = try ExerciseListCommand.rows(global, below: place).first { !$0.state.isDone }
    guard let next else { throw ExerciseFailure.noneLeft }
    Printing.line(next.place.path.description)
  }
}

/// `waymark exercise show [PLACE]`.
struct ExerciseShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "show", "Show the task, the state, the files and the work folder of an exercise. Writes no file.",
    example: "waymark exercise show intro1 --format json")

  @OptionGroup var options: ExerciseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let found = try options.found()
    let summary = try options.readOnlyService().places.summary(of: .text(found.path.description))
    let state = summary.exercise ?? .notChecked
    let files = try found.exercise.files.filter { $0.role != .solution || state == .passed }.map { file in
      let bytes = try found.learnersBytes(of: file) ?? found.content(file)
      return ExerciseDescription.File(
        path: file.path, role: file.role.rawValue, text: String(validating: bytes, as: UTF8.self))
    }
    let description = ExerciseDescription(
      place: summary.place, state: state, task: MarkdownWriter().text(found.exercise.task),
      hints: found.exercise.hints.count, isStarted: try found.isStarted, folder: found.folder.path, files: files,
      solution: state == .passed ? MarkdownWriter().text(found.exercise.solution) : nil)
    let isElsewhere = try state == .passed && !found.isEdited && !found.exercise.passesUnchanged
    let lines = [
      isElsewhere ? CourseExercise.passedElsewhere : "State: \(state.text)",
      "Work folder: \(found.folder.path)\(description.isStarted ? "" : " (not started)")",
    ]
    try Printing.value(
      description, fields: CSVColumns.exercise,
      table:
        "\(found.title)\n\n\(description.task)\n\((lines + files.map { "\($0.path) (\($0.role))" }).joined(separator: "\n"))\n",
      as: output.format)
  }
}

/// `waymark exercise start [PLACE]`.
struct ExerciseStartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "start", "Write the files of an exercise to its work folder, and print its task.",
    example: "waymark exercise start intro1")

  @OptionGroup var options: ExerciseOptions

  func run() throws {
    let found = try options.found(.next)
    try found.updateFiles()
    CourseExercise.print(
      [.heading(level: 1, text: [.text(found.title)], anchor: "")]
        + ActivityContent.exercise(found.exercise).blocks(withAnswers: false))
    for file in found.exercise.files(.edit) { Printing.line("\(found.folder.path)/\(file.path)") }
  }
}

/// `waymark exercise path [PLACE]`.
struct ExercisePathCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "path", "Print the work folder of an exercise, and write its files there if they are missing.",
    example: "cd \"$(waymark exercise path intro1)\"")

  @OptionGroup var options: ExerciseOptions
  @Flag(help: "Print the paths of the files to edit instead.") var files = false

  func run() throws {
    let found = try options.found()
    try found.updateFiles()
    guard files else { return Printing.line(found.folder.path) }
    for file in found.exercise.files(.edit) { Printing.line("\(found.folder.path)/\(file.path)") }
  }
}

/// `waymark exercise hint [PLACE]`.
struct ExerciseHintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "hint", "Print a hint.", example: "waymark exercise hint intro1 --number 2")

  @OptionGroup var options: ExerciseOptions
  @Option(help: ArgumentHelp("The number of the hint.", valueName: "n")) var number = 1

  func run() throws {
    let hints = try options.found(.next).exercise.hints
    guard hints.indices.contains(number - 1) else { throw ExerciseFailure.noHint(number, count: hints.count) }
    CourseExercise.print(hints[number - 1])
    if number < hints.count { StandardError.write("\(hints.count - number) more: --number \(number + 1)\n") }
  }
}

/// `waymark exercise solution [PLACE]`.
struct ExerciseSolutionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "solution", "Print the author's solution of an exercise that you have passed.",
    example: "waymark exercise solution intro1 --anyway")

  @OptionGroup var options: ExerciseOptions
  @Flag(help: "Print it even if you have not passed the exercise.") var anyway = false

  func run() throws {
    let found = try options.found()
    let state = try options.readOnlyService().places.summary(of: .text(found.path.description)).exercise
    guard anyway || state == .passed else { throw ExerciseFailure.solutionHidden }
    let blocks = try found.solutionBlocks()
    guard !blocks.isEmpty else { throw ExerciseFailure.noSolution }
    CourseExercise.print(blocks)
  }
}

/// `waymark exercise reset [PLACE]`.
struct ExerciseResetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "reset", "Start again: replace your files by the author's, and keep yours in another folder.",
    example: "waymark exercise reset intro1")

  @OptionGroup var options: ExerciseOptions
  @Option(
    help: ArgumentHelp("Bring back the files that an earlier reset kept in this folder.", valueName: "folder"),
    completion: .directory)
  var restore: String?

  func run() throws {
    let found = try options.found()
    if let restore {
      try found.folder.restore(found.exercise, from: restore)
      return Printing.line("Your files of “\(found.title)” are back.")
    }
    guard let kept = try found.startAgain() else {
      return Printing.line("The files of “\(found.title)” are the author's.")
    }
    Printing.line("Your files are kept in \(kept). Bring them back with --restore and this folder.")
  }
}

extension PlaceSummary.ExerciseState {
  /// Whether the learner has passed the exercise, or marked it as done.
  fileprivate var isDone: Bool { self == .passed || self == .marked }
}
