import CProcess
import Foundation

/// The limits of all processes of a program together. The system limits only one process at a time, and root not at all, so the
/// process that waits for the program looks at them regularly.
package struct TotalLimits: Hashable, Sendable {
  /// The kinds of limits.
  package enum Kind: Hashable, Sendable { case memory, processes, bytes, files, processorSeconds }

  /// The maximum memory that the processes do not share with others, in bytes.
  package var memory: Int
  /// The maximum number of processes.
  package var processes: Int
  /// The folders that the program can change.
  package var folders: [String]
  /// The maximum number of bytes by which the folders may grow.
  package var bytes: Int
  /// The maximum number of files and folders by which the folders may grow.
  package var files: Int
  /// The maximum processor time of each process in seconds, or `nil` if it is not watched.
  package var processorSeconds: Int?

  package init(memory: Int, processes: Int, folders: [String], bytes: Int, files: Int) {
    self.memory = memory
    self.processes = processes
    self.folders = folders
    self.bytes = bytes
    self.files = files
  }
}

/// Looks at the processes and the folders of a running program.
struct TotalWatch {
  private let limits: TotalLimits
  private let before: (bytes: Int, files: Int)
  private var nextProcesses = ContinuousClock.now
  private var nextFolders = ContinuousClock.now

  /// Looks at the folders. Must be called before the program starts.
  init(_ limits: TotalLimits) {
    self.limits = limits
    before = Self.extent(of: limits.folders)
  }

  /// Throws if the program has exceeded a limit. Looks at the processes five times a second and at the folders once, but spends
  /// at most a tenth of the time on each.
  ///
  /// - Parameter process: The process of the program, or its supervisor.
  /// - Throws: ``ProgramFailure/exceeded(_:limit:)``.
  mutating func look(at process: pid_t) throws {
    let now = ContinuousClock.now
    if nextProcesses <= now {
      let (count, memory, seconds) = Self.processes(below: process)
      nextProcesses = ContinuousClock.now + max(.milliseconds(200), now.duration(to: .now) * 10)
      if memory > limits.memory { throw ProgramFailure.exceeded(.memory, limit: limits.memory) }
      if count > limits.processes { throw ProgramFailure.exceeded(.processes, limit: limits.processes) }
      if let most = limits.processorSeconds, seconds >= most {
        throw ProgramFailure.exceeded(.processorSeconds, limit: most)
      }
    }
    if nextFolders <= now {
      let start = ContinuousClock.now
      let (bytes, files) = Self.extent(of: limits.folders)
      nextFolders = ContinuousClock.now + max(.seconds(1), start.duration(to: .now) * 10)
      if bytes - before.bytes > limits.bytes { throw ProgramFailure.exceeded(.bytes, limit: limits.bytes) }
      if files - before.files > limits.files { throw ProgramFailure.exceeded(.files, limit: limits.files) }
    }
  }

  /// Looks at the folders once more when the program has ended.
  ///
  /// - Throws: ``ProgramFailure/exceeded(_:limit:)``.
  mutating func lookAtFolders() throws {
    (nextProcesses, nextFolders) = (.now + .seconds(1), .now)
    try look(at: 0)
  }

  /// Returns the number of descendants of a process, the bytes of memory that they do not share, and the longest processor time
  /// of one of them.
  ///
  /// Source: proc(5), `/proc/pid/stat` and `/proc/pid/statm`. On systems without `/proc` there are none. Times are
  /// in ticks.
  static func processes(below root: pid_t) -> (count: Int, memory: Int, seconds: Int) {
    guard let folder = opendir("/proc") else { return (0, 0, 0) }
    defer { closedir(folder) }
    var children: [pid_t: [pid_t]] = [:]
    var ticks: [pid_t: Int] = [:]
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { pid_t(String(cString: $0)) }
      }
      // The name of the program is in parentheses and may contain any character.
      guard let process = name, let text = text(ofFile: "/proc/\(process)/stat"),
        case let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " "), fields.count > 13
      else { continue }
      children[pid_t(fields[2]) ?? 0, default: []].append(process)
      ticks[process] = (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0)
    }
    var (found, next) = ([pid_t](), children[root] ?? [])
    while let process = next.popLast() {
      found.append(process)
      next += children[process] ?? []
    }
    let pages = found.reduce(0) { sum, process in
      let fields = text(ofFile: "/proc/\(process)/statm")?.split(separator: " ").compactMap { Int($0) } ?? []
      return fields.count > 2 ? sum + max(0, fields[1] - fields[2]) : sum
    }
    return (
      found.count, pages * Int(clamping: getpagesize()),
      (found.compactMap { ticks[$0] }.max() ?? 0) / max(1, sysconf(Int32(_SC_CLK_TCK)))
    )
  }

  /// Returns the bytes on the disk and the number of the files and folders below folders.
  static func extent(of folders: [String]) -> (bytes: Int, files: Int) {
    var (bytes, files) = (UInt64(0), UInt64(0))
    for folder in folders { cprocess_add_extent(folder, &bytes, &files) }
    return (Int(clamping: bytes), Int(clamping: files))
  }

  private static func text(ofFile path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = fread(&buffer, 1, buffer.count, file)
    return String(decoding: buffer[..<count], as: UTF8.self)
  }
}
