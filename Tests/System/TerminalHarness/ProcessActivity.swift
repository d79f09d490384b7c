import Foundation

/// Whether a program and its descendants sleep, and how often their threads were switched.
///
/// If two values are equal and sound, no thread has run between them. On systems without `/proc`, all programs appear
/// to sleep.
///
/// Source: Linux, proc(5), `/proc/PID/task/TID/status` and `children`.
public struct ProcessActivity: Equatable {
  /// Whether all threads were asleep: none was running, runnable or waiting for a disk.
  public private(set) var isSound = true
  /// The number of context switches of each thread, by thread ID.
  public private(set) var switches: [String: Int] = [:]

  /// Examines a process and its descendants.
  public init(of process: Int32) {
    var next = ["\(process)"]
    while let process = next.popLast() {
      for thread in Self.threads(of: process) {
        let folder = "/proc/\(process)/task/\(thread)"
        for line in Self.lines(of: folder + "/status") {
          if line.hasPrefix("State:\t") {
            isSound = isSound && ["S", "T", "Z"].contains(line.dropFirst(7).prefix(1))
          } else if line.hasPrefix("voluntary_ctxt_switches:\t") || line.hasPrefix("nonvoluntary_ctxt_switches:\t") {
            switches[thread, default: 0] += Int(line.drop { $0 != "\t" }.dropFirst()) ?? 0
          }
        }
        next += Self.lines(of: folder + "/children").flatMap { $0.split(separator: " ") }.map(String.init)
      }
    }
  }

  private static func threads(of process: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
  }

  /// Returns the lines of a file, or an empty list if its process has ended.
  private static func lines(of file: String) -> [Substring] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n")
  }
}
