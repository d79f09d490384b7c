#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The kernel's statistics of a process.
enum ProcessFacts {
  /// Returns the peak memory in bytes. Source: Linux, proc(5), `status`.
  static func peakMemory(of process: Int32) -> Int { bytes("VmHWM", process) }
  /// Returns the resident memory in bytes.
  static func memory(of process: Int32) -> Int { bytes("VmRSS", process) }
  /// Returns the anonymous resident memory in bytes, which excludes files.
  static func ownMemory(of process: Int32) -> Int { bytes("RssAnon", process) }

  /// Returns the processor time in seconds, including system time. Source: Linux, proc(5), `stat`, 14 and 15.
  static func processorTime(of process: Int32) -> Double {
    let text = Machine.contents("/proc/\(process)/stat") ?? ""
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return .nan }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  private static func bytes(_ name: String, _ process: Int32) -> Int {
    let fields = Machine.field(name, of: "/proc/\(process)/status")?.split(separator: " ")
    return (fields?.first).flatMap { Int($0) }.map { $0 * 1024 } ?? 0
  }
}
