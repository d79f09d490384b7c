import GRDB
import LearningModel

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of a database before SQLite opens it: its real path, the permissions of this user, and the free space of
/// its disk.
struct DatabaseFile {
  /// The path with all symbolic links resolved. Error messages show it.
  let path: String
  /// Whether ``init(at:creates:)`` created the file.
  let isNew: Bool
  /// Whether SQLite must neither write the file nor create its log, because this user may not write the file or its
  /// folder, or because the disk is full.
  var isReadOnly = false
  /// Whether this process already has a connection to the file.
  var isOpenInProcess = false

  /// The identity of a file, which differs if the file at a path was replaced by another one.
  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// Finds the file, or creates it (mode 0600) together with its missing folders (mode 0700).
  ///
  /// - Parameters:
  ///   - given: The path of the file; see ``path(named:)``.
  ///   - creates: If `false`, nothing is created, and ``LearningDatabaseError/missing(path:)`` is thrown if the file
  ///     does not exist.
  init(at given: String, creates: Bool = true) throws(LearningDatabaseError) {
    let (folder, name) = Self.split(given)
    if creates { try Self.makeFolder(folder, for: given) }
    guard let real = Self.realPath(of: folder) else {
      let code = errno
      throw creates ? .cannotCreate(path: given, reason: Self.errorMessage(code)) : .missing(path: given)
    }
    var path = real == "/" ? "/\(name)" : "\(real)/\(name)"
    if let target = Self.realPath(of: path) { path = target }
    self.path = path

    var status = stat()
    if stat(path, &status) == 0 {
      isNew = false
      switch status.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFDIR: throw .notAPath(path, reason: .folder)
      default: throw .notADatabase(path: path)
      }
      guard Self.isPermitted(R_OK, path) else { throw .noPermission(path: path) }
      isReadOnly = !(Self.isPermitted(R_OK | W_OK, path) && Self.isPermitted(R_OK | W_OK, Self.split(path).folder))
    } else {
      if let broken = Self.brokenLink(at: path, of: given) { throw broken }
      guard creates else { throw .missing(path: path) }
      isNew = try Self.makeFile(path)
    }
  }

  /// Returns the path of a file that a user or program has specified. `~` or `~/` at the beginning is replaced by the
  /// home folder.
  ///
  /// - Throws: ``LearningDatabaseError/notAPath(_:reason:)`` if SQLite would not treat the text as the path of a file.
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

  private static var home: String {
    if let home = getenv("HOME"), home.pointee != 0 { return String(cString: home) }
    return getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "."
  }

  /// Returns the identity of the file that is currently at a path, or `nil` if the path does not exist.
  static func identity(at path: String) -> Identity? {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// Returns the size of a file in bytes, or 0 if it does not exist.
  static func size(at path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Returns whether the write-ahead log of the database at a path has no pages. It may contain the byte that
  /// ``extendEmptyLog(at:)`` writes.
  static func hasEmptyLog(at path: String) -> Bool { size(at: path + "-wal") <= 1 }

  /// Appends one byte to the empty write-ahead log of the database at a path, without a lock. Concurrent writes of
  /// other processes are not overwritten.
  ///
  /// SQLite writes a log at explicit offsets and ignores an incomplete frame. The byte is therefore overwritten later,
  /// even if it is appended after such a write.
  static func extendEmptyLog(at path: String) {
    let descriptor = open(path + "-wal", O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    _ = write(descriptor, [0], 1)
  }

  /// Returns whether the disk of a file has less free space than SQLite needs at once: 32 KiB of shared memory and a
  /// few pages.
  static func isDiskFull(at path: String) -> Bool {
    var status = statvfs()
    guard statvfs(split(path).folder, &status) == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 65_536
  }

  /// Returns whether the next writes to a database would exceed the size up to which this process may write files.
  static func reachesSizeLimit(at path: String) -> Bool {
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
    let resource = RLIMIT_FSIZE
    #endif
    var limit = rlimit()
    let size = ["", "-wal", "-shm"].map { Self.size(at: path + $0) }.max() ?? 0
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur < UInt64(size) + 65_536
  }

  // MARK: - Creating

  private static func makeFolder(_ folder: String, for path: String) throws(LearningDatabaseError) {
    var status = stat()
    if stat(folder, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw .cannotCreate(path: path, reason: "\(quoted: folder) is not a folder")
      }
      return
    }
    let code = errno
    if let broken = brokenLink(at: folder, of: path) { throw broken }
    guard code == ENOENT else { throw .cannotCreate(path: path, reason: errorMessage(code)) }
    let parentFolder = split(folder).folder
    if parentFolder != folder { try makeFolder(parentFolder, for: path) }
    if mkdir(folder, 0o700) != 0, errno != EEXIST {
      let code = errno
      throw [ENOSPC, EDQUOT].contains(code)
        ? .diskFull(path: path) : .cannotCreate(path: path, reason: errorMessage(code))
    }
  }

  /// Returns the error for a symbolic link whose target is missing or that is circular. Returns `nil` if the path is
  /// not a symbolic link, or if its target exists.
  ///
  /// - Parameter database: The path of the database, which contains the link.
  private static func brokenLink(at path: String, of database: String) -> LearningDatabaseError? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, stat(path, &status) != 0 else { return nil }
    let code = errno
    guard code == ENOENT || code == ELOOP else { return nil }
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = target.withUnsafeMutableBytes { buffer in
      readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return .brokenLink(
      path: database, link: path, target: String(decoding: target.prefix(max(0, length)), as: UTF8.self),
      isCircular: code == ELOOP)
  }

  /// Creates an empty file that only its owner can read.
  ///
  /// - Returns: `false` if the path already exists, even as a symbolic link without a target.
  static func makeFile(_ path: String) throws(LearningDatabaseError) -> Bool {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let code = errno
      if code == EEXIST { return false }
      throw [ENOSPC, EDQUOT].contains(code)
        ? .diskFull(path: path) : .cannotCreate(path: path, reason: errorMessage(code))
    }
    close(descriptor)
    return true
  }

  /// Renames a file so that the new name survives a power cut.
  static func move(_ file: String, to path: String) throws(LearningDatabaseError) {
    guard rename(file, path) == 0 else { throw .cannotCreate(path: path, reason: errorMessage(errno)) }
    let folder = open(split(path).folder, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  // MARK: - Addresses and permissions

  /// The path or URI with which SQLite opens the file.
  ///
  /// SQLite creates a log and shared memory next to a database even for reading. That is impossible on a read-only
  /// medium or a full disk. In a folder of another user, these files would not be writable for the owner of the
  /// database.
  var address: String { isReadOnly ? addressForReading : path }

  /// The path or URI with which SQLite reads the file and writes nothing next to it.
  ///
  /// - If there is no log, the file is complete and is read without locks, unless this process has it open.
  /// - If there is a log with its shared memory, this is the path.
  /// - If the shared memory is missing and cannot be created, this is ``addressWithoutLocks``.
  ///
  /// Source: SQLite, "Uniform Resource Identifiers", `immutable`; "Write-Ahead Logging", section 5, "Read-Only
  /// Databases".
  var addressForReading: String {
    // Closing a connection without locks would release the locks of the other connections of this process.
    if Self.size(at: path + "-wal") == 0 { return isOpenInProcess ? path : uri("immutable=1") }
    return isReadOnly && Self.size(at: path + "-shm") < Self.sharedMemoryBytes ? addressWithoutLocks : path
  }

  /// The URI with which SQLite reads the file and its log without shared memory. The connection must set `locking_mode
  /// = EXCLUSIVE` first. This is safe because no other program has the database open if there is no shared memory.
  ///
  /// Source: SQLite, "Write-Ahead Logging", section 8, "Use of WAL Without Shared-Memory"; "The SQLite OS Interface or
  /// VFS" (`unix-none`).
  var addressWithoutLocks: String { uri("vfs=unix-none") }

  /// The size in bytes of the shared memory of a log with up to 4,062 pages. Source: SQLite, `WALINDEX_PGSZ` in
  /// `wal.c`.
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

  /// Sets the locking mode that an address requires. Must be called before the connection reads anything.
  func prepare(_ database: Database, at address: String) throws {
    if address == addressWithoutLocks { try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
  }

  /// Returns whether this user may access a path in a mode such as `W_OK`. Does not open the file, because closing it
  /// again would release the locks that SQLite holds on it in this process.
  private static func isPermitted(_ mode: Int32, _ path: String) -> Bool {
    faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0
  }

  private static func realPath(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the nearest existing ancestor folder of a file, without symbolic links.
  static func folderThatExists(of path: String) -> String {
    var folder = split(path).folder
    while realPath(of: folder) == nil, split(folder).folder != folder { folder = split(folder).folder }
    return realPath(of: folder) ?? folder
  }

  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }

  /// Returns the operating system's message for an error number, in lower case.
  static func errorMessage(_ number: Int32) -> String {
    String(cString: strerror(number)).lowercased()
  }
}
