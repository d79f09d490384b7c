import LearningModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that is written in chunks, and that appears under its name only when it is complete.
final class FileOutput {
  private let name: OutputName
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isFinished = false

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - name: The name of the complete file.
  ///   - isPrivate: Whether the file contains a learner's history. If `true`, only the file's owner can read it.
  /// - Throws: ``CommandFailure/cannotCreate(file:reason:)``.
  init(_ name: OutputName, isPrivate: Bool) throws {
    self.name = name
    descriptor =
      if let temporary = name.temporary {
        open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
      } else {
        open(name.path, O_WRONLY | O_CLOEXEC)
      }
    guard descriptor >= 0 else {
      throw CommandFailure.cannotCreate(file: name.path, reason: errno.systemMessage)
    }
  }

  deinit {
    close(descriptor)
    if let temporary = name.temporary, !isFinished { unlink(temporary) }
  }

  /// Appends a text.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 64 * 1024 { try flush() }
  }

  /// Appends bytes.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count > 64 * 1024 { try flush() }
  }

  /// Completes the file and renames it to its final name.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func finish() throws {
    try flush()
    if name.temporary != nil, fsync(descriptor) != 0 { throw failure() }
    isFinished = true
    try name.moveIntoPlace()
  }

  private func flush() throws {
    try buffer.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = systemWrite(descriptor, bytes.baseAddress! + written, bytes.count - written)
        guard count >= 0 || errno == EINTR else { throw failure() }
        written += max(0, count)
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func failure() -> CommandFailure { .cannotWrite(file: name.path, reason: errno.systemMessage) }
}

/// Calls the system's `write`, which methods of the same name hide.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
  Glibc.write(descriptor, bytes, count)
  #else
  Darwin.write(descriptor, bytes, count)
  #endif
}

/// The name of an output file, which protects existing files.
///
/// The content is written to a temporary file in the same folder, which is renamed when it is complete. If the name is
/// a symbolic link, the link is replaced and its target is not changed.
struct OutputName {
  /// The path that the user specified.
  let path: String
  /// The path of the temporary file. `nil` if `path` exists and is not a regular file but, for example, a pipe. In this
  /// case, the content is written directly to `path`.
  let temporary: String?
  private let replaces: Bool

  /// The treatment of an existing file with this name.
  enum Replacing {
    /// The file is kept.
    case never
    /// The file is kept unless the user agrees to replace it.
    case asking
    /// The file is replaced.
    case always
  }

  /// Checks whether the file can be created or replaced.
  ///
  /// - Parameters:
  ///   - path: The path of the file, in an existing folder.
  ///   - database: The path of the open database. The output file must be neither the database nor its write-ahead log.
  ///   - replacing: The treatment of an existing file.
  /// - Returns: `nil` if the user declines to replace the file.
  /// - Throws: ``CommandFailure/isDatabase(file:)``, ``CommandFailure/fileExists(file:)`` or
  ///   ``CommandFailure/cannotCreate(file:reason:)``.
  init?(_ path: String, database: String, replacing: Replacing) throws {
    self.path = path
    guard !Self.belongs(path, of: database) else { throw CommandFailure.isDatabase(file: path) }
    var status = stat()
    replaces = lstat(path, &status) == 0
    if replaces, stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw CommandFailure.cannotCreate(file: path, reason: "it is a folder")
      }
      temporary = nil
      return
    }
    temporary = "\(path).part-\(getpid())"
    guard access(Self.split(path).folder, W_OK) == 0 else {
      throw CommandFailure.cannotCreate(file: path, reason: errno.systemMessage)
    }
    guard replaces, replacing != .always else { return }
    guard replacing == .asking, Confirmation.isPossible else { throw CommandFailure.fileExists(file: path) }
    guard try Confirmation.ask("Replace \(quoted: path)?", orFail: "replace \(quoted: path)") else { return nil }
  }

  /// Renames the temporary file to its final name.
  ///
  /// - Throws: ``CommandFailure``. In this case, the temporary file is deleted.
  func moveIntoPlace() throws {
    guard let temporary else { return }
    // If another program has created a file of this name since the check, `link` fails.
    let isLinked = !replaces && link(temporary, path) == 0
    let linkError = errno
    if isLinked || !replaces && linkError == EEXIST { unlink(temporary) }
    if !isLinked, !replaces, linkError == EEXIST { throw CommandFailure.fileExists(file: path) }
    // Some file systems do not support hard links.
    guard isLinked || rename(temporary, path) == 0 else {
      defer { unlink(temporary) }
      throw CommandFailure.cannotWrite(file: path, reason: errno.systemMessage)
    }
  }

  /// Deletes the file if it is empty.
  func discardIfEmpty() {
    var status = stat()
    if temporary != nil, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
      unlink(path)
    }
  }

  /// Returns whether a path refers to a database or one of SQLite's auxiliary files. The files are compared by
  /// identity, so links are recognised too.
  private static func belongs(_ path: String, of database: String) -> Bool {
    let real = realpath(database, nil)
    defer { free(real) }
    let realDatabasePath = real.map { String(cString: $0) } ?? database
    let databaseFiles = ["", "-wal", "-shm", "-journal"].map { realDatabasePath + $0 }
    if let identity = identity(of: path), databaseFiles.contains(where: { Self.identity(of: $0) == identity }) {
      return true
    }
    // An auxiliary file that does not exist can only be recognised by its name.
    let (folder, name) = split(path)
    guard let folderIdentity = identity(of: folder), folderIdentity == identity(of: split(realDatabasePath).folder)
    else { return false }
    return databaseFiles.contains { split($0).name == name }
  }

  private static func identity(of path: String) -> [UInt64]? {
    var status = stat()
    return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  private static func split(_ path: String) -> (folder: String, name: Substring) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), path[path.index(after: slash)...])
  }
}

extension Int32 {
  /// The operating system's message for an error code.
  var systemMessage: String { String(cString: strerror(self)).lowercased() }
}
