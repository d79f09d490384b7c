import Foundation

/// Processes that keep the processors busy until they are terminated.
struct BusyProcesses {
  static let count = 8
  private let processes: [Process]

  /// Starts the processes.
  ///
  /// - Parameter program: A program that, with the first argument `busy`, keeps a processor busy as long as this
  ///   process runs.
  init(_ program: String) throws {
    processes = try (0..<Self.count).map { _ in
      try Process.run(URL(filePath: program), arguments: ["busy"])
    }
  }

  /// Terminates the processes and waits for their end.
  func end() {
    for process in processes { process.terminate() }
    for process in processes { process.waitUntilExit() }
  }
}
