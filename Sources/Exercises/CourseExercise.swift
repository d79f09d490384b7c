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

  // MARK: - Files

  /// Returns the content of a file of the exercise.
  ///
  /// - Throws: ``WorkFolderError/notStored(_:of:)``, `CourseLibraryError`.
  package func content(_ file: ExerciseFile) throws -> [UInt8] {
    guard let bytes = try library.bytes(of: file) else { throw WorkFolderError.notStored(file.path, of: title) }
    return bytes
  }

  /// Writes missing and changed files.
  ///
  /// - Throws: ``WorkFolderError``, `CourseLibraryError`.
  package func update() throws -> WorkFolder.Update { try folder.update(exercise, content: content) }

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
  package func isAllowed(under protection: SandboxProtection) throws -> Bool {
    try Trust(folder).contains(trustDigest(under: protection))
  }

  /// Stores or removes the permission to run the commands of the course.
  ///
  /// - Throws: ``WorkFolderError``, `CourseLibraryError`.
  package func allow(_ isAllowed: Bool = true, under protection: SandboxProtection) throws {
    try Trust(folder).set(isAllowed ? trustDigest(under: protection) : nil)
  }

  private func trustDigest(under protection: SandboxProtection) throws -> String {
    Trust.digest(
      of: try exercisesOfCourse, source: try origin?.source ?? course.description, isComplete: protection == .full)
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

  /// The commands that the permission covers and that an exercise of the course runs in a check, those of this exercise first.
  ///
  /// - Throws: `CourseLibraryError`.
  package var commands: [String] {
    get throws {
      let own = Self.commands(of: exercise)
      return own + Set(try exercisesOfCourse.flatMap(Self.commands)).subtracting(own).sorted()
    }
  }

  private static func commands(of exercise: Exercise) -> [String] {
    exercise.commands.map { $0.shownCommand(for: exercise) }
  }

  // MARK: - Checking

  /// Records the result of a check. Returns the state of the exercise afterwards, or `nil` if the check came to no result, so
  /// that nothing was recorded.
  ///
  /// - Parameter state: The state of the files when the check began.
  /// - Throws: `CourseLibraryError`, `NavigationError`.
  package func record(
    _ result: CheckResult, of state: (digest: String, isChanged: Bool), in navigation: NavigationService
  ) throws -> PlaceSummary? {
    switch result.outcome {
    case .passed, .failed, .tooSlow: break
    case .cancelled, .missing, .unprotected: return nil
    }
    let check = ExerciseCheck(
      isPassed: result.outcome == .passed, isChanged: state.isChanged, seconds: result.seconds, files: state.digest,
      recipe: exercise.recipe, revision: try origin?.revision ?? 1)
    return try navigation.progress.record(.exerciseChecked(check), in: .text(path.description))
  }
}

extension SandboxProtection {
  /// A sentence about what confines a check.
  package var sentence: String {
    switch self {
    case .full:
      "Checks have no network, do not see your other files and processes, and end with the check."
    case .partial:
      "Checks have no network, do not see your other files, and end with the check. They see which processes run, because this system does not allow a new /proc."
    case .landlock:
      "Checks have no network and cannot read your other files. They can change the permissions and times of your files and see which processes run, because this system does not allow user namespaces."
    case .unprotected:
      "Checks can read and change everything that you can, because this system allows neither user namespaces nor Landlock."
    }
  }

  /// Whether the system confines the commands at all.
  package var isConfined: Bool { self != .unprotected }
}
