import Foundation
import LearningModel
import LibArchive
import Pictures

/// Waymark's JSON form with the pictures of its texts, in a zip: `course.json`, and `pictures/` with a file for each,
/// called by its digest.
///
/// Law: what ``WaymarkReader`` reads of it has the same nodes, contents and language, and the same bytes of each picture.
public enum WaymarkArchive {
  /// The file with the course.
  static let course = "course.json"
  /// The folder of the pictures.
  static let folder = "pictures"
  /// What the names of pictures may end with.
  static let extensions = ["png", "jpg", "webp", "gif", "svg"]

  /// Writes the zip.
  ///
  /// - Parameters:
  ///   - pictures: The digests of the pictures, in the order in which they are written.
  ///   - bytes: Returns the file of a picture; `nil` where it is not there any more.
  ///   - write: Writes the JSON, by what it is given.
  ///   - sink: Takes the zip piece by piece.
  /// - Throws: What `bytes`, `write` and `sink` throw, and ``CourseFormatError/badArchive(source:reason:)``.
  public static func write(
    pictures: [String], bytes: (String) throws -> [UInt8]?, json write: ((String) throws -> Void) throws -> Void,
    to sink: @escaping ([UInt8]) throws -> Void
  ) throws {
    let zip = try ZipWriter(to: sink)
    try zip.begin(course, packed: true)
    var waiting: [UInt8] = []
    try write { text in
      waiting += text.utf8
      if waiting.count >= 64 << 10 {
        try zip.add(waiting)
        waiting.removeAll(keepingCapacity: true)
      }
    }
    try zip.add(waiting)
    for digest in pictures {
      guard let bytes = try bytes(digest) else { continue }
      try zip.begin(folder + "/" + digest + "." + ending(of: bytes), packed: false)
      try zip.add(bytes)
    }
    try zip.finish()
  }

  /// What the name of a picture ends with.
  public static func ending(of bytes: [UInt8]) -> String {
    switch PictureFormat(firstBytes: Array(bytes.prefix(12))) {
    case .png: "png"
    case .jpeg: "jpg"
    case .webp: "webp"
    case .gif: "gif"
    case nil: "svg"
    }
  }
}

/// Writes a zip entry by entry.
private final class ZipWriter {
  private let archive: OpaquePointer
  private let sink: ([UInt8]) throws -> Void
  /// What the sink threw while libarchive wrote, which takes no Swift error.
  private var failure: (any Error)?

  init(to sink: @escaping ([UInt8]) throws -> Void) throws {
    guard let archive = archive_write_new() else { throw Self.failure("there is not enough memory to write it") }
    self.archive = archive
    self.sink = sink
    archive_write_set_format_zip(archive)
    // Pieces as they come: nothing is filled up to a block.
    archive_write_set_bytes_per_block(archive, 0)
    let code = archive_write_open(
      archive, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, writer, bytes, count in
        guard let writer, let bytes else { return 0 }
        return Unmanaged<ZipWriter>.fromOpaque(writer).takeUnretainedValue().take(bytes, count)
      }, nil)
    guard code == ARCHIVE_OK else { throw reason() }
  }

  deinit { archive_write_free(archive) }

  private func take(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    guard failure == nil else { return -1 }
    do {
      try sink(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
      return count
    } catch {
      failure = error
      return -1
    }
  }

  /// Begins a file.
  ///
  /// - Parameter packed: Whether it is compressed; pictures are already.
  func begin(_ path: String, packed: Bool) throws {
    try check(
      packed ? archive_write_zip_set_compression_deflate(archive) : archive_write_zip_set_compression_store(archive))
    guard let entry = archive_entry_new() else { throw Self.failure("there is not enough memory to write it") }
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, path)
    // A plain file; the macro has a cast in it. No time is set, so that equal courses give equal bytes.
    archive_entry_set_filetype(entry, 0o100000)
    archive_entry_set_perm(entry, 0o644)
    try check(archive_write_header(archive, entry))
  }

  /// Adds to the file that was begun last.
  func add(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
      guard count > 0 else { throw reason() }
      rest = rest.dropFirst(count)
    }
  }

  /// Ends the zip.
  func finish() throws { try check(archive_write_close(archive)) }

  private func check(_ code: CInt) throws {
    guard code == ARCHIVE_OK || code == ARCHIVE_WARN else { throw reason() }
  }

  private func reason() -> any Error {
    failure ?? Self.failure(archive_error_string(archive).map { "libarchive says '\(String(cString: $0))'" } ?? "")
  }

  private static func failure(_ reason: String) -> CourseFormatError {
    .badArchive(source: WaymarkArchive.course, reason: reason)
  }
}
