import Foundation

/// On what was measured.
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

  /// Lets this process, and the programs that it starts from now on, go before everybody else on the machine, or not any
  /// more: what is measured by the clock on the wall is then what an idle machine would take.
  ///
  /// - Parameter alone: Whether the programs that it starts have their turn with everybody else.
  /// - Returns: Whether the system lets it. Source: Linux, sched(7), SCHED_FIFO and SCHED_RESET_ON_FORK.
  static func goFirst(_ goes: Bool, alone: Bool = false) -> Bool {
    let resetsOnFork: Int32 = 0x4000_0000
    var rank = sched_param()
    rank.sched_priority = goes ? 10 : 0
    return sched_setscheduler(0, (goes ? SCHED_FIFO : SCHED_OTHER) | (alone ? resetsOnFork : 0), &rank) == 0
  }

  /// The first value of a name in a file of lines such as `name : value`.
  static func field(_ name: String, of path: String) -> String? {
    for line in contents(path)?.split(separator: "\n") ?? [] where line.hasPrefix(name) {
      return line.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return nil
  }

  static func contents(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
