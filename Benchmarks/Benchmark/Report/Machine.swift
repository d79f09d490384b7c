import Foundation

/// The machine of the measurements.
enum Machine {
  static var description: [String] {
    var name = utsname()
    uname(&name)
    let kernel = withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return [
      "\(field("model name", of: "/proc/cpuinfo") ?? "an unknown processor"), "
        + "\(ProcessInfo.processInfo.activeProcessorCount) cores, "
        + "\(ProcessInfo.processInfo.physicalMemory / 1_048_576 / 1024) GiB, Linux \(kernel)",
      "load at the beginning: " + (contents("/proc/loadavg")?.split(separator: " ").first.map(String.init) ?? "?"),
    ]
  }

  /// Gives this process, and the programs that it starts afterwards, precedence over all other processes, or withdraws
  /// it. Wall-clock times are then those of an idle machine.
  ///
  /// - Parameter alone: Whether the programs that this process starts have normal priority.
  /// - Returns: Whether the system permits it. Source: Linux, sched(7), SCHED_FIFO and SCHED_RESET_ON_FORK.
  static func goFirst(_ goes: Bool, alone: Bool = false) -> Bool {
    let resetsOnFork: Int32 = 0x4000_0000
    var rank = sched_param()
    rank.sched_priority = goes ? 10 : 0
    return sched_setscheduler(0, (goes ? SCHED_FIFO : SCHED_OTHER) | (alone ? resetsOnFork : 0), &rank) == 0
  }

  /// Returns the first value of a name in a file with lines such as `name : value`.
  static func field(_ name: String, of path: String) -> String? {
    for line in contents(path)?.split(separator: "\n") ?? [] where line.hasPrefix(name) {
      return line.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return nil
  }

  static func contents(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
