#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Detects network file systems. SQLite's write-ahead log needs memory that all its users share, so they must run on
/// the same machine.
enum NetworkFolder {
  /// The types of file systems whose files are on another machine.
  private static let remote: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "coda", "ceph", "9p", "lustre", "webdav",
    "fuse.sshfs", "fuse.glusterfs", "fuse.ceph-fuse", "fuse.davfs2", "fuse.rclone", "fuse.s3fs", "fuse.curlftpfs",
  ]

  /// Returns the type of the network file system of a folder, or `nil` if it is on a local disk.
  ///
  /// - Parameter folder: An absolute path without symbolic links.
  static func fileSystem(of folder: String) -> String? {
    #if canImport(Darwin)
    var status = statfs()
    guard statfs(folder, &status) == 0, status.f_flags & UInt32(MNT_LOCAL) == 0 else { return nil }
    return withUnsafeBytes(of: status.f_fstypename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    #else
    return fileSystem(of: folder, mounts: mounts())
    #endif
  }

  /// Returns the type of the network file system of a folder according to a mount table, or `nil` if it is on a local
  /// disk.
  ///
  /// Source: fstab(5), whose format `/proc/self/mounts` uses.
  static func fileSystem(of folder: String, mounts: String) -> String? {
    // If no network file system is mounted, the mount point of the folder need not be determined.
    guard mounts.utf8.split(separator: UInt8(ascii: "\n")).contains(where: isRemote) else { return nil }
    var longest = -1
    var type: Substring?
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count >= 3 else { continue }
      let point = unescaped(fields[1])
      let containsFolder = folder == point || point == "/" || folder.hasPrefix(point + "/")
      // If a mount point occurs twice, the later mount hides the earlier one.
      if containsFolder, point.utf8.count >= longest {
        longest = point.utf8.count
        type = fields[2]
      }
    }
    return type.map(String.init).flatMap { remote.contains($0) ? $0 : nil }
  }

  private static func isRemote(_ line: Substring.UTF8View) -> Bool {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 3)
    return fields.count >= 3 && remote.contains(String(Substring(fields[2])))
  }

  /// Decodes the octal escapes (`\040`) of spaces, tabs, line feeds and backslashes.
  private static func unescaped(_ field: Substring) -> String {
    guard field.contains("\\") else { return String(field) }
    var bytes: [UInt8] = []
    var remaining = field.utf8[...]
    while let byte = remaining.popFirst() {
      if byte == UInt8(ascii: "\\"), remaining.count >= 3,
        let value = UInt8(String(Substring(remaining.prefix(3))), radix: 8)
      {
        bytes.append(value)
        remaining = remaining.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  #if !canImport(Darwin)
  private static func mounts() -> String {
    let descriptor = open("/proc/self/mounts", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(contentsOf: chunk.prefix(count))
    }
  }
  #endif
}
