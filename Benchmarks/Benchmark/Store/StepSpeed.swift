import Foundation
import LearningModel
import NavigationKit
import TestSupport

/// The time of a step with its event, from the request to the commit.
struct StepSpeed {
  private static let count = 2_000
  let databases: Databases
  let base: String
  let seed: UInt64

  /// - Parameter before: The path of the benchmark of an earlier version.
  func table(before: String?) throws -> Table {
    let requests = try requests()
    let recorded = Statements()
    let path = try databases.copy(base)
    try recorded.record { beginSegment in
      let service = try self.service(on: path)
      for request in requests {
        beginSegment()
        _ = try service.perform(request, cause: .key, animated: true)
      }
    }

    let service = try self.service(on: try databases.copy(base))
    let replay = try recorded.replay(on: try databases.copy(base))
    try replay.runPreparation()
    var earlier = try before.map { try EarlierSteps(path: $0, seed: seed) }
    var ours = Samples(reserving: requests.count)
    var raw = Samples(reserving: requests.count)
    var before = Samples(reserving: requests.count)
    // The first steps prepare statements and begin the session, so they are not counted.
    for (number, request) in requests.enumerated() {
      var one = Samples()
      var other = Samples()
      try one.measure(.process) { _ = try service.perform(request, cause: .key, animated: true) }
      try other.measure(.process) { try replay.run(piece: number) }
      let third = try earlier?.next()
      guard number >= 200 else { continue }
      ours.add(nanoseconds: one.median)
      raw.add(nanoseconds: other.median)
      if let third { before.add(nanoseconds: third) }
    }

    var table = Table(
      "Store: a step with its event",
      note: "\(requests.count.grouped) seeded steps of all kinds in a course of 11,111 nodes, each in its own "
        + "transaction; processor time including the kernel. Waymark and the raw statements run alternately. A step "
        + "consists of \(recorded.count / requests.count) statements.",
      columns: ["what", "median", "99 %", "raw median", "raw 99 %", "ratio"])
    let ratio = ours.median / raw.median
    table.add(
      "a step", ours.median.asTime, ours.p99.asTime, raw.median.asTime, raw.p99.asTime, ratio.asRatio,
      target: "≤ 1.2 ×", isMet: ratio <= 1.2)
    if before.count > 0 {
      let ratio = ours.median / before.median
      table.add(
        "the same, with the earlier version as the reference", ours.median.asTime, ours.p99.asTime,
        before.median.asTime, before.p99.asTime, ratio.asRatio, target: "≤ 1.05 ×", isMet: ratio <= 1.05)
    }
    return table
  }

  /// Performs one of the steps for each line on standard input, and prints its processor time in nanoseconds.
  func answer() throws {
    let service = try service(on: try databases.copy(base))
    for request in try requests() {
      guard readLine() != nil else { return }
      var time = Samples()
      try time.measure(.process) { _ = try service.perform(request, cause: .key, animated: true) }
      print(Int(time.median))
      fflush(nil)
    }
  }

  private func service(on path: String) throws -> NavigationService {
    try NavigationService(
      databaseAt: path, learner: "ada", session: .named("benchmark"), timeZone: TimeZone(identifier: "UTC")!,
      now: { Timestamp(milliseconds: 1_790_000_000_000) })
  }

  /// Returns plausible steps: mostly to the next place, sometimes up or back, rarely to a distant place.
  private func requests() throws -> [NavigationRequest] {
    let activities = try Shell.numbers("SELECT id FROM contentNode WHERE kind = 'activity' ORDER BY id", in: base)
    var random = SplitMix64(seed: seed)
    return (0..<Self.count).map { _ in
      switch random.below(10) {
      case 0: .open(.place(.node(NodeID(rawValue: activities[random.below(activities.count)]))))
      case 1, 2: .pop
      case 3: .previous
      case 4: .back
      default: .next
      }
    }
  }
}

/// The steps of an earlier version, which runs as a child process.
private struct EarlierSteps {
  private let requests = Pipe()
  private let answers = Pipe()
  private var buffer = Data()

  init(path: String, seed: UInt64) throws {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["--answer-steps", "--seed", String(seed)]
    process.standardInput = requests
    process.standardOutput = answers
    try process.run()
  }

  /// Performs the next step and returns its processor time in nanoseconds.
  mutating func next() throws -> Double {
    try requests.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    while !buffer.contains(UInt8(ascii: "\n")) {
      let part = answers.fileHandleForReading.availableData
      guard !part.isEmpty else { throw BenchmarkError.differs("the earlier version ended") }
      buffer += part
    }
    let line = String(decoding: buffer, as: UTF8.self).trimmingCharacters(in: .newlines)
    buffer.removeAll()
    guard let time = Double(line) else { throw BenchmarkError.differs("the earlier version printed '\(line)'") }
    return time
  }
}
