import Foundation
package import LearningModel

/// Keeps the contents of a draft and its pictures in a temporary file while a reader goes through its source, so that a course of any
/// size takes the memory of one activity.
///
/// The file has no name: it is gone when the last one who reads it is.
package struct ContentSpool {
  private let file: SpoolFile
  private var records: [Int: Record] = [:]
  private var pictures: [String: Record] = [:]
  private var end = 0
  private var pending: [UInt8] = []
  private let encoder = JSONEncoder()

  fileprivate struct Record {
    let offset: Int
    let length: Int
  }

  /// How many bytes are gathered before they are written.
  private static let chunk = 256 << 10

  /// Makes an empty spool.
  ///
  /// - Throws: ``CourseFormatError/noTemporarySpace(reason:)``.
  package init() throws {
    file = try SpoolFile()
  }

  /// Keeps the content of the node at that index; a second time, in place of the first.
  ///
  /// - Throws: ``CourseFormatError/noTemporarySpace(reason:)`` where the disk is full.
  package mutating func keep(_ content: ActivityContent, at index: Int) throws {
    // A content has texts, truths and numbers that its reader has found finite; an encoder of JSON refuses no others.
    let bytes = try! encoder.encode(content)
    records[index] = try append(bytes)
  }

  /// Keeps the bytes of a picture.
  ///
  /// - Throws: ``CourseFormatError/noTemporarySpace(reason:)`` where the disk is full.
  package mutating func keep(picture bytes: [UInt8], digest: String) throws {
    pictures[digest] = try append(bytes)
  }

  private mutating func append(_ bytes: some Collection<UInt8>) throws -> Record {
    let record = Record(offset: end, length: bytes.count)
    end += bytes.count
    pending.append(contentsOf: bytes)
    if pending.count >= Self.chunk { try flush() }
    return record
  }

  /// The content that was kept for that index.
  mutating func content(at index: Int) throws -> ActivityContent {
    try flush()
    return try SpooledContents(file: file, records: records, pictures: pictures).content(at: index)
  }

  /// What was kept, to be read from now on.
  package mutating func finish() throws -> SpooledContents {
    try flush()
    return SpooledContents(file: file, records: records, pictures: pictures)
  }

  private mutating func flush() throws {
    guard !pending.isEmpty else { return }
    try file.append(pending)
    pending.removeAll(keepingCapacity: pending.count < 4 * Self.chunk)
  }
}

/// Contents in a temporary file.
package struct SpooledContents: DraftContents {
  private let file: SpoolFile
  private let records: [Int: ContentSpool.Record]
  private let pictures: [String: ContentSpool.Record]

  fileprivate init(file: SpoolFile, records: [Int: ContentSpool.Record], pictures: [String: ContentSpool.Record]) {
    self.file = file
    self.records = records
    self.pictures = pictures
  }

  /// The content of the node at that index; an empty reading where it has none.
  package func content(at index: Int) throws -> ActivityContent {
    guard let record = records[index] else { return .reading([]) }
    let bytes = try file.read(from: record.offset, count: record.length)
    return try JSONDecoder().decode(ActivityContent.self, from: bytes)
  }

  /// The bytes of the picture of that digest.
  package func picture(_ digest: String) throws -> [UInt8]? {
    try pictures[digest].map { Array(try file.read(from: $0.offset, count: $0.length)) }
  }
}

/// A file without a name, written at its end and read anywhere.
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

  func read(from offset: Int, count: Int) throws -> Data {
    var data = Data(count: count)
    try data.withUnsafeMutableBytes { buffer in
      var done = 0
      while done < count {
        let step = pread(descriptor, buffer.baseAddress! + done, count - done, off_t(offset + done))
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw Self.failure() }
        done += step
      }
    }
    return data
  }

  private static func failure() -> CourseFormatError {
    .noTemporarySpace(reason: "the system says '\(String(cString: strerror(errno)))'")
  }
}
