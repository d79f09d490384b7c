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
