import TerminalHarness

/// The regularity of the frames of a transition.
struct Pacing {
  private static let transitions = 60
  /// The number of rounds at rest, in which the programs take turns. Other activity of the machine delays one frame in
  /// one or two thousand, also of the reference, so many frames must be measured.
  let rounds: Int

  /// - Parameters:
  ///   - visits: The reference, followed by the programs to compare.
  ///   - program: A program that only keeps a processor busy if its first argument is `busy`.
  func table(_ visits: [Visit], busy program: String) throws -> Table {
    var table = Table(
      "Program: frames",
      note: "At 80 × 24, as fast as the terminal reads. Elapsed time: the first row is the share of the machine and of "
        + "the measurement. With \(BusyProcesses.count) busy processes, the measuring process has a higher priority, "
        + "and the measured program competes with them.",
      columns: ["what", "number", "median", "99 %", "slowest"])
    try add(visits, "at rest", rounds: rounds, leastOfReference: 1, to: &table)
    _ = Machine.goFirst(true, alone: true)
    defer { _ = Machine.goFirst(true) }
    let busy = try BusyProcesses(program)
    defer { busy.end() }
    try add(visits, "under load", rounds: 1, leastOfReference: 0.9, to: &table)
    return table
  }

  private func add(
    _ visits: [Visit], _ when: String, rounds: Int, leastOfReference least: Double, to table: inout Table
  ) throws {
    var times = visits.map { _ in [[Double]]() }
    for _ in 0..<rounds {
      for (number, visit) in visits.enumerated() {
        let (terminal, _) = try visit.guest.browse([visit.list])
        try terminal.waitUntilQuiet(for: 0.5)
        times[number] += try motions(terminal)
        try visit.guest.leave(terminal)
      }
    }
    var reference: Double?
    for (visit, times) in zip(visits, times) {
      let frames = Frames(times)
      table.add(
        "frames within 2 ms of a sixtieth \(when), \(visit.name): \(frames.share.asPercent)", "\(frames.all.count)",
        frames.all.median.asTime, frames.all.p99.asTime, frames.all.quantile(1).asTime,
        target: reference.map { "≥ \((least * $0).asPercent), \(least.rounded(digits: 2)) of the reference" } ?? "",
        isMet: reference.map { frames.share >= least * $0 })
      reference = reference ?? frames.share
    }
  }

  /// Returns the times at which bytes arrived, for one transition after the other.
  private func motions(_ terminal: PseudoTerminal) throws -> [[Double]] {
    try (0..<Self.transitions).map { number in
      let first = terminal.reads.count
      terminal.press(number % 2 == 0 ? .enter : .left)
      try terminal.waitUntilQuiet(for: 0.3)
      return terminal.reads[first...].map(\.time)
    }
  }
}

/// The frames whose distance from the preceding frame is a multiple of 1/60 s. Unchanged frames write nothing, so
/// frames may be missing. Bytes that are read within 4 ms belong to one frame.
private struct Frames {
  var all = Samples()
  private var even = 0

  init(_ times: [[Double]]) {
    for times in times {
      var starts: [Double] = []
      for (index, time) in times.enumerated() where index == 0 || time - times[index - 1] > 0.004 {
        starts.append(time)
      }
      for (one, next) in zip(starts, starts.dropFirst()) where next - one < 0.06 {
        let frames = max(1, ((next - one) * 60).rounded())
        all.add(nanoseconds: (next - one) / frames * 1e9)
        if abs((next - one) - frames / 60) <= 0.002 { even += 1 }
      }
    }
  }

  /// The share of frames within 2 ms of the expected time.
  var share: Double { Double(even) / Double(max(1, all.count)) }
}

extension Double {
  fileprivate var asPercent: String { (self * 100).rounded(digits: 4) + " %" }
}
