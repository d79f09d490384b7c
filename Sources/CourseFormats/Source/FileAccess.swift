import Foundation

/// The file system functions that readers need.
enum FileAccess {
  /// The kind of the item at a path, after symbolic links are resolved. A pipe or a device is treated as a file until
  /// it is read.
  enum Kind {
    case file, folder, missing
  }

  static func kind(at path: String) -> Kind {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return .missing }
    return isFolder.boolValue ? .folder : .file
  }

  /// Returns the path without symbolic links, `.` and `..`, or `nil` if nothing exists at the path or it is not valid
  /// UTF-8.
  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }

  /// Returns the content of a symbolic link as written, or `nil` if the path is not a symbolic link.
  static func linkTarget(at path: String) -> String? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let length = target.withUnsafeMutableBytes { buffer in
      readlink(path, buffer.baseAddress!.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return length < 0 ? nil : String(decoding: target.prefix(length), as: UTF8.self)
  }

  /// Reads a regular file completely.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - file: The file name for errors.
  ///   - limit: The maximum size in bytes.
  ///   - broken: The limit to report if the file is larger.
  static func read(_ path: String, as file: String, limit: Int, broken: ExceededLimit) throws -> [UInt8] {
    let descriptor = try open(path, as: file)
    defer { close(descriptor) }
    // Pipes are rejected, because they have no position. Devices have the size 0, so they are read as empty files.
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0, lseek(descriptor, 0, SEEK_SET) == 0, kind(at: path) == .file else {
      throw CourseFormatError.notAFile(file: file)
    }
    guard size <= limit else { throw CourseFormatError.limit(broken, file: file, line: nil) }

    // The memory is not zeroed first. `count` is the number of initialised bytes.
    return try [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
      while count < buffer.count {
        let step = Foundation.read(descriptor, buffer.baseAddress! + count, buffer.count - count)
        if step < 0, errno == EINTR { continue }
        guard step >= 0 else { throw failure(errno, file: file) }
        if step == 0 { break }
        count += step
      }
    }
  }

  /// Returns up to `count` bytes from the beginning of a file. Empty if the file cannot be read.
  static func head(of path: String, count: Int) -> [UInt8] {
    guard let descriptor = try? open(path, as: path) else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let length = Foundation.read(descriptor, &bytes, count)
    return Array(bytes.prefix(max(0, length)))
  }

  /// Returns the size of a file in bytes, or 0 if it cannot be opened.
  static func size(of path: String) -> Int {
    guard let descriptor = try? open(path, as: path) else { return 0 }
    defer { close(descriptor) }
    return max(0, Int(lseek(descriptor, 0, SEEK_END)))
  }

  private static func open(_ path: String, as file: String) throws -> CInt {
    // Without `O_NONBLOCK`, opening a named pipe would wait until another process writes to it.
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno, file: file) }
    return descriptor
  }

  /// Returns the names in a folder, ordered by their bytes. The names need not be UTF-8.
  static func names(in path: String, as folder: String) throws -> [[UInt8]] {
    guard let handle = opendir(path) else { throw failure(errno, file: folder) }
    defer { closedir(handle) }
    var names: [[UInt8]] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != [UInt8(ascii: ".")], name != Array("..".utf8) { names.append(name) }
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  static func failure(_ code: CInt, file: String) -> CourseFormatError {
    switch code {
    // Names that are too long and circular links are reported as missing files too.
    case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: .fileMissing(file: file)
    case EACCES, EPERM: .noPermission(path: file)
    default: .readFailed(path: file, reason: "the system reports '\(String(cString: strerror(code)))'")
    }
  }
}

/// A temporary folder, for example for an unpacked archive. It is removed when the last reference is released.
final class TemporaryFolder: Sendable {
  /// The absolute path, without symbolic links.
  let path: String

  /// Makes an empty folder that only the current user can access.
  ///
  /// - Throws: ``CourseFormatError/noTemporarySpace(reason:)``.
  init() throws {
    let pattern = FileManager.default.temporaryDirectory.path + "/waymark-XXXXXX"
    var bytes = Array(pattern.utf8CString)
    guard mkdtemp(&bytes) != nil else {
      throw CourseFormatError.noTemporarySpace(reason: "the system reports '\(String(cString: strerror(errno)))'")
    }
    let made = bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    path = FileAccess.realPath(made) ?? made
  }

  deinit { remove() }

  /// Removes the folder and its content.
  func remove() {
    // Errors are ignored, because the caller could not handle them and the system deletes temporary files itself.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of the content: the only file or folder in this folder or, if there are several, this folder itself.
  var content: String {
    let names = ((try? FileAccess.names(in: path, as: path)) ?? [])
      .map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix(".") }
    return names.count == 1 ? path + "/" + names[0] : path
  }
}
