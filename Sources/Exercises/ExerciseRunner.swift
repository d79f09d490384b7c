package import ExternalPrograms
import Foundation
package import LearningModel
import Synchronization

/// The result of checking an exercise.
package struct CheckResult: Hashable, Sendable {
  /// The outcome of a check.
  package enum Outcome: Hashable, Sendable {
    case passed
    /// A command did not meet its expectation. `reason` is a sentence.
    case failed(reason: String)
    /// A command took too long. `reason` is a sentence.
    case tooSlow(reason: String)
    /// The learner stopped the check.
    case cancelled
    /// Programs are not installed.
    case missing([MissingTool])
    /// The commands cannot run for another reason. `reason` is a sentence.
    case impossible(reason: String)
    /// The system allows no protection, and unprotected checks are not allowed.
    case unprotected
  }

  package let outcome: Outcome
  /// The duration in seconds.
  package let seconds: Double
  /// Standard output and standard error of all commands, in order.
  package let output: CheckOutput
  /// The protection that the system enforced.
  package let protection: SandboxProtection
  /// Hidden files that the check made, and that were removed.
  package let removedFiles: [String]
}

extension Exercise {
  /// The purpose of commands.
  package enum Purpose: Sendable {
    /// The commands check the learner's files, without a network.
    case check
    /// The commands install what the checks need, with the network.
    case prepare
  }

  /// The commands of a check: the author's or, if there are none, those of the recipe.
  package var commands: [Run] { commands(for: .check) }

  /// Returns the commands for a purpose: the author's or, if there are none, those of the recipe.
  package func commands(for purpose: Purpose) -> [Run] {
    let recipe = recipe.flatMap(Recipe.named)
    return switch purpose {
    case .check: check.isEmpty ? recipe?.check ?? [] : check
    case .prepare: prepare.isEmpty ? recipe?.prepare ?? [] : prepare
    }
  }
}

/// Runs the commands of an exercise in its work folder.
package struct ExerciseRunner: Sendable {
  package let exercise: Exercise
  package let folder: WorkFolder
  /// The commands to run.
  package var purpose = Exercise.Purpose.check
  /// Whether the commands may run if the system allows no protection, or as root.
  package var isUnprotectedAllowed = false
  /// The strongest protection to use. Tests use a weaker one.
  package var strongest = SandboxProtection.full
  /// The maximum processor time of each process in seconds, if the author gives no limit of time.
  package var processorSeconds = 60
  /// The number of columns in which the output is shown, or `nil` if it is not known.
  package var columns: Int?

  package init(_ exercise: Exercise, in folder: WorkFolder) {
    (self.exercise, self.folder) = (exercise, folder)
  }

  var recipe: Recipe? { exercise.recipe.flatMap(Recipe.named) }

  /// The variables of the commands.
  var variables: [String: String] {
    var variables = CheckSandbox.variables(folder.path, home: folder.home, recipe: recipe, purpose: purpose)
    variables["COLUMNS"] = columns.map(String.init)
    return variables
  }

  /// Returns what the system enforces for a check.
  package static func protection() -> SandboxProtection {
    var limits = ProgramLimits(seconds: 30, output: 1 << 10, sandbox: ProgramSandbox())
    limits.sandbox?.hasLoopback = true
    return (try? ExternalProgram(path: "/bin/sh").run(["-c", ":"], limits: limits))?.protection ?? .unprotected
  }

  /// Runs the commands one after the other until one does not meet its expectation. The files of the exercise must have been
  /// written. Commands that need the administrator do not run: a check fails, and a preparation continues.
  ///
  /// - Parameters:
  ///   - check: Called at least ten times a second. If it returns `false`, the check is cancelled.
  ///   - receive: Receives the output while the commands run.
  /// - Throws: ``WorkFolderError``, ``ProgramFailure/cannotStart(reason:)``.
  package func run(
    while check: () -> Bool = { true }, receive: (ArraySlice<UInt8>) -> Void = { _ in }
  ) throws -> CheckResult {
    let start = ContinuousClock.now
    _ = try FolderHandle(creating: folder.home + "/tmp")
    // The lock ends with the handle.
    let handle = try FolderHandle(creating: folder.path)
    defer { withExtendedLifetime(handle) {} }
    let missing = missingTools
    guard missing.isEmpty else { return result(.missing(missing), since: start) }
    try handle.lock()
    let hidden = try folder.hiddenFiles(of: exercise)
    var (output, protection) = (CheckOutput(), strongest)
    var outcome = CheckResult.Outcome.passed
    let commands = exercise.commands(for: purpose)
    for run in commands {
      outcome = try self.outcome(of: run, &protection, while: check) { bytes in
        output.add(bytes)
        receive(bytes)
      }
      if outcome != .passed { break }
    }
    if commands.isEmpty, purpose == .check { outcome = .impossible(reason: "The exercise has no check.") }
    guard try FolderHandle(folder.path) != nil else { throw WorkFolderError.removed(folder.path) }
    let removed = try folder.removeHiddenFiles(of: exercise, since: hidden)
    return result(outcome, since: start, output, protection, removed)
  }

  private func result(
    _ outcome: CheckResult.Outcome, since start: ContinuousClock.Instant, _ output: CheckOutput = CheckOutput(),
    _ protection: SandboxProtection = .full, _ removed: [String] = []
  ) -> CheckResult {
    CheckResult(
      outcome: outcome, seconds: start.duration(to: .now) / .seconds(1), output: output, protection: protection,
      removedFiles: removed)
  }

  /// Runs a command.
  private func outcome(
    of run: Exercise.Run, _ protection: inout SandboxProtection, while check: () -> Bool,
    receive: (ArraySlice<UInt8>) -> Void
  ) throws -> CheckResult.Outcome {
    struct Cancelled: Error {}
    let name = run.name.map { "\(quoted: $0)" } ?? (purpose == .check ? "The check" : "The preparation")
    guard !run.needsAdministrator else {
      return purpose == .prepare ? .passed : .impossible(reason: "\(name) needs the administrator, so it did not run.")
    }
    let arguments = run.arguments(for: exercise)
    let path =
      arguments[0].contains("/") && !arguments[0].hasPrefix("/") ? folder.path + "/" + arguments[0] : arguments[0]
    guard let program = ExternalProgram(named: path) else {
      return .impossible(reason: "There is no program \(quoted: arguments[0]).")
    }
    let environment = variables
    let limits = CheckSandbox.limits(
      folder.path, home: folder.home, processorSeconds: processorSeconds, seconds: run.seconds, strongest: strongest,
      weakest: isUnprotectedAllowed ? .unprotected : .landlock, purpose: purpose, variables: environment)
    // As root, a program could change what belongs to other users.
    if geteuid() == 0, !isUnprotectedAllowed { return .unprotected }
    var own = CheckOutput()
    do {
      let result = try withoutActuallyEscaping(receive) { receive in
        try program.run(
          Array(arguments.dropFirst()), input: Array((run.input ?? "").utf8),
          environment: environment, folder: folder.path,
          limits: limits, check: { if !check() { throw Cancelled() } },
          receive: { bytes in
            own.add(bytes)
            receive(bytes)
          })
      }
      protection = result.protection
      let expectation = purpose == .check ? run.expectation : .exit(0)
      let fault = try expectation.fault(code: Int(result.code), output: own.text) { if !check() { throw Cancelled() } }
      guard let fault else { return .passed }
      if purpose == .prepare {
        return .failed(reason: "\(name) \(fault). It needs the network. Its output names the cause.")
      }
      let report =
        if case .exit = expectation { TestReport.sentence(in: ProgramOutput.plain(own.text)) } else { String?.none }
      return .failed(reason: report.map { run.name == nil ? $0 : "\(name): \($0)" } ?? "\(name) \(fault).")
    } catch is Cancelled {
      return .cancelled
    } catch ProgramFailure.tooSlow(let seconds) {
      let advice = purpose == .check ? "Look for a loop that does not end." : "Check the network, and try again."
      return .tooSlow(reason: "\(name) took longer than \(seconds) s. \(advice)")
    } catch ProgramFailure.exceeded(let kind, let limit) {
      let reason = "\(name) \(kind.fault(limit))."
      return kind == .processorSeconds
        ? .tooSlow(reason: reason + " Look for a loop that does not end.") : .failed(reason: reason)
    } catch ProgramFailure.tooWeak {
      return .unprotected
    }
  }
}

extension TotalLimits.Kind {
  fileprivate func fault(_ limit: Int) -> String {
    switch self {
    case .memory: "used more than \(limit >> 20) MiB of memory"
    case .processes: "started more than \(limit) processes"
    case .bytes: "wrote more than \(limit >> 20) MiB to the disk"
    case .files: "made more than \(limit) files"
    case .processorSeconds: "used more than \(limit) s of processor time"
    }
  }
}

extension Exercise.Run.Expectation {
  /// Returns what a command did not do, as the end of a sentence without a full stop. Returns `nil` if it met the expectation.
  ///
  /// Ends of lines and blanks at the end of the output do not matter.
  ///
  /// - Parameter check: Called while a regular expression is matched; an error that it throws ends the match.
  func fault(code: Int, output: String, while check: () throws -> Void) throws -> String? {
    func normal(_ text: String) -> String {
      String(text.replacing("\r\n", with: "\n").reversed().drop { $0.isWhitespace }.reversed())
    }
    if case .exit(let expected) = self {
      return code == expected ? nil : "ended with the code \(code) instead of \(expected)"
    }
    guard code == 0 else { return "ended with the code \(code)" }
    switch self {
    case .exit: return nil
    case .contains(let text): return normal(output).contains(normal(text)) ? nil : "did not print \(quoted: text)"
    case .equals(let text): return normal(output) == normal(text) ? nil : "printed something else than \(quoted: text)"
    case .matches(let pattern):
      guard let expression = try? NSRegularExpression(pattern: pattern) else {
        return "has an invalid regular expression: \(quoted: pattern)"
      }
      switch try expression.matches(output, while: check) {
      case true?: return nil
      case false?: return "printed nothing that matches \(quoted: pattern)"
      case nil: return "has a regular expression that takes too long: \(quoted: pattern)"
      }
    }
  }
}

extension NSRegularExpression {
  /// The maximum duration of a match. An expression such as `(a|aa)+b` can take longer than anyone can wait.
  private static let maximumDuration = Duration.seconds(5)

  /// Returns whether a part of a text matches, or `nil` if that takes too long.
  fileprivate func matches(_ text: String, while check: () throws -> Void) throws -> Bool? {
    var result = Result<Bool?, any Error>.success(false)
    let end = ContinuousClock.now + Self.maximumDuration
    withoutActuallyEscaping(check) { check in
      enumerateMatches(in: text, options: .reportProgress, range: NSRange(text.startIndex..., in: text)) {
        match, flags, stop in
        if match != nil {
          result = .success(true)
        } else if flags.contains(.internalError) || ContinuousClock.now > end {
          result = .success(nil)
        } else {
          do { return try check() } catch { result = .failure(error) }
        }
        stop.pointee = true
      }
    }
    return try result.get()
  }
}

/// A check that runs on a thread of its own, because the system ends a check together with the thread that started it.
package final class RunningCheck: Sendable {
  private struct State: Sendable {
    /// The bytes of the beginning and of the end that are kept until they are taken.
    static let (firstBytes, lastBytes) = (1 << 20, 3 << 20)

    var isCancelled = false
    var news = CheckOutput(firstBytes: Self.firstBytes, lastBytes: Self.lastBytes)
    var result: Result<CheckResult, any Error>?
  }

  private let state = Mutex(State())

  /// Starts a check.
  package init(_ check: ExerciseRunner) {
    let thread = Thread { [self] in
      let result = Result {
        try check.run(
          while: { !state.withLock { $0.isCancelled } },
          receive: { bytes in state.withLock { $0.news.add(bytes) } })
      }
      state.withLock { $0.result = result }
    }
    thread.start()
  }

  /// Stops the check. Its processes end shortly afterwards.
  package func cancel() { state.withLock { $0.isCancelled = true } }

  /// Returns the output since the last call. If a check prints faster than its caller takes the output, a line in it contains how
  /// much is left out.
  package func takeOutput() -> [UInt8] {
    state.withLock { state in
      defer { state.news = CheckOutput(firstBytes: State.firstBytes, lastBytes: State.lastBytes) }
      return state.news.bytes
    }
  }

  /// The result, or `nil` while the check runs.
  package var result: Result<CheckResult, any Error>? { state.withLock { $0.result } }
}
