package import CourseKit
package import ExternalPrograms
import Foundation
package import LearningModel
package import NavigationKit

/// An exercise of a stored course, with its work folder.
package struct CourseExercise: Sendable {
  package let library: CourseLibrary
  package let path: PlacePath
  package let title: String
  package let exercise: Exercise
  package let folder: WorkFolder

  /// Refers to the exercise at a place. Creates no work folder.
  ///
  /// - Parameters:
  ///   - path: The path of a place. A former path leads to the present one.
  ///   - root: The folder of all work folders, usually ``root(ofDatabase:)``.
  /// - Returns: `nil` if the place is not an exercise.
  /// - Throws: `CourseLibraryError`.
  package init?(at path: PlacePath, in library: CourseLibrary, root: String) throws {
    let reference = try library.place(at: path).reference
    guard let node = try library.place(at: path).node, case .exercise(let exercise)? = try library.content(of: node.id)
    else { return nil }
    (self.library, self.path, title, self.exercise) = (library, reference.path, reference.title, exercise)
    folder = WorkFolder(
      root: root, place: reference.path, workspace: exercise.workspace)
  }

  /// Returns the folder of all work folders: `work` next to the database.
  package static func root(ofDatabase path: String) -> String { (path as NSString).deletingLastPathComponent + "/work" }

  /// Whether there is a work folder. In a shared folder, the learner must have edited a file of the exercise.
  ///
  /// - Throws: ``WorkFolderError``.
  package var isStarted: Bool {
    get throws {
      try exercise.workspace == .own ? FolderHandle(folder.path) != nil : isEdited
    }
  }

  /// Whether the files on this machine differ from the author's.
  ///
  /// - Throws: ``WorkFolderError``.
  package var isEdited: Bool {
    get throws { try FolderHandle(folder.path) != nil && folder.state(of: exercise).isChanged }
  }

  /// A sentence about an exercise that is passed, although the files on this machine are the author's.
  package static let passedElsewhere =
    "Passed with other files: those on this machine are the author's. Your code is on another machine, or you have started again."

  // MARK: - Files

  /// Returns the content of a file of the exercise.
  ///
  /// - Throws: ``WorkFolderError/notStored(_:of:)``, `CourseLibraryError`.
  package func content(_ file: ExerciseFile) throws -> [UInt8] {
    guard let bytes = try library.bytes(of: file) else { throw WorkFolderError.notStored(file.path, of: title) }
    return bytes
  }

  /// Returns the learner's version of a file to edit, or `nil` without such a file.
  ///
  /// - Throws: ``WorkFolderError``.
  package func learnersBytes(of file: ExerciseFile) throws -> [UInt8]? {
    file.role == .edit ? try FolderHandle(folder.path)?.bytes(of: file.path) : nil
  }

  /// Writes missing and changed files. In a shared work folder, these are the files of all exercises, because their
  /// project refers to all of them.
  ///
  /// - Returns: The changes of the files of this exercise.
  /// - Throws: ``WorkFolderError``, `CourseLibraryError`.
  package func update() throws -> WorkFolder.Update {
    guard exercise.workspace == .shared else { return try folder.update(exercise, content: content) }
    let own = Set(exercise.files.map(\.path))
    var paths = own
    let others = try exercisesOfCourse.filter { $0.workspace == .shared }.flatMap(\.files)
    let files = exercise.files + others.filter { paths.insert($0.path).inserted }
    var update = try folder.update(exercise.with(files: files), content: content)
    update.created.removeAll { !own.contains($0) }
    update.changedByAuthor.removeAll { !own.contains($0) }
    return update
  }

  /// Moves the learner's files to a folder of kept files, and writes the author's.
  ///
  /// - Returns: The folder of the kept files, or `nil` if no file differed from the author's.
  /// - Throws: ``WorkFolderError``, `CourseLibraryError`.
  package func startAgain() throws -> String? { try folder.startAgain(exercise, content: content) }

  /// Returns the explanation of the author's solution and its files. Empty if the author gives none.
  ///
  /// - Throws: ``WorkFolderError``, `CourseLibraryError`.
  package func solutionBlocks() throws -> [Block] {
    try exercise.solution
      + exercise.files(.solution).flatMap { file in
        [
          Block.heading(level: 2, text: [.code(file.path)], anchor: ""),
          .code(language: exercise.language, text: String(decoding: try content(file), as: UTF8.self)),
        ]
      }
  }

  // MARK: - Permission

  /// Returns whether the user allows the commands of the course under a protection.
  ///
  /// - Throws: ``WorkFolderError``, `CourseLibraryError`.
  package func isAllowed(under protection: SandboxProtection, for purpose: Exercise.Purpose = .check) throws -> Bool {
    try Trust(folder, for: purpose).contains(trustDigest(under: protection, for: purpose))
  }

  /// Stores or removes the permission to run the commands of the course.
  ///
  /// - Throws: ``WorkFolderError``, `CourseLibraryError`.
  package func allow(
    _ isAllowed: Bool = true, under protection: SandboxProtection, for purpose: Exercise.Purpose = .check
  ) throws {
    try Trust(folder, for: purpose).set(isAllowed ? trustDigest(under: protection, for: purpose) : nil)
  }

  private func trustDigest(under protection: SandboxProtection, for purpose: Exercise.Purpose) throws -> String {
    Trust.digest(
      of: try exercisesOfCourse, source: try origin?.source ?? course.description, isComplete: protection == .full,
      for: purpose)
  }

  private var exercisesOfCourse: [Exercise] {
    get throws {
      try library.tree(from: course).filter { $0.kind == .activity }.compactMap { row in
        if case .exercise(let exercise) = try library.content(at: row.path) { exercise } else { nil }
      }
    }
  }

  private var course: PlacePath { PlacePath(String(path.description.split(separator: "/").first ?? "")) }

  private var origin: CourseOrigin? { get throws { try library.origin(of: library.place(at: course).place) } }

  /// Returns the commands that the permission for a purpose covers, those of this exercise first. Commands that differ only in the
  /// files of their exercises are returned once.
  ///
  /// - Throws: `CourseLibraryError`.
  package func commands(for purpose: Exercise.Purpose) throws -> [String] {
    var known: Set<Exercise.Run.Command> = []
    return try ([exercise] + exercisesOfCourse).flatMap { exercise in
      exercise.commands(for: purpose).filter { known.insert($0.command).inserted }
        .map { $0.shownCommand(for: exercise) }
    }
  }

  // MARK: - Checking

  /// Returns the event that records the result of a check, or `nil` if the check came to no result.
  ///
  /// - Parameter state: The state of the files when the check began.
  /// - Throws: `CourseLibraryError`.
  package func event(_ result: CheckResult, of state: FileState) throws -> ActivityEventContent? {
    switch result.outcome {
    case .passed, .failed, .tooSlow: break
    case .cancelled, .missing, .impossible, .unprotected: return nil
    }
    return .exerciseChecked(
      ExerciseCheck(
        isPassed: result.outcome == .passed, isChanged: state.isChanged, seconds: result.seconds, files: state.digest,
        recipe: exercise.recipe, revision: try origin?.revision ?? 1))
  }

  /// Records the result of a check. Returns the state of the exercise afterwards, or `nil` if nothing was recorded.
  ///
  /// - Parameter state: The state of the files when the check began.
  /// - Throws: `CourseLibraryError`, `NavigationError`.
  package func record(
    _ result: CheckResult, of state: FileState, in navigation: NavigationService
  ) throws -> PlaceSummary? {
    try event(result, of: state).map { try navigation.progress.record($0, in: .text(path.description)) }
  }
}

extension SandboxProtection {
  /// A sentence about what confines a check.
  package var sentence: String { sentence(for: .check) }

  /// Returns a sentence about what confines commands.
  package func sentence(for purpose: Exercise.Purpose) -> String {
    let subject = purpose == .check ? "Checks have no network," : "They"
    return switch self {
    case .full: "\(subject) do not see your other files and processes, and end with the command."
    case .partial:
      "\(subject) do not see your other files, and end with the command. They see which processes run, because this system does not allow a new /proc."
    case .landlock:
      "\(subject) cannot read your other files, and end with the command. They can change the permissions and times of your files and see which processes run, because this system does not allow user namespaces."
    case .unprotected:
      "\(purpose == .check ? "Checks" : "They") can read and change everything that you can, because this system allows neither user namespaces nor Landlock."
    }
  }

  /// Whether the system confines the commands at all.
  package var isConfined: Bool { self != .unprotected }
}
