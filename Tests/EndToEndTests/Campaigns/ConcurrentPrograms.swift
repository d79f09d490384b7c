import Foundation
import Synchronization
import TerminalHarness
import TestSupport

/// Programs that use one database at the same time, each on its own thread.
struct ConcurrentPrograms: Sendable {
  let environment: [String: String]
  let folder: URL
  /// Raised when background activities may stop.
  let isOver = Flag()

  init(in home: HomeFixture) {
    environment = home.environment
    folder = home.folder
  }

  /// A flag that can be raised once.
  final class Flag: Sendable {
    private let state = Mutex(false)
    var isRaised: Bool { state.withLock { $0 } }
    func raise() { state.withLock { $0 = true } }
  }

  func start(_ arguments: [String]) throws -> PipedProgram {
    try PipedProgram(BuiltProgram.path, arguments, environment: environment, directory: folder)
  }

  /// The duration of an answer.
  struct WaitTime: Sendable {
    var begun: ContinuousClock.Instant
    var milliseconds: Double

    init(since begun: ContinuousClock.Instant) {
      self.begun = begun
      milliseconds = begun.duration(to: .now) / .milliseconds(1)
    }
  }

  /// The observations of one program.
  struct Walk: Sendable {
    var learner: String
    var session: String
    /// The recorded events, in order.
    var steps: [NavAnswer.Event] = []
    /// The durations of all answers.
    var waits: [WaitTime] = []
    /// Error messages, and an unexpected exit.
    var complaints: [String] = []
  }

  /// Performs random operations with `nav run`, at least a number of them, until ``isOver`` is raised.
  func walk(_ learner: String, _ session: String, among places: [String], operations: Int, seed: UInt64) throws -> Walk
  {
    var walk = Walk(learner: learner, session: session)
    var random = SplitMix64(seed: seed)
    let nav = NavRun(try start(["nav", "run", "--learner", learner, "--session", session]))
    // The start of the program and of its session is not measured.
    walk.steps += [try nav.ask(NavLine(operation: "open", place: places[0])).event].compactMap(\.self)
    while walk.waits.count < operations || !isOver.isRaised {
      let line = NavLine.random(among: places, &random)
      // A pause like that of a user. Without it, eight programs would occupy the whole machine.
      if !Tier.isLong { usleep(20_000) }
      let start = ContinuousClock.now
      let answer = try nav.ask(line)
      walk.waits.append(WaitTime(since: start))
      if let event = answer.event { walk.steps.append(event) }
      if let error = answer.error { walk.complaints.append("\(line.json): \(error.message)") }
    }
    nav.program.closeInput()
    let ending = try nav.program.waitForExit()
    if ending != .exited(0) { walk.complaints.append("\(ending)") }
    return walk
  }

  /// Measures the machine's own delays with a program that only echoes its input, until ``isOver`` is raised.
  func listenToEcho() throws -> [WaitTime] {
    let cat = try PipedProgram("/bin/cat", [], environment: environment, directory: folder)
    var waits: [WaitTime] = []
    while !isOver.isRaised {
      let start = ContinuousClock.now
      try cat.write("echo\n")
      guard try cat.readLine() != nil else { break }
      waits.append(WaitTime(since: start))
      usleep(1_000)
    }
    cat.closeInput()
    _ = try cat.waitForExit()
    return waits
  }

  /// Runs commands repeatedly until ``isOver`` is raised. Returns the failures.
  func ask(_ questions: [[String]]) throws -> [String] {
    var complaints: [String] = []
    var number = 0
    while !isOver.isRaised || number < questions.count {
      let program = try start(questions[number % questions.count])
      program.closeInput()
      let answer = Answer(try program.waitForExit(), program)
      if answer.code != 0 { complaints.append("\(questions[number % questions.count]): \(answer)") }
      number += 1
    }
    return complaints
  }
}

/// Runs each function on its own thread, and waits for all of them.
func together<Result: Sendable>(_ tasks: [@Sendable () throws -> Result]) throws -> [Result] {
  let results = Mutex<[Int: Swift.Result<Result, any Error>]>([:])
  let group = DispatchGroup()
  for (number, task) in tasks.enumerated() {
    group.enter()
    Thread {
      let result = Swift.Result { try task() }
      results.withLock { $0[number] = result }
      group.leave()
    }.start()
  }
  group.wait()
  return try results.withLock { results in try tasks.indices.map { try results[$0]!.get() } }
}

/// Durations in milliseconds.
struct Waits: CustomStringConvertible {
  private let sorted: [Double]

  init(_ waits: [ConcurrentPrograms.WaitTime]) { sorted = waits.map(\.milliseconds).sorted() }

  var longest: Double { sorted.last ?? 0 }

  /// The duration that a fraction of the answers did not exceed.
  func quantile(_ fraction: Double) -> Double {
    sorted.isEmpty ? 0 : sorted[Int(Double(sorted.count - 1) * fraction)]
  }

  var description: String {
    let parts = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("longest", 1)]
      .map { "\($0.0) \(String(format: "%.1f", quantile($0.1))) ms" }
    return "\(sorted.count) answers: " + parts.joined(separator: ", ")
  }
}
