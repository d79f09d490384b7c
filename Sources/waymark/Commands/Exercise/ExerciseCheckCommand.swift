import Answers
import ArgumentParser
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

  /// Returns whether the commands of the course may run. Asks on a terminal before the first time.
  func isGiven(for found: CourseExercise) throws -> Bool {
    let protection = ExerciseRunner.protection()
    guard protection.isConfined || unprotected else { throw ExerciseFailure.unprotected }
    if try found.isAllowed(under: protection) { return true }
    if !trust {
      StandardError.write((try ExerciseTrustCommand.text(found, protection) + "\n").harmlessLines)
      guard Confirmation.isPossible else { throw ExerciseFailure.notTrusted(found.title) }
      guard try Confirmation.ask("Run the commands of this course from now on?", orFail: "") else { return false }
    }
    try found.allow(under: protection)
    return true
  }
}

/// `waymark exercise check [PLACE]`.
struct ExerciseCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check an exercise in its work folder, and record the result.",
    discussion:
      "The output of the check is printed while it runs; Ctrl-C ends it. The exit code is 0 if the check is passed, 1 if it "
      + "is not, 69 if a program is missing, 77 if the commands are not allowed, and 124 if the check takes too long.\n\n"
      + Example.text("waymark exercise check rustlings/intro/intro1"))

  @OptionGroup var options: ExerciseOptions
  @OptionGroup var permission: ExercisePermission

  func run() throws {
    let found = try options.found()
    guard try permission.isGiven(for: found) else { throw ExitCode(FailureKind.noPermission.exitStatus) }
    try found.updateFiles()
    let state = try found.folder.state(of: found.exercise)
    var runner = ExerciseRunner(found.exercise, in: found.folder)
    runner.isUnprotectedAllowed = permission.unprotected
    let result = try Self.result(of: runner)
    for file in result.removedFiles {
      StandardError.write("Removed the hidden file \(quoted: file), which the check made.\n".harmlessLines)
    }
    switch result.outcome {
    case .cancelled: throw ExitCode(130)
    case .missing(let tool):
      throw ExternalProgram(named: tool.program) == nil
        ? ExerciseFailure.toolMissing(tool.program, package: tool.package)
        : ExerciseFailure.toolIncomplete(tool.program, package: tool.package)
    case .unprotected: throw ExerciseFailure.unprotected
    case .passed, .failed, .tooSlow: break
    }
    let summary = try found.record(result, of: state, in: options.navigation())
    switch result.outcome {
    case .failed(let reason):
      StandardError.write("\(reason)\n".harmlessLines)
      throw ExitCode(1)
    case .tooSlow(let reason):
      StandardError.write("\(reason)\n".harmlessLines)
      throw ExitCode(124)
    default: Printing.line("“\(found.title)”: \(summary?.exercise?.text ?? "passed").")
    }
    // The author's files alone do not solve an exercise, unless the author allows it.
    if !state.isChanged, !found.exercise.passesUnchanged { throw ExitCode(1) }
  }

  /// Runs the check and prints its output without control characters other than colours.
  private static func result(of runner: ExerciseRunner) throws -> CheckResult {
    // The signal only ends the check; the program ends by itself afterwards.
    let interruption = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, SIG_DFL) }
    let running = RunningCheck(runner)
    interruption.setEventHandler { running.cancel() }
    interruption.resume()
    defer { interruption.cancel() }
    var output = StandardOutput()
    var text: [UInt8] = []
    while true {
      let result = running.result
      text += running.takeOutput()
      // An incomplete line may end in the middle of an escape sequence.
      let end = result == nil ? text.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0 : text.count
      if end > 0 {
        output.write(
          ProgramOutput.plain(String(decoding: text[..<end], as: UTF8.self), keepingColours: output.isTerminal))
        if result != nil, text.last != 0x0A { output.write("\n") }
        output.flush()
        text.removeFirst(end)
      }
      if let result { return try result.get() }
      usleep(20_000)
    }
  }
}

/// `waymark exercise trust [PLACE]`.
struct ExerciseTrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "trust", "Show the commands of a course and how they are confined, and allow them.",
    example: "waymark exercise trust rustlings/intro/intro1 --revoke")

  @OptionGroup var options: ExerciseOptions
  @Flag(help: "Allow the commands no longer.") var revoke = false
  @Flag(help: "Allow the commands without a question.") var yes = false

  func run() throws {
    let found = try options.found()
    if revoke {
      try found.allow(false, under: .full)
      return Printing.line("The commands of this course are not allowed any more.")
    }
    let protection = ExerciseRunner.protection()
    Printing.line(try Self.text(found, protection))
    guard try yes || Confirmation.ask("Run the commands of this course from now on?", orFail: "allow the commands")
    else { return }
    try found.allow(under: protection)
    Printing.line("The commands of this course are allowed.")
  }

  private static let maximumCommands = 20

  /// Returns the commands of a course and what confines them.
  static func text(_ found: CourseExercise, _ protection: SandboxProtection) throws -> String {
    let commands = try found.commands
    let shown = commands.prefix(maximumCommands).map { "  \($0)\n" }.joined()
    let rest = commands.count - maximumCommands
    return "The exercises of this course are checked with these commands:\n\(shown)"
      + (rest > 0 ? "  and \(rest) more\n" : "")
      + "They can change \(found.folder.path) and read the programs of this system. \(protection.sentence) "
      + "Your own editor is not confined: it may run files of this folder that have settings for it."
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
