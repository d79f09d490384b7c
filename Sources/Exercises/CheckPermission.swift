package import ExternalPrograms
import Foundation
package import LearningModel

/// Whether the commands of a course may run.
package enum CheckPermission: Hashable, Sendable {
  case given
  /// The user has to read the commands and allow them under this protection.
  case needed(SandboxProtection)
  /// The system does not confine the commands, or the program runs as root.
  case unprotected
}

extension CourseExercise {
  /// Returns whether the commands of the course may run. Starts a process to find out what the system enforces.
  ///
  /// - Parameter isUnprotectedAllowed: Whether the commands may run if the system does not confine them, or as root.
  /// - Throws: ``WorkFolderError``, `CourseLibraryError`.
  package func permission(
    isUnprotectedAllowed: Bool, for purpose: Exercise.Purpose = .check
  ) throws -> CheckPermission {
    let protection = ExerciseRunner.protection()
    guard isUnprotectedAllowed || !Self.runsAsRoot && protection.isConfined else { return .unprotected }
    return try isAllowed(under: protection, for: purpose) ? .given : .needed(protection)
  }

  /// Whether checks would run as root, so that the commands could change what belongs to other users.
  package static var runsAsRoot: Bool { geteuid() == 0 }

  /// Returns what the commands can do under a protection, and what does not confine an editor.
  package func consequences(of protection: SandboxProtection, for purpose: Exercise.Purpose = .check) -> String {
    let network =
      purpose == .check
      ? ""
      : "They use the network: they can send what they can read, reach the servers of this machine and of your network, "
        + "and run the scripts of the packages that they download. "
    return "They can change \(folder.path) and read the programs of this system. \(network)"
      + "\(protection.sentence(for: purpose)) "
      + "Your own editor is not confined: it may run files of this folder that have settings for it."
  }

  /// Writes missing and changed files, and starts a check.
  ///
  /// - Parameter columns: The number of columns in which the output is shown.
  /// - Returns: The check, and the state of the files at its beginning.
  /// - Throws: ``WorkFolderError``, `CourseLibraryError`.
  package func startCheck(isUnprotectedAllowed: Bool, columns: Int?) throws -> (check: RunningCheck, state: FileState) {
    _ = try update()
    let state = try folder.state(of: exercise)
    var runner = ExerciseRunner(exercise, in: folder)
    (runner.isUnprotectedAllowed, runner.columns) = (isUnprotectedAllowed, columns)
    return (RunningCheck(runner), state)
  }

  /// The digest of the learner's files, and whether one of them differs from the author's.
  package typealias FileState = (digest: String, isChanged: Bool)

  /// Returns the outcome of a check as sentences.
  ///
  /// - Parameter state: The state of the files when the check began.
  package func text(of result: CheckResult, _ state: FileState) -> String {
    let outcome =
      switch result.outcome {
      case .passed where counts(result, state): "Passed."
      case .passed: "Passed, but you have not edited a file. The exercise is done when you have."
      case .failed(let reason), .tooSlow(let reason): reason
      case .cancelled: "The check was ended."
      case .missing(let tools): "Could not check the exercise: " + MissingTool.text(tools, at: path)
      case .impossible(let reason): reason
      case .unprotected: "Could not check the exercise: this system does not confine the commands."
      }
    let removed = result.removedFiles.map { "Removed the hidden file \(quoted: $0), which the check made." }
    return ([outcome] + removed).joined(separator: " ")
  }

  /// Whether the exercise is done after a check.
  package func counts(_ result: CheckResult, _ state: FileState) -> Bool {
    result.outcome == .passed && (state.isChanged || exercise.passesUnchanged)
  }
}

/// The hints of an exercise that the learner has asked for, and the author's solution after them.
package struct RevealedHints: Hashable, Sendable {
  /// What the next request shows.
  package enum Next: Hashable, Sendable {
    case hint(Int)
    case solution
    /// The learner has not passed the exercise, and has to confirm that the solution is shown.
    case question
    case nothing
  }

  /// The number of hints that are shown.
  package private(set) var count = 0
  package private(set) var showsSolution = false
  /// Whether the next request shows the solution although the exercise is not passed.
  package private(set) var isAsking = false

  package init() {}

  /// Returns what the next request shows.
  package func next(of exercise: Exercise, isPassed: Bool) -> Next {
    if count < exercise.hints.count { return .hint(count) }
    if showsSolution || exercise.solution.isEmpty && exercise.files(.solution).isEmpty { return .nothing }
    return isPassed || isAsking ? .solution : .question
  }

  /// Shows the next hint, or the solution.
  package mutating func reveal(_ next: Next) {
    isAsking = next == .question
    switch next {
    case .hint: count += 1
    case .solution: showsSolution = true
    case .question, .nothing: break
    }
  }

  /// Takes back the question whether the solution is shown.
  package mutating func decline() { isAsking = false }
}
