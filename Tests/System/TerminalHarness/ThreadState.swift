import Foundation

/// The state of a thread. On systems without `/proc`, a program has no threads.
///
/// Source: Linux, proc(5), `/proc/PID/task/TID/status`.
public struct ThreadState: Hashable {
  /// The name of the thread.
  public let name: String
  /// Whether the thread sleeps.
  public let isAsleep: Bool
  /// The number of voluntary context switches.
  public let sleeps: Int

  /// Returns the states of all threads of a process.
  public static func all(of process: pid_t) -> [ThreadState] {
    let folder = "/proc/\(process)/task"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { thread in
      guard let text = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8) else { return nil }
      let fields = text.split(separator: "\n").map { $0.split(separator: ":\t", maxSplits: 1) }
      func field(_ name: String) -> Substring { fields.first { $0.first == name[...] }?.last ?? "" }
      return ThreadState(
        name: String(field("Name")), isAsleep: field("State").hasPrefix("S"),
        sleeps: Int(field("voluntary_ctxt_switches")) ?? 0)
    }
  }
}
