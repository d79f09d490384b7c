import Foundation
import Testing

/// A memory disk of a few megabytes. Only root can create one.
final class SmallDisk {
  let path: String
  private let home: HomeFixture

  /// Whether this user may create a disk.
  static var isPossible: Bool {
    #if os(Linux)
    getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/bin/mount")
    #else
    false
    #endif
  }

  /// Mounts a disk in a home, and moves the home's database to it.
  init(in home: HomeFixture, megabytes: Int) throws {
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

  /// Fills the disk, except for a number of bytes.
  func fill(leaving bytesToLeave: Int = 0) throws {
    let descriptor = open(path + "/ballast", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var size = 65_536
    let bytes = [UInt8](repeating: 0, count: size)
    while size > 0 {
      if write(descriptor, bytes, size) <= 0 { size /= 2 }
    }
    guard bytesToLeave > 0 else { return }
    let end = lseek(descriptor, 0, SEEK_END)
    ftruncate(descriptor, max(0, end - bytesToLeave))
  }

  /// Frees the space again.
  func clear() throws {
    try FileManager.default.removeItem(atPath: path + "/ballast")
  }
}
