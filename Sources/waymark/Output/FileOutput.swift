#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that is written piece by piece, and is there only when all of it is.
final class FileOutput {
  private let name: OutputName
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isFinished = false

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - name: What it is called when it is whole.
  ///   - isPrivate: Whether it holds a person's history, and only its owner may read it.
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
      throw CommandFailure.cannotCreate(file: name.path, reason: OutputName.words(errno))
    }
  }

  deinit {
    close(descriptor)
    if let temporary = name.temporary, !isFinished { unlink(temporary) }
  }

  /// Adds a piece.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 64 * 1024 { try flush() }
  }

  /// Adds bytes.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func write(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count > 64 * 1024 { try flush() }
  }

  /// Ends the file, and gives it its name.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func finish() throws {
    try flush()
    if name.temporary != nil, fsync(descriptor) != 0 { throw failure() }
    isFinished = true
    try name.take()
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

  private func failure() -> CommandFailure { .cannotWrite(file: name.path, reason: OutputName.words(errno)) }
}

/// The system's `write`, apart from the methods of the same name.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
  Glibc.write(descriptor, bytes, count)
  #else
  Darwin.write(descriptor, bytes, count)
  #endif
}

/// The name under which a command writes a file, such that nothing is lost that stands there.
///
/// What is written stands beside it until all of it is there, and then takes the name: a link is replaced, and never
/// written through.
struct OutputName {
  /// What was asked for.
  let path: String
  /// Where the file is until it is whole; `nil` for what is no ordinary file, such as a pipe, and written to directly.
  let temporary: String?
  private let replaces: Bool

  /// What becomes of a file that has the name.
  enum Replacing {
    /// It is kept.
    case never
    /// It is kept, unless the person at the terminal says otherwise.
    case asking
    /// It goes.
    case always
  }

  /// Looks what stands there.
  ///
  /// - Parameters:
  ///   - path: Where the file shall be, in a folder that is there.
  ///   - database: The database that is in use: neither it nor its log is ever written over.
  ///   - replacing: What becomes of a file that is there.
  /// - Returns: `nil` where the person at the terminal said no.
  /// - Throws: ``CommandFailure/isDatabase(file:)``, ``CommandFailure/fileExists(file:)`` or
  ///   ``CommandFailure/cannotCreate(file:reason:)``.
  init?(_ path: String, database: String, replacing: Replacing) throws {
    self.path = path
    guard !Self.isPart(path, of: database) else { throw CommandFailure.isDatabase(file: path) }
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
      throw CommandFailure.cannotCreate(file: path, reason: Self.words(errno))
    }
    guard replaces, replacing != .always else { return }
    guard replacing == .asking, Question.isPossible else { throw CommandFailure.fileExists(file: path) }
    guard try Question.ask("Replace '\(path)'?", orFail: "replace '\(path)'") else { return nil }
  }

  /// Gives the file that was written its name.
  ///
  /// - Throws: ``CommandFailure``. The file is then taken away.
  func take() throws {
    guard let temporary else { return }
    // A name that was free stays so until now, or another program has it.
    let isTaken = !replaces && link(temporary, path) == 0
    let found = errno
    if isTaken || !replaces && found == EEXIST { unlink(temporary) }
    if !isTaken, !replaces, found == EEXIST { throw CommandFailure.fileExists(file: path) }
    // Some file systems have no links.
    guard isTaken || rename(temporary, path) == 0 else {
      defer { unlink(temporary) }
      throw CommandFailure.cannotWrite(file: path, reason: Self.words(errno))
    }
  }

  /// Takes the file away again where nothing was written into it.
  func discardIfEmpty() {
    var status = stat()
    if temporary != nil, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 {
      unlink(path)
    }
  }

  /// Whether a path leads to a database or to what SQLite keeps beside it, by whatever name.
  private static func isPart(_ path: String, of database: String) -> Bool {
    let real = realpath(database, nil)
    defer { free(real) }
    let whole = real.map { String(cString: $0) } ?? database
    let parts = ["", "-wal", "-shm", "-journal"].map { whole + $0 }
    if let identity = identity(of: path), parts.contains(where: { Self.identity(of: $0) == identity }) { return true }
    // What is not there yet can only be of its name.
    let (folder, name) = split(path)
    guard let place = identity(of: folder), place == identity(of: split(whole).folder) else { return false }
    return parts.contains { split($0).name == name }
  }

  private static func identity(of path: String) -> [UInt64]? {
    var status = stat()
    return stat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }

  private static func split(_ path: String) -> (folder: String, name: Substring) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), path[path.index(after: slash)...])
  }

  /// The operating system's words for an error.
  static func words(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}
