import Foundation
package import LearningModel

/// A reason why a work folder cannot be used.
package enum WorkFolderError: Error, Hashable, Sendable {
  /// A file or folder is a symbolic link, or of the wrong kind.
  case wrongKind(String)
  /// A file cannot be read or written; `reason` is the system's message.
  case failed(String, reason: String)
  /// A folder of kept files is missing.
  case missing(String)
  /// The learner's file is larger than ``FolderHandle/maximumBytes``.
  case tooLarge(String)
  /// The content of one of the author's files is not stored.
  case notStored(String, of: String)
  /// Another program checks or writes the exercise in this folder.
  case inUse(String)
  /// The folder was removed while a check ran in it.
  case removed(String)
}

extension WorkFolderError: ExplainedError {
  package var kind: FailureKind {
    switch self {
    case .wrongKind, .tooLarge, .notStored: .badData
    case .failed: .inputOutput
    case .missing, .removed: .notFound
    case .inUse: .tryAgain
    }
  }

  package var description: String {
    switch self {
    case .wrongKind(let path):
      "Could not use \(quoted: path): it is a link, or not the expected kind of file. Move it away, or start the exercise again."
    case .failed(let path, let reason):
      "Could not use \(quoted: path): \(reason). Check the folder's permissions and the free space, and try again."
    case .missing(let path): "Could not find the kept files in \(quoted: path). They cannot be brought back."
    case .tooLarge(let path):
      "Could not read \(quoted: path): it has more than \(FolderHandle.maximumBytes >> 20) MiB. Make it shorter."
    case .notStored(let file, let exercise):
      "Could not write \(quoted: file) of \(quoted: exercise): its content is not stored. Import the course again."
    case .inUse(let path):
      "Could not use \(quoted: path): another program checks the exercise. Wait until the check has ended, and try again."
    case .removed(let path):
      "Could not check the exercise: \(quoted: path) was removed during the check. Check again, which writes the author's files."
    }
  }
}

/// An open folder, below which files are opened without following symbolic links.
final class FolderHandle {
  /// The maximum size of a file that is read, in bytes. The author's files are smaller.
  static let maximumBytes = 8 << 20

  private let descriptor: Int32
  private let path: String

  /// Opens a folder. Returns `nil` if it does not exist.
  ///
  /// - Throws: ``WorkFolderError``.
  init?(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor < 0 else { return }
    guard errno == ENOENT else { throw Self.failure(path) }
    return nil
  }

  /// Opens a folder, and creates it and the folders above it if they are missing. Only the user can read new folders.
  ///
  /// - Throws: ``WorkFolderError``.
  init(creating path: String) throws {
    self.path = path
    for end in path.indices where path[end] == "/" && end > path.startIndex { mkdir(String(path[..<end]), 0o700) }
    mkdir(path, 0o700)
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Locks the folder until the handle is released, so that only one program at a time writes or checks there. A file system
  /// without locks allows it at once.
  ///
  /// - Parameter duration: The time to wait for another program.
  /// - Throws: ``WorkFolderError/inUse(_:)``.
  func lock(waiting duration: Duration = .zero) throws {
    let end = ContinuousClock.now + duration
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      guard ContinuousClock.now < end else { throw WorkFolderError.inUse(path) }
      usleep(10_000)
    }
  }

  private static func failure(_ path: String) -> WorkFolderError {
    errno == ELOOP || errno == ENOTDIR || errno == EISDIR
      ? .wrongKind(path) : .failed(path, reason: String(cString: strerror(errno)))
  }

  private func failure(_ relative: String) -> WorkFolderError { Self.failure("\(path)/\(relative)") }

  /// Calls a function with the descriptor of the folder that contains a file, and the file's name.
  private func withParent<Result>(
    of relative: String, creating: Bool, _ body: (_ folder: Int32, _ name: String) throws -> Result
  ) throws -> Result? {
    let names = relative.split(separator: "/").map(String.init)
    var folder = dup(descriptor)
    defer { close(folder) }
    for name in names.dropLast() {
      if creating { mkdirat(folder, name, 0o755) }
      let child = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard child >= 0 else {
        if errno == ENOENT { return nil }
        throw failure(relative)
      }
      close(folder)
      folder = child
    }
    return try body(folder, names.last ?? "")
  }

  /// Returns the bytes of a file, or `nil` if it does not exist.
  ///
  /// - Throws: ``WorkFolderError``.
  func bytes(of relative: String) throws -> [UInt8]? {
    try withParent(of: relative, creating: false) { folder, name in
      // A named pipe would block without O_NONBLOCK.
      let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else {
        if errno == ENOENT { return nil }
        throw failure(relative)
      }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw failure(relative) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw WorkFolderError.wrongKind("\(path)/\(relative)") }
      guard status.st_size <= Self.maximumBytes else { throw WorkFolderError.tooLarge("\(path)/\(relative)") }
      var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
      var count = 0
      while count < bytes.count {
        let step = read(file, &bytes[count], bytes.count - count)
        if step < 0, errno == EINTR { continue }
        guard step >= 0 else { throw failure(relative) }
        if step == 0 { break }
        count += step
      }
      return Array(bytes[..<count])
    } ?? nil
  }

  /// Writes a file completely or not at all. Replaces an existing file or link of this name, but no folder.
  ///
  /// - Throws: ``WorkFolderError``.
  func write(_ bytes: [UInt8], to relative: String, isExecutable: Bool) throws {
    _ = try withParent(of: relative, creating: true) { folder, name in
      let new = ".waymark-\(UUID().uuidString)"
      let file = openat(folder, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, isExecutable ? 0o755 : 0o644)
      guard file >= 0 else { throw failure(relative) }
      var count = 0
      while count < bytes.count {
        let step = bytes[count...].withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
        if step < 0, errno == EINTR { continue }
        if step <= 0 { break }
        count += step
      }
      let error = count < bytes.count ? errno : 0
      guard close(file) == 0, error == 0, renameat(folder, new, folder, name) == 0 else {
        let reason = error == 0 ? errno : error
        unlinkat(folder, new, 0)
        errno = reason
        throw failure(relative)
      }
    }
  }

  /// Removes a file or a link.
  ///
  /// - Throws: ``WorkFolderError``.
  func remove(_ relative: String) throws {
    _ = try withParent(of: relative, creating: false) { folder, name in
      guard unlinkat(folder, name, 0) == 0 || errno == ENOENT else { throw failure(relative) }
    }
  }

  /// Removes a file, a link, or a folder with its content.
  ///
  /// - Throws: ``WorkFolderError``.
  func removeAll(_ relative: String) throws {
    _ = try withParent(of: relative, creating: false) { folder, name in
      if unlinkat(folder, name, 0) == 0 || errno == ENOENT { return }
      guard errno == EISDIR || errno == EPERM || errno == ENOTEMPTY else { throw failure(relative) }
      let child = try FolderHandle(child: name, of: folder, path: "\(path)/\(relative)")
      for entry in child.names() { try child.removeAll(entry) }
      guard unlinkat(folder, name, AT_REMOVEDIR) == 0 else { throw failure(relative) }
    }
  }

  private init(child name: String, of folder: Int32, path: String) throws {
    self.path = path
    descriptor = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
  }

  /// Returns the names in the folder.
  private func names() -> [String] {
    guard let entries = fdopendir(openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns the paths of the hidden files and folders, without those in hidden folders. Enters at most 64 levels.
  ///
  /// Does not enter `node_modules`: npm needs its hidden files, and the other files there are programs of packages too.
  func hiddenPaths(below prefix: String = "", levels: Int = 64) -> [String] {
    names().flatMap { name -> [String] in
      if name.hasPrefix(".") { return [prefix + name] }
      if name == "node_modules" { return [] }
      var status = stat()
      guard levels > 0, fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_mode & S_IFMT == S_IFDIR,
        let child = try? FolderHandle(child: name, of: descriptor, path: "\(path)/\(name)")
      else { return [] }
      return child.hiddenPaths(below: "\(prefix)\(name)/", levels: levels - 1)
    }
  }
}
