import Foundation
import JSONCoding
package import LearningModel

/// Stores the contents and images of a draft in a temporary file while a reader processes its source. The memory use is
/// independent of the size of the course.
///
/// The file is unlinked immediately. Its space is freed when the spool and all ``SpooledContents`` are released.
package struct ContentSpool {
  private let file: SpoolFile
  private var records: [Int: Record] = [:]
  private var images: [String: Record] = [:]
  private var end = 0
  private var pending: [UInt8] = []

  fileprivate struct Record {
    let offset: Int
    let length: Int
    var properties: StoredContent.Properties?
  }

  /// The number of bytes that are collected before they are written.
  private static let chunk = 256 << 10

  /// Makes an empty spool.
  ///
  /// - Throws: ``CourseFormatError/noTemporarySpace(reason:)``.
  package init() throws {
    file = try SpoolFile()
  }

  /// Stores the content of the node at the given index. Replaces earlier content of the node.
  ///
  /// - Throws: ``CourseFormatError/noTemporarySpace(reason:)`` if the disk is full.
  package mutating func store(_ content: ActivityContent, at index: Int) throws {
    // JSON encoding fails only for numbers that are not finite, which readers reject.
    let bytes = try! JSONEncoding.sorted(content)
    var record = try append(bytes)
    record.properties = StoredContent.Properties(of: content)
    records[index] = record
  }

  /// Stores the bytes of an image.
  ///
  /// - Throws: ``CourseFormatError/noTemporarySpace(reason:)`` if the disk is full.
  package mutating func store(image bytes: [UInt8], digest: String) throws {
    images[digest] = try append(bytes)
  }

  private mutating func append(_ bytes: some Collection<UInt8>) throws -> Record {
    let record = Record(offset: end, length: bytes.count)
    end += bytes.count
    pending.append(contentsOf: bytes)
    if pending.count >= Self.chunk { try flush() }
    return record
  }

  /// Returns the content that was stored for the node at the given index.
  mutating func content(at index: Int) throws -> ActivityContent {
    try flush()
    return try SpooledContents(file: file, records: records, images: images).content(at: index)
  }

  /// Writes the pending bytes and returns the stored contents for reading.
  package mutating func finish() throws -> SpooledContents {
    try flush()
    return SpooledContents(file: file, records: records, images: images)
  }

  private mutating func flush() throws {
    guard !pending.isEmpty else { return }
    try file.append(pending)
    pending.removeAll(keepingCapacity: pending.count < 4 * Self.chunk)
  }
}

/// Contents of activities in a temporary file.
package struct SpooledContents: DraftContents {
  private let file: SpoolFile
  private let records: [Int: ContentSpool.Record]
  private let images: [String: ContentSpool.Record]

  fileprivate init(file: SpoolFile, records: [Int: ContentSpool.Record], images: [String: ContentSpool.Record]) {
    self.file = file
    self.records = records
    self.images = images
  }

  /// Returns the content of the node at the given index, or an empty reading if the node has no content.
  package func content(at index: Int) throws -> ActivityContent {
    guard let record = records[index] else { return .reading([]) }
    return try JSONDecoding.decode(ActivityContent.self, from: file.read(from: record.offset, count: record.length))
  }

  /// Returns the stored form of the content of the node at the given index, without decoding it. If the node has no
  /// content, returns the form of an empty reading.
  package func encoded(at index: Int) throws -> StoredContent {
    guard let record = records[index], let properties = record.properties else {
      return try StoredContent(try content(at: index))
    }
    let bytes = try file.read(from: record.offset, count: record.length)
    return StoredContent(properties, json: String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the bytes of the image with the given digest, or `nil` if the image is not stored.
  package func image(_ digest: String) throws -> [UInt8]? {
    try images[digest].map { try file.read(from: $0.offset, count: $0.length) }
  }
}

/// An unlinked file with appending writes and reads at any offset.
private final class SpoolFile: Sendable {
  private let descriptor: CInt

  init() throws {
    let pattern = FileManager.default.temporaryDirectory.path + "/waymark-XXXXXX"
    var path = Array(pattern.utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Self.failure() }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  deinit {
    close(descriptor)
  }

  func append(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let step = write(descriptor, buffer.baseAddress! + written, buffer.count - written)
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw Self.failure() }
        written += step
      }
    }
  }

  func read(from offset: Int, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count {
        let step = pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset + done))
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw Self.failure() }
        done += step
      }
    }
  }

  private static func failure() -> CourseFormatError {
    .noTemporarySpace(reason: "the system reports '\(String(cString: strerror(errno)))'")
  }
}
