import CourseHub
import Foundation
import NIOCore
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Collects an answer of any length. The rest of a long answer is kept in a temporary file, so its memory is bounded.
struct AnswerSpool {
  /// The size of the buffer in bytes. An answer that fits has no file.
  private static let bufferSize = 1_048_576

  private var buffer = ByteBuffer()
  private var file: SpoolFile?
  private var digest = RunningDigest()

  /// Appends a part of the answer.
  ///
  /// - Throws: `POSIXError` if the temporary file cannot be written.
  mutating func append(_ text: String) throws {
    var text = text
    text.withUTF8 { bytes in
      buffer.writeBytes(bytes)
      digest.add(UnsafeRawBufferPointer(bytes))
    }
    if buffer.readableBytes > Self.bufferSize { try flush() }
  }

  /// Returns the whole answer. Nothing may be appended any more.
  mutating func finish() throws -> SpooledAnswer {
    guard let file else { return SpooledAnswer(digest: digest.text, content: .memory(buffer)) }
    try flush()
    return SpooledAnswer(digest: digest.text, content: .file(file))
  }

  private mutating func flush() throws {
    let target = try file ?? SpoolFile()
    file = target
    try target.append(buffer)
    buffer.clear()
  }
}

/// A complete answer.
struct SpooledAnswer: Sendable {
  enum Content: Sendable {
    case memory(ByteBuffer)
    case file(SpoolFile)
  }

  /// SHA-256 of the answer, in hexadecimal digits.
  let digest: String
  let content: Content
}

/// A temporary file without a name. The system removes it when it is closed, also after a crash.
final class SpoolFile: Sendable {
  private let descriptor: CInt
  private let size = Atomic(0)

  /// The number of bytes in the file.
  var byteCount: Int { size.load(ordering: .acquiring) }

  init() throws {
    var path = Array((FileManager.default.temporaryDirectory.path + "/waymark-answer-XXXXXX").utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    unlink(path)
  }

  deinit { close(descriptor) }

  /// Appends bytes. Only one thread may append.
  func append(_ buffer: ByteBuffer) throws {
    var offset = byteCount
    try buffer.withUnsafeReadableBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(offset))
        guard count > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        rest = rest.dropFirst(count)
        offset += count
      }
    }
    size.store(offset, ordering: .releasing)
  }

  /// Returns up to `count` bytes from an offset.
  func bytes(at offset: Int, upTo count: Int) throws -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: count)
    let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
      max(0, pread(descriptor, bytes.baseAddress, count, off_t(offset)))
    }
    guard read > 0 else { throw POSIXError(.EIO) }
    return buffer
  }
}
