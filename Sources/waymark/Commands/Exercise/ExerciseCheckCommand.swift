import Answers
import ArgumentParser
import CourseKit
import CoursePages
import Exercises
import ExternalPrograms
import Foundation
import LearningModel
import NavigationKit
import TextCanvas

/// The permission to run the commands of a course.
struct ExercisePermission: ParsableArguments {
  @Flag(help: "Allow the commands of this course without a question.") var trust = false
  @Flag(help: "Run the commands even if this system cannot confine them, or as root.") var unprotected = false

  /// Ends the program if the commands of the course may not run. Asks on a terminal before the first time.
  func require(for found: CourseExercise, _ purpose: Exercise.Purpose = .check) throws {
    switch try found.permission(isUnprotectedAllowed: unprotected, for: purpose) {
    case .given: return
    case .unprotected: throw ExerciseFailure.unprotected(isRoot: CourseExercise.runsAsRoot)
    case .needed(let protection):
      if !trust {
        StandardError.write((try ExerciseTrustCommand.text(found, protection, purpose) + "\n").harmlessLines)
        guard Confirmation.isPossible else { throw ExerciseFailure.notTrusted(found.title, purpose) }
        guard try Confirmation.ask(ExerciseTrustCommand.question(purpose), orFail: "") else {
          throw ExitCode(FailureKind.noPermission.exitStatus)
        }
      }
      try found.allow(under: protection, for: purpose)
    }
  }
}

/// `waymark exercise check [PLACE]`.
struct ExerciseCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check an exercise in its work folder, and record the result.",
    discussion:
      "The output of the check is printed while it runs; Ctrl-C ends it. The exit code is 0 if the check is passed, 1 if it "
      + "is not, 69 if a program is missing, 75 if another program checks the exercise, 77 if the commands are not allowed, "
      + "and 124 if the check takes too long.\n\n"
      + Example.text(
        "waymark exercise check intro1",
        "waymark exercise check rustlings --watch",
        "waymark exercise check rustlings --all"))

  @OptionGroup var options: ExerciseOptions
  @OptionGroup var permission: ExercisePermission
  @Flag(help: "Check again after each save, until Ctrl-C is pressed.") var watch = false
  @Flag(help: "Check all exercises below the place that you have started (default: of all courses).") var all = false

  func validate() throws {
    if watch, all { throw ValidationError("--watch checks one exercise. Omit --all.") }
  }

  func run() throws {
    if all { return try checkAll() }
    let found = try options.found(.next)
    try permission.require(for: found)
    Interruption.startObserving()
    guard watch else {
      let result = try ExerciseRun(of: found, permission, options)
      result.print()
      return try result.exit()
    }
    var notice = "Each saved change is checked. Press Ctrl-C to stop.\n"
    while !Interruption.cancellation.isCancelled {
      var saved = try SavedFiles(of: found)
      do {
        try ExerciseRun(of: found, permission, options, isOutdated: { saved.haveChanged() }).print()
      } catch is OutdatedRun {
        continue
      }
      StandardError.write(notice)
      notice = ""
      while !Interruption.cancellation.isCancelled, !saved.haveChanged() { usleep(20_000) }
    }
    Interruption.leave()
  }

  private func checkAll() throws {
    let library = try options.library()
    let root = CourseExercise.root(ofDatabase: options.databasePath)
    let rows = try ExerciseListCommand.rows(options.global, below: options.place)
    let started = try rows.compactMap { try CourseExercise(at: $0.place.path, in: library, root: root) }
      .filter { try $0.isStarted }
    guard !started.isEmpty else { throw ExerciseFailure.noneStarted }
    var courses: Set<String> = []
    for found in started where courses.insert(found.folder.course).inserted { try permission.require(for: found) }
    Interruption.startObserving()
    var passed = 0
    for found in started {
      let text: String
      do {
        let result = try ExerciseRun(of: found, permission, options, isQuiet: true)
        if result.code == 0 { passed += 1 }
        text = result.text
      } catch let error as any ExplainedError {
        text = CommandWords.text(error)
      }
      Printing.line("\(found.path): \(text)")
    }
    Printing.line("\(passed) of \(started.count) passed.")
    if passed < started.count { throw ExitCode(1) }
  }
}

/// `waymark exercise prepare [PLACE]`.
struct ExercisePrepareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare", abstract: "Install what the checks of an exercise need, such as packages.",
    discussion:
      "The commands are confined like a check, but can use the network. Commands that need the administrator are only "
      + "shown. The exit codes are those of 'waymark exercise check'.\n\n"
      + Example.text("waymark exercise prepare react/hooks/counter"))

  @OptionGroup var options: ExerciseOptions
  @OptionGroup var permission: ExercisePermission

  func run() throws {
    let found = try options.found()
    let commands = found.exercise.commands(for: .prepare)
    guard !commands.isEmpty else { return Printing.line("“\(found.title)” needs no preparation.") }
    try permission.require(for: found, .prepare)
    for command in commands where command.needsAdministrator {
      StandardError.write(
        "Not run, because it needs the administrator: \(command.shownCommand(for: found.exercise))\n".harmlessLines)
    }
    Interruption.startObserving()
    let result = try ExerciseRun(of: found, permission, options, purpose: .prepare)
    result.print()
    try result.exit()
  }
}

/// The files of an exercise since a check began.
private struct SavedFiles {
  private let found: CourseExercise
  private var changes: SaveWatch
  private var nextLook = ContinuousClock.now

  init(of found: CourseExercise) throws {
    _ = try found.update()
    (self.found, changes) = (found, SaveWatch(checked: try found.folder.state(of: found.exercise).digest))
  }

  /// Returns whether the learner has saved a file. Looks at the files at intervals.
  mutating func haveChanged() -> Bool {
    guard nextLook <= .now else { return false }
    nextLook = .now + SaveWatch.interval
    guard let state = try? found.folder.state(of: found.exercise).digest else { return false }
    return changes.shouldCheck(state, at: .now)
  }
}

/// A run was ended because a file was saved after it had begun.
private struct OutdatedRun: Error {}

/// The result of running the commands of an exercise.
private struct ExerciseRun {
  let code: Int32
  /// A sentence about the result.
  let text: String
  private let isPassed: Bool

  /// Runs the commands, prints their output, and records the result of a check.
  ///
  /// - Parameter isOutdated: Called often. If it returns `true`, the run ends.
  /// - Throws: ``OutdatedRun``, ``ExerciseFailure`` and others if the commands came to no result.
  init(
    of found: CourseExercise, _ permission: ExercisePermission, _ options: ExerciseOptions,
    purpose: Exercise.Purpose = .check, isQuiet: Bool = false, isOutdated: () -> Bool = { false }
  ) throws {
    try found.updateFiles()
    let state = try found.folder.state(of: found.exercise)
    var runner = ExerciseRunner(found.exercise, in: found.folder)
    runner.isUnprotectedAllowed = permission.unprotected
    runner.purpose = purpose
    var (output, isEnding) = (StandardOutput(), false)
    runner.columns = output.width
    let check = RunningCheck(runner)
    let result = try check.wait(
      keepingColours: output.isTerminal,
      while: {
        isEnding = isEnding || isOutdated()
        return !isEnding && !Interruption.cancellation.isCancelled
      }
    ) { text in
      guard !isQuiet else { return }
      output.write(text)
      output.flush()
    }
    isPassed = result.outcome == .passed
    for file in result.removedFiles {
      StandardError.write("Removed the hidden file \(quoted: file), which a command made.\n".harmlessLines)
    }
    switch result.outcome {
    case .cancelled where !Interruption.cancellation.isCancelled: throw OutdatedRun()
    case .cancelled:
      Interruption.leave()
      throw ExitCode(130)
    case .missing(let tools): throw ExerciseFailure.toolsMissing(tools, of: found.path)
    case .impossible(let reason): throw ExerciseFailure.impossible(reason)
    case .unprotected: throw ExerciseFailure.unprotected(isRoot: CourseExercise.runsAsRoot)
    case .passed, .failed, .tooSlow: break
    }
    let summary = purpose == .check ? try found.record(result, of: state, in: options.navigation()) : nil
    switch result.outcome {
    case .failed(let reason): (code, text) = (1, reason)
    case .tooSlow(let reason): (code, text) = (124, reason)
    case _ where purpose == .prepare: (code, text) = (0, "“\(found.title)” is prepared.")
    default:
      // The author's files alone do not solve an exercise, unless the author allows it.
      code = state.isChanged || found.exercise.passesUnchanged ? 0 : 1
      text = (isQuiet ? "" : "“\(found.title)”: ") + "\(summary?.exercise?.text ?? "passed")."
    }
  }

  func print() {
    if isPassed { Printing.line(text) } else { StandardError.write("\(text)\n".harmlessLines) }
  }

  /// Ends the program with the exit code, unless it is 0.
  func exit() throws { if code != 0 { throw ExitCode(code) } }
}

/// `waymark exercise trust [PLACE]`.
struct ExerciseTrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "trust", "Show the commands of a course and how they are confined, and allow them.",
    example: "waymark exercise trust rustlings --revoke")

  @OptionGroup var options: ExerciseOptions
  @Flag(help: "Allow the commands no longer.") var revoke = false
  @Flag(help: "Allow the commands without a question.") var yes = false

  func run() throws {
    let found = try options.found(.first)
    if revoke {
      for purpose in [Exercise.Purpose.check, .prepare] { try found.allow(false, under: .full, for: purpose) }
      return Printing.line("The commands of this course are not allowed any more.")
    }
    let protection = ExerciseRunner.protection()
    Printing.line(try Self.text(found, protection, .check))
    guard try yes || Confirmation.ask(Self.question(.check), orFail: "allow the commands") else { return }
    try found.allow(under: protection)
    Printing.line("The commands of this course are allowed.")
  }

  private static let maximumCommands = 20

  /// Returns the commands of a course and what confines them.
  static func text(_ found: CourseExercise, _ protection: SandboxProtection, _ purpose: Exercise.Purpose) throws
    -> String
  {
    let commands = try found.commands(for: purpose)
    let shown = commands.prefix(maximumCommands).map { "  \($0)\n" }.joined()
    let rest = commands.count - maximumCommands
    let task = purpose == .check ? "checked" : "prepared"
    return "The exercises of this course are \(task) with these commands:\n\(shown)"
      + (rest > 0 ? "  and \(rest) more\n" : "")
      + found.consequences(of: protection, for: purpose)
  }

  /// Returns the question whether the commands may run.
  static func question(_ purpose: Exercise.Purpose) -> String {
    switch purpose {
    case .check: "Run the commands of this course from now on?"
    case .prepare: "Run these commands with the network from now on?"
    }
  }
}

/// `waymark exercise sandbox`.
struct ExerciseSandboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "sandbox", "Show how this system confines the checks of exercises.", example: "waymark exercise sandbox")

  @OptionGroup var global: GlobalOptions

  func run() throws {
    Printing.line(ExerciseRunner.protection().sentence)
    if geteuid() == 0 { Printing.line("As root, checks run only with --unprotected.") }
  }
}
