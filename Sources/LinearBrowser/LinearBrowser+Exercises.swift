import Answers
import CourseKit
import CoursePages
import Exercises
import ExternalPrograms
import LearningModel
import NavigationKit
import TextCanvas

/// The commands for the exercise that is open.
extension LinearBrowser {
  /// The exercise that is open, or `nil`.
  private func openExercise() throws -> CourseExercise? {
    guard case .reading = activity, !list.isOverlay else { return nil }
    return try CourseExercise(
      at: navigation.currentPlace().path, in: library, root: CourseExercise.root(ofDatabase: library.path))
  }

  /// Performs a command of exercises.
  ///
  /// - Returns: `false` if no exercise is open. Nothing is printed then.
  func performInExercise(_ command: LinearCommand) throws -> Bool {
    guard let found = try openExercise() else { return false }
    switch command {
    case .check: try check(found)
    case .edit: try edit(found)
    case .hint: try printHint(of: found)
    case .solution: try printSolution(of: found)
    case .reset:
      let kept = try found.startAgain()
      printLine(kept.map { "Started again. Your files are kept in \($0)" } ?? "The files are the author's.")
    default:
      _ = try found.update()
      printVerbatim(found.folder.path)
    }
    return true
  }

  // MARK: - Checking

  private func check(_ found: CourseExercise) throws {
    switch try found.permission(isUnprotectedAllowed: isUnprotectedAllowed) {
    case .given: try runCheck(of: found)
    case .unprotected: printLine(CommandWords.unprotectedChecks)
    case .needed(let protection):
      printLine("The exercises of this course are checked with these commands:")
      for command in try found.commands(for: .check) { printVerbatim(command) }
      printLine(found.consequences(of: protection))
      pending = .checking(found, protection)
      printLine("Type yes to run the commands of this course from now on. Anything else cancels.")
    }
  }

  /// Allows the commands of the course of an exercise, and checks it.
  func allow(_ found: CourseExercise, under protection: SandboxProtection) throws {
    try found.allow(under: protection)
    try runCheck(of: found)
  }

  private func runCheck(of found: CourseExercise) throws {
    printLine("Checking. Ctrl-C ends the check.")
    printNow("")
    let (check, state) = try found.startCheck(isUnprotectedAllowed: isUnprotectedAllowed, columns: width)
    let result = try check.waitOrInterrupt { printNow($0) }
    printLine(found.text(of: result, state))
    guard let event = try found.event(result, of: state) else { return }
    try record(event)
    guard found.counts(result, state), let next = try navigation.places.page().next else { return }
    printLine("Enter: continue with " + LinearFormat.ended(next.title))
  }

  /// Prints lines while a command runs.
  private func printNow(_ text: String) {
    guard let writeNow else {
      for line in text.split(whereSeparator: \.isNewline) { printVerbatim(String(line)) }
      return
    }
    writeNow(takeOutput().map { $0 + "\n" }.joined() + text)
  }

  // MARK: - Files, hints and the solution

  private func edit(_ found: CourseExercise) throws {
    for file in try found.update().changedByAuthor {
      printLine("The author has changed \(file). Your file is kept; reset replaces it.")
    }
    let files = found.exercise.files(.edit).map(\.path)
    for file in files { printVerbatim("\(found.folder.path)/\(file)") }
    guard let editor else { return }
    printNow("")
    printLine(
      try editor.open(files, in: found.folder.path, columns: width)
        ?? "Your editor has ended. Type check to check the exercise.")
  }

  private func isPassed() throws -> Bool { try navigation.places.page().summary.exercise == .passed }

  private func printHint(of found: CourseExercise) throws {
    let (hints, place) = (found.exercise.hints, found.path)
    guard !hints.isEmpty else { return printLine("There are no hints.") }
    // After the last hint, they begin again.
    let number = (shownHints[place] ?? 0) % hints.count
    shownHints[place] = number + 1
    printLine("Hint \(number + 1) of \(hints.count):")
    printLine(LinearText(hints[number]).lines)
  }

  private func printSolution(of found: CourseExercise) throws {
    if try isPassed() { return try showSolution(of: found) }
    printLine("You have not passed this exercise.")
    pending = .showingSolution(found)
    printLine("Type yes to see the solution nevertheless. Anything else cancels.")
  }

  /// Prints the author's solution.
  func showSolution(of found: CourseExercise) throws {
    let blocks = try found.solutionBlocks()
    blocks.isEmpty ? printLine("The author gives no solution.") : printLine(LinearText(blocks).lines)
  }
}
