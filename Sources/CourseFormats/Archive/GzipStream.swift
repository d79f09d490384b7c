import LibArchive
import Zlib

/// Hands libarchive what a gzip file holds. libarchive could unpack it itself, but checks nothing: zlib compares checksum
/// and length at its end.
///
/// Source: RFC 1952, 2.3.1, CRC32 and ISIZE.
final class GzipStream {
  private let file: gzFile
  private let path: String
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  /// What zlib says is wrong with the file; `nil` where nothing is, so far.
  private(set) var failure: String?

  /// Opens a file; `nil` where the system does not let us.
  init?(_ path: String) {
    guard let file = gzopen(path, "rb") else { return nil }
    self.file = file
    self.path = path
  }

  deinit {
    gzclose(file)
    buffer.deallocate()
  }

  /// Unpacks the next bytes into the buffer.
  ///
  /// - Returns: How many; 0 at the end, where the checksum holds, and less where the file is broken.
  func read() -> Int {
    let count = Int(gzread(file, buffer.baseAddress, UInt32(buffer.count)))
    var code: CInt = 0
    let words = gzerror(file, &code)
    // A file that is cut off ends here without another sign.
    if count < 0 || code == Z_BUF_ERROR {
      // zlib puts the path before its words.
      let said = words.map { String(cString: $0) } ?? "data error"
      failure = said.hasPrefix(path + ": ") ? String(said.dropFirst(path.count + 2)) : said
    }
    return failure == nil ? count : -1
  }

  /// Has libarchive read from it, as long as it lives.
  func open(in archive: OpaquePointer) -> CInt {
    archive_read_open(
      archive, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, stream, bytes in
        let stream = Unmanaged<GzipStream>.fromOpaque(stream!).takeUnretainedValue()
        let count = stream.read()
        bytes?.pointee = UnsafeRawPointer(stream.buffer.baseAddress)
        return count
      }, nil)
  }
}
