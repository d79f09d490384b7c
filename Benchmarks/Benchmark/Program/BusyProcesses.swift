import Foundation

/// Processes that do nothing but keep the processors busy, until they are ended.
struct BusyProcesses {
  static let count = 8
  private let processes: [Process]

  /// Starts them.
  ///
  /// - Parameter program: Keeps a processor busy where its first argument is `busy`, as long as this process lives.
  init(_ program: String) throws {
    processes = try (0..<Self.count).map { _ in
      try Process.run(URL(filePath: program), arguments: ["busy"])
    }
  }

  /// Ends them, and waits until they are gone.
  func end() {
    for process in processes { process.terminate() }
    for process in processes { process.waitUntilExit() }
  }
}
