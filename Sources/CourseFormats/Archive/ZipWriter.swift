import LibArchive

/// Writes a zip file entry by entry.
final class ZipWriter {
  private let archive: OpaquePointer
  private let sink: ([UInt8]) throws -> Void
  /// The error of the sink. It is stored because it cannot be thrown through libarchive.
  private var failure: (any Error)?

  init(to sink: @escaping ([UInt8]) throws -> Void) throws {
    guard let archive = archive_write_new() else { throw Self.failure("there is not enough memory to write it") }
    self.archive = archive
    self.sink = sink
    archive_write_set_format_zip(archive)
    // Each chunk is passed on immediately. Otherwise libarchive would collect complete blocks.
    archive_write_set_bytes_per_block(archive, 0)
    let code = archive_write_open(
      archive, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, writer, bytes, count in
        guard let writer, let bytes else { return 0 }
        return Unmanaged<ZipWriter>.fromOpaque(writer).takeUnretainedValue().write(bytes, count)
      }, nil)
    guard code == ARCHIVE_OK else { throw reason() }
  }

  deinit { archive_write_free(archive) }

  private func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    guard failure == nil else { return -1 }
    do {
      try sink(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
      return count
    } catch {
      failure = error
      return -1
    }
  }

  /// Begins an entry.
  ///
  /// - Parameters:
  ///   - path: The path of the entry.
  ///   - packed: Whether the entry is compressed. Images are compressed already.
  func begin(_ path: String, packed: Bool) throws {
    try check(
      packed ? archive_write_zip_set_compression_deflate(archive) : archive_write_zip_set_compression_store(archive))
    guard let entry = archive_entry_new() else { throw Self.failure("there is not enough memory to write it") }
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, path)
    // The type is a regular file. The constant is a number, because it is a macro with a cast, which Swift cannot
    // import. No time is set, so that equal courses produce equal bytes.
    archive_entry_set_filetype(entry, 0o100000)
    archive_entry_set_perm(entry, 0o644)
    try check(archive_write_header(archive, entry))
  }

  func add(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
      guard count > 0 else { throw reason() }
      rest = rest.dropFirst(count)
    }
  }

  func finish() throws { try check(archive_write_close(archive)) }

  private func check(_ code: CInt) throws {
    guard code == ARCHIVE_OK || code == ARCHIVE_WARN else { throw reason() }
  }

  private func reason() -> any Error {
    failure ?? Self.failure(archive_error_string(archive).map { "libarchive reports '\(String(cString: $0))'" } ?? "")
  }

  private static func failure(_ reason: String) -> CourseFormatError {
    .badArchive(source: "archive", reason: reason)
  }
}
