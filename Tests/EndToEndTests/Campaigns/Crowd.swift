import Foundation
import Synchronization
import TerminalHarness
import TestSupport

/// Programs that use one database at once, each on a thread of its own.
struct Crowd: Sendable {
  let environment: [String: String]
  let folder: URL
  /// Whether those who wait for something else may stop.
  let isOver = Flag()

  init(in home: Home) {
    environment = home.environment
    folder = home.folder
  }

  /// Something that becomes true once.
  final class Flag: Sendable {
    private let state = Mutex(false)
    var isRaised: Bool { state.withLock { $0 } }
    func raise() { state.withLock { $0 = true } }
  }

  /// Starts the program.
  func start(_ arguments: [String]) throws -> PipedProgram {
    try PipedProgram(BuiltProgram.path, arguments, environment: environment, directory: folder)
  }

  /// How long one answer took.
  struct Wait: Sendable {
    var begun: ContinuousClock.Instant
    var milliseconds: Double

    init(since begun: ContinuousClock.Instant) {
      self.begun = begun
      milliseconds = begun.duration(to: .now) / .milliseconds(1)
    }
  }

  /// What one of them saw.
  struct Walk: Sendable {
    var learner: String
    var session: String
    /// The steps that were answered, in order.
    var steps: [NavAnswer.Event] = []
    /// How long each answer took, performed or not.
    var waits: [Wait] = []
    /// What was refused, and how the program ended where that was not well.
    var complaints: [String] = []
  }

  /// Walks with `nav run` for so many operations, and on until the crowd is over.
  func walk(_ learner: String, _ session: String, among places: [String], operations: Int, seed: UInt64) throws -> Walk
  {
    var walk = Walk(learner: learner, session: session)
    var random = SplitMix64(seed: seed)
    let nav = NavRun(try start(["nav", "run", "--learner", learner, "--session", session]))
    // The start of the program and of its session is no step.
    walk.steps += [try nav.ask(NavLine(operation: "open", place: places[0])).event].compactMap(\.self)
    while walk.waits.count < operations || !isOver.isRaised {
      let line = NavLine.random(among: places, &random)
      // People look at a place before they leave it; eight that do not keep the machine from what happens beside them.
      if !Tier.isLong { usleep(20_000) }
      let start = ContinuousClock.now
      let answer = try nav.ask(line)
      walk.waits.append(Wait(since: start))
      if let event = answer.event { walk.steps.append(event) }
      if let error = answer.error { walk.complaints.append("\(line.json): \(error.message)") }
    }
    nav.program.closeInput()
    let ending = try nav.program.waitForExit()
    if ending != .exited(0) { walk.complaints.append("\(ending)") }
    return walk
  }

  /// Asks a program that only repeats what it hears, until the crowd is over: what of a wait is the machine's own.
  func listenToEcho() throws -> [Wait] {
    let echo = try PipedProgram("/bin/cat", [], environment: environment, directory: folder)
    var waits: [Wait] = []
    while !isOver.isRaised {
      let start = ContinuousClock.now
      try echo.write("echo\n")
      guard try echo.readLine() != nil else { break }
      waits.append(Wait(since: start))
      usleep(1_000)
    }
    echo.closeInput()
    _ = try echo.waitForExit()
    return waits
  }

  /// Asks again and again until the crowd is over; what went wrong is returned.
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

/// Runs each on a thread of its own, and waits for all.
func together<Result: Sendable>(_ works: [@Sendable () throws -> Result]) throws -> [Result] {
  let results = Mutex<[Int: Swift.Result<Result, any Error>]>([:])
  let group = DispatchGroup()
  for (number, work) in works.enumerated() {
    group.enter()
    Thread {
      let result = Swift.Result { try work() }
      results.withLock { $0[number] = result }
      group.leave()
    }.start()
  }
  group.wait()
  return try results.withLock { results in try works.indices.map { try results[$0]!.get() } }
}

/// How long things took, sorted, in milliseconds.
struct Waits: CustomStringConvertible {
  private let sorted: [Double]

  init(_ waits: [Crowd.Wait]) { sorted = waits.map(\.milliseconds).sorted() }

  var longest: Double { sorted.last ?? 0 }

  /// The time that this share of them did not exceed.
  func quantile(_ share: Double) -> Double { sorted.isEmpty ? 0 : sorted[Int(Double(sorted.count - 1) * share)] }

  var description: String {
    let words = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("longest", 1)]
      .map { "\($0.0) \(String(format: "%.1f", quantile($0.1))) ms" }
    return "\(sorted.count) answers: " + words.joined(separator: ", ")
  }
}
