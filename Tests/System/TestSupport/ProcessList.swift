import Foundation

/// The processes of this system.
public enum ProcessList {
  /// Returns the number of processes with an argument. Ended processes have no arguments.
  public static func count(withArgument argument: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { name in
      guard Int(name) != nil, let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(name)/cmdline")) else {
        return false
      }
      return bytes.split(separator: 0).contains(Data(argument.utf8))
    }.count
  }

  /// Waits until there is a number of processes with an argument. Returns `false` after 20 seconds.
  public static func reaches(_ number: Int, withArgument argument: String) -> Bool {
    for _ in 0..<2_000 {
      if count(withArgument: argument) == number { return true }
      usleep(10_000)
    }
    return false
  }
}
