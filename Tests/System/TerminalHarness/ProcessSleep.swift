import Foundation

/// Whether a program sleeps, with all that it started, and how often its threads have been woken.
///
/// Two that are equal and sound mean that nothing of it has run in between. Where the system does not tell, a program
/// always seems to sleep.
///
/// Source: Linux, proc(5), `/proc/PID/task/TID/status` and `children`.
public struct ProcessSleep: Equatable {
  /// Whether every thread slept when it was looked at: none ran, waited for its turn, or for a disk.
  public private(set) var isSound = true
  /// How often each thread has given up the processor or lost it, by its number.
  public private(set) var switches: [String: Int] = [:]

  /// Looks at a process and its descendants.
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

  /// The lines of a file; none where its process has gone.
  private static func lines(of file: String) -> [Substring] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n")
  }
}
