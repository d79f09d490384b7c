import Foundation

/// The state of SQLite's write lock, as the kernel reports it.
///
/// Source: SQLite, "WAL-mode File Format", section 2.3: the write lock is byte 120 of the shared-memory file. Linux,
/// proc(5), `/proc/locks`.
struct WriteLock {
  private let inode: UInt64

  /// Finds the lock of a database. Returns `nil` if no process has the database open, or if the kernel does not report
  /// locks.
  init?(of database: String) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: database + "-shm")
    guard let inode = attributes?[.systemFileNumber] as? NSNumber else { return nil }
    self.inode = inode.uint64Value
  }

  /// Returns whether a process is inside a write transaction.
  func isHeld(by process: Int32) -> Bool {
    let descriptor = open("/proc/locks", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var table = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(descriptor, &table, table.count)
    guard count > 0 else { return false }
    // Format: `7: POSIX  ADVISORY  WRITE 1234 fe:00:5678 120 120`
    let text = table[..<count]
    guard let bytes = text.firstRange(of: Array(":\(inode) 120 ".utf8)) else { return false }
    let start = text[..<bytes.lowerBound].lastIndex(of: UInt8(ascii: "\n")) ?? 0
    return text[start..<bytes.lowerBound].firstRange(of: Array(" WRITE \(process) ".utf8)) != nil
  }
}

/// Stops a process, so that its state can be examined.
///
/// - Returns: `false` if the process has ended.
func freeze(_ process: Int32) -> Bool {
  kill(process, SIGSTOP)
  // Source: Linux, proc(5), `stat`: the state follows the program's name in parentheses.
  let deadline = ContinuousClock.now + .seconds(5)
  while ContinuousClock.now < deadline {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let state = status.split(separator: ")").last?.split(separator: " ").first
    else { return false }
    if state == "T" { return true }
    if state == "Z" || state == "X" { return false }
    usleep(50)
  }
  return false
}
