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

  /// The first value of a name in a file of lines such as `name : value`.
  static func field(_ name: String, of path: String) -> String? {
    for line in contents(path)?.split(separator: "\n") ?? [] where line.hasPrefix(name) {
      return line.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return nil
  }

  private static func contents(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
