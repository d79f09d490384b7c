import Foundation
import LibZstd

/// Decompresses zstd files in chunks, so that memory does not depend on their size.
///
/// Source: RFC 8878, 3.1.
enum Zstandard {
  /// The binary logarithm of the largest window that a file may require. A larger window needs more memory.
  ///
  /// Source: zstd.h, `ZSTD_WINDOWLOG_LIMIT_DEFAULT`.
  private static let windowLog: CInt = 27

  /// Decompresses a file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file: one or several frames.
  ///   - name: The name of the file in errors.
  ///   - sink: Receives the decompressed bytes in chunks. Returns whether to continue.
  /// - Throws: ``CourseFormatError/malformed(file:line:problem:advice:)`` if the file is damaged or incomplete, and the
  ///   errors of `sink`.
  static func decompress(_ bytes: [UInt8], of name: String, to sink: ([UInt8]) throws -> Bool) throws {
    guard let context = ZSTD_createDCtx() else { throw damaged(name, "there is not enough memory to decompress it") }
    defer { ZSTD_freeDCtx(context) }
    _ = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, windowLog)
    var chunk = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())
    var position = 0
    var remaining = 1
    while position < bytes.count {
      let (code, read, written) = bytes.withUnsafeBytes { source in
        chunk.withUnsafeMutableBytes { target in
          var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: position)
          var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
          let code = ZSTD_decompressStream(context, &output, &input)
          return (code, input.pos, output.pos)
        }
      }
      guard ZSTD_isError(code) == 0 else {
        throw damaged(name, "zstd reports '\(String(cString: ZSTD_getErrorName(code)))'")
      }
      guard read > position || written > 0 else { break }
      position = read
      remaining = code
      if written > 0, try !sink(Array(chunk[..<written])) { return }
    }
    // The decoder may still hold output after it has read all input.
    while remaining != 0 {
      let (code, written) = chunk.withUnsafeMutableBytes { target in
        var input = ZSTD_inBuffer(src: nil, size: 0, pos: 0)
        var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
        return (ZSTD_decompressStream(context, &output, &input), output.pos)
      }
      guard ZSTD_isError(code) == 0, written > 0 else { throw damaged(name, "it is incomplete") }
      remaining = code
      if try !sink(Array(chunk[..<written])) { return }
    }
  }

  /// Decompresses a file into memory.
  ///
  /// - Parameter limit: The maximum number of decompressed bytes. A larger file is cut off after one more byte.
  static func bytes(of bytes: [UInt8], named name: String, limit: Int) throws -> [UInt8] {
    var result: [UInt8] = []
    try decompress(bytes, of: name) { chunk in
      result += chunk.prefix(limit + 1 - result.count)
      return result.count <= limit
    }
    return result
  }

  private static func damaged(_ name: String, _ problem: String) -> CourseFormatError {
    .malformed(file: name, line: nil, problem: problem, advice: AnkiPackage.advice)
  }
}
