import GRDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of a database before SQLite touches it: where it really is, who may use it, what disk it is on.
struct DatabaseFile {
  /// The path without symbolic links; what error messages name.
  let path: String
  /// Whether the file was made just now.
  let isNew: Bool
  /// Whether SQLite must not write the file or create its log: this user may not write the file or its folder, or the
  /// disk is full.
  var isReadOnly = false
  /// Whether this process already has a connection to the file.
  var isOpenInProcess = false

  /// Which file stands at a path; a file that was replaced has another.
  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// Finds the file, or creates it (0600) together with its missing folders (0700).
  ///
  /// - Parameters:
  ///   - given: A path; see ``path(named:)``.
  ///   - creates: If `false`, nothing is created, and ``LearningDatabaseError/missing(path:)`` is thrown instead.
  init(at given: String, creates: Bool = true) throws(LearningDatabaseError) {
    let (folder, name) = Self.split(given)
    if creates { try Self.makeFolder(folder, for: given) }
    guard let real = Self.realPath(of: folder) else {
      let found = errno
      throw creates ? .cannotCreate(path: given, reason: Self.words(found)) : .missing(path: given)
    }
    var path = real == "/" ? "/\(name)" : "\(real)/\(name)"
    if let target = Self.realPath(of: path) { path = target }
    self.path = path

    var status = stat()
    if stat(path, &status) == 0 {
      isNew = false
      switch status.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFDIR: throw .cannotCreate(path: path, reason: "a folder has this name")
      default: throw .notADatabase(path: path)
      }
      guard Self.may(R_OK, path) else { throw .noPermission(path: path) }
      isReadOnly = !(Self.may(R_OK | W_OK, path) && Self.may(R_OK | W_OK, Self.split(path).folder))
    } else {
      if let broken = Self.brokenLink(at: path, of: given) { throw broken }
      guard creates else { throw .missing(path: path) }
      isNew = try Self.makeFile(path)
    }
  }

  /// Returns the path of the file that a user or program names. `~` and `~/` at the beginning stand for the home folder.
  ///
  /// - Throws: ``LearningDatabaseError/notAPath(_:reason:)`` if SQLite would not take the text for the path of a file.
  static func path(named text: String) throws(LearningDatabaseError) -> String {
    if text.isEmpty { throw .notAPath(text, reason: .empty) }
    if text.hasPrefix(":memory:") { throw .notAPath(text, reason: .memory) }
    if isURI(text) { throw .notAPath(text, reason: .uri) }
    guard text.hasPrefix("~") else { return text }
    guard text == "~" || text.hasPrefix("~/") else { throw .notAPath(text, reason: .otherHome) }
    return home + text.dropFirst()
  }

  private static func isURI(_ text: String) -> Bool {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    return text.hasPrefix("file:") || !scheme.isEmpty && text[scheme.endIndex...].hasPrefix("://")
  }

  /// The home folder of the user.
  private static var home: String {
    if let home = getenv("HOME"), home.pointee != 0 { return String(cString: home) }
    return getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "."
  }

  /// Which file stands at the path now; `nil` where there is none.
  static func identity(at path: String) -> Identity? {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// The length of the file in bytes; 0 where there is none.
  static func size(at path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Whether the log of the database at a path has no page. It may have the byte of ``extendEmptyLog(at:)``.
  static func hasEmptyLog(at path: String) -> Bool { size(at: path + "-wal") <= 1 }

  /// Gives the empty log of the database at a path a length of one byte, which needs no lock. Concurrent writes of other
  /// processes are not overwritten.
  ///
  /// SQLite writes a log at offsets of its own, and ignores an incomplete frame. So the byte is overwritten later, also if
  /// it is appended after such a write.
  static func extendEmptyLog(at path: String) {
    let descriptor = open(path + "-wal", O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    _ = write(descriptor, [0], 1)
  }

  /// Whether the disk of a file has no room for what SQLite takes at a time: 32 KiB of shared memory, and some pages.
  static func isDiskFull(at path: String) -> Bool {
    var status = statvfs()
    guard statvfs(split(path).folder, &status) == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 65_536
  }

  // MARK: - Making

  private static func makeFolder(_ folder: String, for path: String) throws(LearningDatabaseError) {
    var status = stat()
    if stat(folder, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw .cannotCreate(path: path, reason: "'\(folder)' is not a folder")
      }
      return
    }
    let found = errno
    if let broken = brokenLink(at: folder, of: path) { throw broken }
    guard found == ENOENT else { throw .cannotCreate(path: path, reason: words(found)) }
    let above = split(folder).folder
    if above != folder { try makeFolder(above, for: path) }
    if mkdir(folder, 0o700) != 0, errno != EEXIST {
      let found = errno
      throw found == ENOSPC ? .diskFull(path: path) : .cannotCreate(path: path, reason: words(found))
    }
  }

  /// Returns the error for a symbolic link that leads nowhere or in a circle; `nil` if there is no link at the path, or
  /// it leads somewhere.
  ///
  /// - Parameter database: The database whose path contains the link.
  private static func brokenLink(at path: String, of database: String) -> LearningDatabaseError? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, stat(path, &status) != 0 else { return nil }
    let found = errno
    guard found == ENOENT || found == ELOOP else { return nil }
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = target.withUnsafeMutableBytes { buffer in
      readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return .brokenLink(
      path: database, link: path, target: String(decoding: target.prefix(max(0, length)), as: UTF8.self),
      isCircular: found == ELOOP)
  }

  /// Makes an empty file that only its owner can read; `false` where something has the name, be it a link that leads
  /// nowhere.
  static func makeFile(_ path: String) throws(LearningDatabaseError) -> Bool {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let found = errno
      if found == EEXIST { return false }
      throw found == ENOSPC ? .diskFull(path: path) : .cannotCreate(path: path, reason: words(found))
    }
    close(descriptor)
    return true
  }

  /// Renames a file, so that the new name survives a power cut.
  static func move(_ file: String, to path: String) throws(LearningDatabaseError) {
    guard rename(file, path) == 0 else { throw .cannotCreate(path: path, reason: words(errno)) }
    let folder = open(split(path).folder, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  // MARK: - Asking

  /// The address for SQLite to open.
  ///
  /// SQLite creates a log and shared memory next to a database even to read it. It cannot do so on a read-only medium or
  /// a full disk, and in a folder of another user it would leave files that the owner may not write.
  var address: String { isReadOnly ? addressForReading : path }

  /// The address at which SQLite reads the file and writes nothing next to it.
  ///
  /// - Without a log the file is complete, and is read without locks, unless this process has it open.
  /// - With a log and its shared memory, the address is the path.
  /// - If the shared memory is missing and cannot be created, the address is ``addressWithoutLocks``.
  ///
  /// Source: SQLite, "Uniform Resource Identifiers", `immutable`; "Write-Ahead Logging", of read-only databases.
  var addressForReading: String {
    // Closing a connection without locks would release the locks of the other connections of this process.
    if Self.size(at: path + "-wal") == 0 { return isOpenInProcess ? path : uri("immutable=1") }
    return isReadOnly && Self.size(at: path + "-shm") < Self.sharedMemoryBytes ? addressWithoutLocks : path
  }

  /// The address at which SQLite reads the file and its log without shared memory, provided that the connection sets
  /// `locking_mode = EXCLUSIVE` first. No other program has the database open if there is no shared memory.
  ///
  /// Source: SQLite, "Write-Ahead Logging", section 8, "Use of WAL Without Shared-Memory"; "The SQLite OS Interface or
  /// VFS", of `unix-none`.
  var addressWithoutLocks: String { uri("vfs=unix-none") }

  /// The size of the shared memory of a log with up to 4,062 pages. Source: SQLite, `WALINDEX_PGSZ` in `wal.c`.
  private static let sharedMemoryBytes = 32_768

  private func uri(_ query: String) -> String {
    let allowed = Set("/-._~".utf8)
    let escaped = path.utf8.map { byte in
      let isPlain = allowed.contains(byte) || UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80
      if isPlain || (0x30...0x39).contains(byte) { return String(UnicodeScalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "file:\(escaped.joined())?\(query)"
  }

  /// Sets the locking mode that an address needs. Must be called before the connection reads anything.
  func prepare(_ database: Database, at address: String) throws {
    if address == addressWithoutLocks { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
  }

  /// Whether this user may do that there. The file is not opened for it: closing it again would drop the locks that SQLite
  /// holds on it in this process.
  private static func may(_ mode: Int32, _ path: String) -> Bool {
    faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0
  }

  private static func realPath(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The folder that a file is in, or would be made in, without symbolic links: the nearest one that is there.
  static func folderThatExists(of path: String) -> String {
    var folder = split(path).folder
    while realPath(of: folder) == nil, split(folder).folder != folder { folder = split(folder).folder }
    return realPath(of: folder) ?? folder
  }

  /// The folder of a path and the name in it.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }

  /// The operating system's words for an error number.
  static func words(_ number: Int32) -> String {
    String(cString: strerror(number)).lowercased()
  }
}
