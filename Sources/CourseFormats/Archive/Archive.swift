import Foundation
import LearningModel
import LibArchive
import Zlib

/// Unpacks zip, tar and tar.gz archives with libarchive.
///
/// libarchive does not check names, links and sizes. Every name and every byte count is therefore checked here.
/// ``GzipStream`` checks checksums, and ``ZipDirectory`` checks the central directory.
enum Archive {
  /// Returns whether the file begins like a zip, gzip or tar file.
  ///
  /// Source: PKWARE APPNOTE 4.3.7 and 4.3.16; RFC 1952, 2.3.1; POSIX ustar, `magic` at 257.
  static func isArchive(at path: String) -> Bool {
    let bytes = FileAccess.head(of: path, count: 512)
    return bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
      || bytes.starts(with: gzipMagic) || bytes.dropFirst(257).starts(with: Array("ustar".utf8))
  }

  /// Returns whether a file is a single file that gzip has compressed, such as `ls.1.gz`, and not an archive.
  static func isCompressedFile(at path: String, name: String) -> Bool {
    guard FileAccess.head(of: path, count: 2) == gzipMagic,
      !["tar.gz", "tgz"].contains(where: { SourcePath.hasExtension($0, name) })
    else { return false }
    // A damaged file is reported as a damaged archive.
    guard let stream = GzipStream(path), case let count = stream.read(), count >= 0 else { return false }
    return !stream.bytes(count).dropFirst(257).starts(with: Array("ustar".utf8))
  }

  /// Decompresses a single file into a temporary folder.
  ///
  /// - Parameter name: The name of the decompressed file.
  /// - Throws: ``CourseFormatError`` if the file is damaged or too large, and the errors of `check`.
  static func decompress(
    _ path: String, as name: String, limits: SourceLimits, check: () throws -> Void
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var content = Data()
    guard let stream = GzipStream(path) else { throw FileAccess.failure(errno, file: name) }
    while true {
      try check()
      let count = stream.read()
      guard count >= 0 else {
        throw CourseFormatError.badArchive(
          source: name, reason: "reading it failed with \(quoted: stream.failure ?? "")")
      }
      if count == 0 { break }
      content += stream.bytes(count)
      guard content.count <= limits.sourceSize else {
        throw CourseFormatError.limit(.sourceSize(limits.sourceSize), file: name, line: nil)
      }
    }
    guard FileManager.default.createFile(atPath: folder.path + "/" + name, contents: content) else {
      throw CourseFormatError.noTemporarySpace(reason: "the decompressed file could not be written")
    }
    return folder
  }

  /// Returns whether a file name is that of a document of Word or OpenDocument, which is technically a zip archive. Such
  /// a file is converted and not unpacked.
  static func isDocument(_ name: String) -> Bool {
    ["docx", "odt"].contains { SourcePath.hasExtension($0, name) }
  }

  /// Unpacks an archive into a temporary folder.
  ///
  /// - Parameters:
  ///   - path: The path of the archive.
  ///   - name: The name of the archive in errors.
  ///   - limits: The limits beyond which an archive is rejected.
  ///   - check: Called before each chunk. If it throws an error, unpacking ends with this error.
  /// - Throws: ``CourseFormatError`` if the archive is damaged, exceeds a limit, or has an entry that is not a regular
  ///   file or folder inside the archive.
  static func unpack(
    _ path: String, name: String, limits: SourceLimits, check: () throws -> Void
  ) throws -> TemporaryFolder {
    // libarchive converts names with the locale of the thread. In the "C" locale, which is the default of a program,
    // non-ASCII names would be lost.
    let unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) ?? newlocale(LC_CTYPE_MASK, "en_US.UTF-8", nil)
    let previous = uselocale(unicode)
    defer {
      _ = uselocale(previous)
      if let unicode { freelocale(unicode) }
    }
    if FileAccess.head(of: path, count: 2) == Array("PK".utf8) { try ZipDirectory.check(path, name: name, limits) }
    guard let archive = archive_read_new() else {
      throw CourseFormatError.badArchive(source: name, reason: "there is not enough memory to open it")
    }
    defer { archive_read_free(archive) }
    archive_read_support_format_tar(archive)
    archive_read_support_format_zip(archive)
    let packed = FileAccess.head(of: path, count: 2) == gzipMagic ? GzipStream(path) : nil
    let code = packed?.open(in: archive) ?? archive_read_open_filename(archive, path, 64 << 10)

    let folder = try TemporaryFolder()
    var unpacking = Unpacking(
      archive: archive, archivePath: packed, name: name, packedSize: FileAccess.size(of: path), limits: limits,
      folder: folder)
    guard code == ARCHIVE_OK else { throw unpacking.corruptArchiveError }
    while try unpacking.next(check) {}
    try unpacking.readToEnd(check)
    return folder
  }

  private static let gzipMagic: [UInt8] = [0x1F, 0x8B]
}

/// The state of unpacking one archive.
private struct Unpacking {
  let archive: OpaquePointer
  /// The stream that decompresses a gzip file; `nil` for other archives.
  let archivePath: GzipStream?
  let name: String
  let packedSize: Int
  let limits: SourceLimits
  let folder: TemporaryFolder
  private var entries = 0
  private var unpacked = 0
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  /// The folders that exist already. Most files are in the same folder as the previous one.
  private var madeFolders: Set<String> = [""]

  init(
    archive: OpaquePointer, archivePath: GzipStream?, name: String, packedSize: Int, limits: SourceLimits,
    folder: TemporaryFolder
  ) {
    self.archive = archive
    self.archivePath = archivePath
    self.name = name
    self.packedSize = packedSize
    self.limits = limits
    self.folder = folder
  }

  /// The ratio limit does not apply to archives that unpack to at most this number of bytes, because repeated bytes can
  /// be compressed to almost nothing.
  private static let ratioExemptBytes = 16 << 20

  // `AE_IFDIR` and `AE_IFREG` are macros with a cast, which Swift cannot import.
  private static let folderType: mode_t = 0o040000
  private static let fileType: mode_t = 0o100000

  /// The error for a damaged archive, with the message of zlib or libarchive.
  var corruptArchiveError: CourseFormatError {
    let words = archivePath?.failure ?? archive_error_string(archive).map { String(cString: $0) }
    return .badArchive(
      source: name, reason: words.map { "reading it failed with \(quoted: $0)" } ?? "the archive is damaged")
  }

  /// Reads the bytes after the last entry, because the checksum is at the end of a gzip file.
  mutating func readToEnd(_ check: () throws -> Void) throws {
    while let archivePath {
      try check()
      let count = archivePath.read()
      guard count >= 0 else { throw corruptArchiveError }
      if count == 0 { return }
      try add(count)
    }
  }

  /// Adds a number to the total of unpacked bytes, and checks the limits.
  private mutating func add(_ count: Int) throws {
    unpacked += count
    guard unpacked <= limits.unpackedSize else {
      throw CourseFormatError.limit(.unpackedSize(limits.unpackedSize), file: name, line: nil)
    }
    guard
      unpacked
        <= max(Self.ratioExemptBytes, packedSize.multipliedReportingOverflow(by: limits.unpackedRatio).partialValue)
    else {
      throw CourseFormatError.limit(.unpackedRatio(limits.unpackedRatio), file: name, line: nil)
    }
  }

  /// Unpacks the next entry, and returns `true`. Returns `false` at the end of the archive.
  mutating func next(_ check: () throws -> Void) throws -> Bool {
    try check()
    var entry: OpaquePointer?
    switch archive_read_next_header(archive, &entry) {
    case ARCHIVE_EOF: return false
    case ARCHIVE_OK, ARCHIVE_WARN: break
    default: throw corruptArchiveError
    }
    guard let entry else { throw corruptArchiveError }
    entries += 1
    guard entries <= limits.entries else {
      throw CourseFormatError.limit(.entries(limits.entries), file: name, line: nil)
    }

    let path = try checkedPath(of: entry)
    // macOS adds a folder `__MACOSX` that contains the metadata of each file.
    if path.isEmpty || path.hasPrefix("__MACOSX/") || path == "__MACOSX" { return true }
    switch archive_entry_filetype(entry) {
    case Self.folderType: try makeFolder(path, for: path)
    case Self.fileType where archive_entry_hardlink(entry) == nil:
      try makeFolder(SourcePath.folder(of: path), for: path)
      try writeFile(folder.path + "/" + path, path, check)
    default:
      throw CourseFormatError.badArchive(
        source: name, reason: "\(quoted: path) in it is a link or a device, and only files and folders are unpacked")
    }
    return true
  }

  /// Returns the path of an entry. Throws an error if the path leads out of the folder or is nested too deeply.
  private func checkedPath(of entry: OpaquePointer) throws -> String {
    guard let raw = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry),
      let path = String(validatingCString: raw)
    else {
      throw CourseFormatError.badArchive(source: name, reason: "entry \(entries) in it has a name that is not UTF-8")
    }
    let parts = path.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
    guard !path.hasPrefix("/"), !parts.contains(".."), let inside = SourcePath.resolve(path, in: "") else {
      throw CourseFormatError.badArchive(
        source: name, reason: "the name \(quoted: path) in it leads outside its folder")
    }
    guard parts.count <= limits.pathDepth + 1 else {
      throw CourseFormatError.limit(.pathDepth(limits.pathDepth), file: name, line: nil)
    }
    return inside
  }

  private mutating func makeFolder(_ inside: String, for path: String) throws {
    guard madeFolders.insert(inside).inserted else { return }
    let target = folder.path + "/" + inside
    do {
      try FileManager.default.createDirectory(
        atPath: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      guard FileAccess.kind(at: target) == .missing else {
        throw CourseFormatError.badArchive(source: name, reason: "\(quoted: path) in it is both a file and a folder")
      }
      throw CourseFormatError.noTemporarySpace(reason: "no folder could be created for \(quoted: path)")
    }
  }

  private mutating func writeFile(_ target: String, _ path: String, _ check: () throws -> Void) throws {
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else {
        throw CourseFormatError.noTemporarySpace(reason: "the system reports '\(String(cString: strerror(errno)))'")
      }
      throw CourseFormatError.badArchive(source: name, reason: "\(quoted: path) occurs in it twice")
    }
    defer { close(descriptor) }
    while true {
      try check()
      let count = archive_read_data(archive, &buffer, buffer.count)
      guard count >= 0 else { throw corruptArchiveError }
      if count == 0 { return }
      try add(count)
      guard write(descriptor, buffer, count) == count else {
        throw CourseFormatError.noTemporarySpace(reason: "the system reports '\(String(cString: strerror(errno)))'")
      }
    }
  }
}

/// Decompresses a gzip file for libarchive.
///
/// libarchive could decompress gzip files itself, but does not verify them. zlib compares the checksum and the length
/// at the end.
///
/// Source: RFC 1952, 2.3.1, CRC32 and ISIZE.
final class GzipStream {
  private let file: gzFile
  private let path: String
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  /// The error message of zlib, or `nil` if there was no error yet.
  private(set) var failure: String?

  /// Opens a file, or returns `nil` if the system reports an error.
  init?(_ path: String) {
    guard let file = gzopen(path, "rb") else { return nil }
    self.file = file
    self.path = path
  }

  deinit {
    gzclose(file)
    buffer.deallocate()
  }

  /// Decompresses the next bytes into the buffer.
  ///
  /// - Returns: The number of bytes; 0 at the end if the checksum is correct; -1 if the file is damaged.
  func read() -> Int {
    let count = Int(gzread(file, buffer.baseAddress, UInt32(buffer.count)))
    var code: CInt = 0
    let words = gzerror(file, &code)
    // zlib reports a truncated file only through this code.
    if count < 0 || code == Z_BUF_ERROR {
      // zlib puts the path before its message.
      let said = words.map { String(cString: $0) } ?? "data error"
      failure = said.hasPrefix(path + ": ") ? String(said.dropFirst(path.count + 2)) : said
    }
    return failure == nil ? count : -1
  }

  /// Returns the first bytes of the buffer.
  func bytes(_ count: Int) -> Slice<UnsafeRawBufferPointer> { UnsafeRawBufferPointer(buffer).prefix(count) }

  /// Makes libarchive read from the stream, which must outlive the archive.
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
