import ExternalPrograms
import Foundation

/// The sandbox of the checks of exercises.
enum ExercisesPart {
  static func run(_ options: Options, _ print: (Table) -> Void) throws {
    if options.isAsked(for: "sandbox", of: "exercises") { try print(table(rounds: options.isLong ? 1_000 : 200)) }
  }

  /// The number of bytes that a program prints in the second row.
  private static let outputBytes = 1_000_000

  private static func table(rounds: Int) throws -> Table {
    var sandbox = ProgramSandbox()
    sandbox.hasLoopback = true
    let shell = ExternalProgram(path: "/bin/sh")
    let bwrap = ExternalProgram(named: "bwrap")
    var table = Table(
      "Exercises: a program in the sandbox",
      note:
        "Median of \(rounds.grouped) starts. `bwrap` shows the same files in the same namespaces. The time of the output "
        + "begins with its first byte.",
      columns: ["what", "sandbox", "reference", "ratio"])

    var (own, other) = (Samples(reserving: rounds), Samples(reserving: rounds))
    let arguments = Self.arguments(of: bwrap, for: shell, in: sandbox)
    for _ in 0..<rounds {
      try own.measure(.wall) { try start(shell, ["-c", ":"], in: sandbox) }
      if let bwrap { try other.measure(.wall) { try start(bwrap, arguments + ["-c", ":"], in: nil) } }
    }
    add("a start", own, other, bwrap == nil ? "bwrap is missing" : nil, to: &table)

    (own, other) = (Samples(reserving: rounds), Samples(reserving: rounds))
    let command = ["-c", "echo; exec head -c \(outputBytes) /dev/zero"]
    for _ in 0..<rounds {
      own.add(nanoseconds: try outputTime(of: shell, command, in: sandbox))
      other.add(nanoseconds: try outputTime(of: shell, command, in: nil))
    }
    add("1 MB of output, next to the command without a sandbox", own, other, nil, to: &table)
    return table
  }

  /// Adds a row with the medians and their ratio.
  ///
  /// - Parameter skipped: Why there is no reference, or `nil`.
  private static func add(
    _ what: String, _ own: Samples, _ other: Samples, _ skipped: String?, to table: inout Table
  ) {
    let ratio = own.median / other.median
    table.add(
      what, own.median.asTime, skipped.map { "skipped: " + $0 } ?? other.median.asTime, ratio.asRatio,
      target: "≤ 1.5 ×", isMet: skipped == nil ? ratio <= 1.5 : nil)
  }

  private static func start(
    _ program: ExternalProgram, _ arguments: [String], in sandbox: ProgramSandbox?,
    receive: ((ArraySlice<UInt8>) -> Void)? = nil
  ) throws {
    let result = try program.run(
      arguments, limits: ProgramLimits(seconds: 60, output: 1 << 16, sandbox: sandbox), receive: receive)
    guard result.code == 0, sandbox == nil || result.protection == .full else {
      throw BenchmarkError.missing("full sandbox: \(result.protection), code \(result.code)")
    }
  }

  /// Returns the nanoseconds from the first byte of the output to the end of the program.
  private static func outputTime(
    of program: ExternalProgram, _ arguments: [String], in sandbox: ProgramSandbox?
  ) throws -> Double {
    var (begin, count) = (UInt64?.none, 0)
    try start(program, arguments, in: sandbox) { bytes in
      begin = begin ?? Clock.wall.now
      count += bytes.count
    }
    guard let begin, count == outputBytes + 1 else { throw BenchmarkError.missing("output: \(count) bytes") }
    return Double(Clock.wall.now - begin)
  }

  /// Returns the arguments with which bubblewrap shows the same files as the sandbox.
  private static func arguments(
    of bwrap: ExternalProgram?, for program: ExternalProgram, in sandbox: ProgramSandbox
  ) -> [String] {
    ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
      + sandbox.readableFiles(of: program, in: nil).flatMap { ["--ro-bind-try", $0, $0] }
      + ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run", "--", program.path]
  }
}
