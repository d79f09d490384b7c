#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that is written piece by piece, and is there only when all of it is.
///
/// The pieces go into a file beside it, which takes its name at the end. What is no ordinary file, such as a pipe, is
/// written to directly.
final class FileOutput {
  private let path: String
  private let temporary: String?
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var isFinished = false

  /// Makes the file.
  ///
  /// - Throws: ``CommandFailure/cannotCreate(file:reason:)``.
  init(_ path: String) throws {
    self.path = path
    var status = stat()
    let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    temporary = isSpecial ? nil : "\(path).part-\(getpid())"
    descriptor =
      if let temporary {
        open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
      } else {
        open(path, O_WRONLY | O_CLOEXEC)
      }
    guard descriptor >= 0 else { throw CommandFailure.cannotCreate(file: path, reason: Self.reason()) }
  }

  deinit {
    close(descriptor)
    if let temporary, !isFinished { unlink(temporary) }
  }

  /// Adds a piece.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 64 * 1024 { try flush() }
  }

  /// Ends the file, and gives it its name.
  ///
  /// - Throws: ``CommandFailure/cannotWrite(file:reason:)``.
  func finish() throws {
    try flush()
    if let temporary {
      guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw failure() }
    }
    isFinished = true
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

  private func failure() -> CommandFailure { .cannotWrite(file: path, reason: Self.reason()) }

  private static func reason() -> String { String(cString: strerror(errno)).lowercased() }
}

/// The system's `write`, apart from the methods of the same name.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  #if canImport(Glibc)
  Glibc.write(descriptor, bytes, count)
  #else
  Darwin.write(descriptor, bytes, count)
  #endif
}
