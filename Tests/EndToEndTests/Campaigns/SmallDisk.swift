import Foundation
import Testing

/// A disk of a few megabytes, in memory. Making one is root's to do.
final class SmallDisk {
  let path: String
  private let home: Home

  /// Whether this user may make one.
  static var isPossible: Bool {
    #if os(Linux)
    getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/bin/mount")
    #else
    false
    #endif
  }

  /// Mounts it in that home.
  init(in home: Home, megabytes: Int) throws {
    self.home = home
    path = home.path("disk")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let answer = try home.run("/bin/mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path])
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
    home.environment["WAYMARK_DATABASE"] = path + "/waymark.sqlite"
  }

  deinit {
    _ = try? home.run("/bin/umount", ["-l", path])
  }

  /// Fills it to its last byte, or so far that some are left.
  func fill(leaving room: Int = 0) throws {
    let descriptor = open(path + "/ballast", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var size = 65_536
    let bytes = [UInt8](repeating: 0, count: size)
    while size > 0 {
      if write(descriptor, bytes, size) <= 0 { size /= 2 }
    }
    guard room > 0 else { return }
    let end = lseek(descriptor, 0, SEEK_END)
    ftruncate(descriptor, max(0, end - room))
  }

  /// Makes room again.
  func clear() throws {
    try FileManager.default.removeItem(atPath: path + "/ballast")
  }
}
