import Foundation
import LibArchive

/// Unpacks zip, tar and tar.gz through libarchive, which hands over names, links and sizes as they stand in the archive.
/// So every name and every byte is checked here.
enum Archive {
  /// Whether the file begins as a zip, gzip or tar does.
  ///
  /// Source: PKWARE APPNOTE 4.3.7 and 4.3.16; RFC 1952, 2.3.1; POSIX ustar, `magic` at 257.
  static func isArchive(at path: String) -> Bool {
    let bytes = FileAccess.head(of: path, count: 512)
    return bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
      || bytes.starts(with: [0x1F, 0x8B]) || bytes.dropFirst(257).starts(with: Array("ustar".utf8))
  }

  /// Unpacks an archive into a temporary folder.
  ///
  /// - Parameters:
  ///   - path: The archive.
  ///   - name: What errors call it.
  ///   - limits: How much of it is unpacked before it is refused.
  ///   - check: Is called for each piece, and ends the unpacking by what it throws.
  /// - Throws: ``CourseFormatError`` where the archive is broken, breaks a limit, or has an entry that is not a plain
  ///   file or folder inside it.
  static func unpack(
    _ path: String, name: String, limits: SourceLimits, check: () throws -> Void
  ) throws -> TemporaryFolder {
    // libarchive converts names through the locale of its thread, and loses them in the "C" that programs start with.
    let unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) ?? newlocale(LC_CTYPE_MASK, "en_US.UTF-8", nil)
    let previous = uselocale(unicode)
    defer {
      _ = uselocale(previous)
      if let unicode { freelocale(unicode) }
    }
    guard let archive = archive_read_new() else {
      throw CourseFormatError.badArchive(source: name, reason: "there is not enough memory to open it")
    }
    defer { archive_read_free(archive) }
    archive_read_support_filter_gzip(archive)
    archive_read_support_format_tar(archive)
    archive_read_support_format_zip(archive)
    guard archive_read_open_filename(archive, path, 64 << 10) == ARCHIVE_OK else { throw broken(archive, name) }

    let folder = try TemporaryFolder()
    var unpacking = Unpacking(
      archive: archive, name: name, packedSize: FileAccess.size(of: path), limits: limits, folder: folder)
    while try unpacking.next(check) {}
    return folder
  }

  fileprivate static func broken(_ archive: OpaquePointer, _ name: String) -> CourseFormatError {
    let reason = archive_error_string(archive).map { "the archive says '\(String(cString: $0))'" }
    return .badArchive(source: name, reason: reason ?? "the archive is broken")
  }
}

/// One archive on its way into a folder.
private struct Unpacking {
  let archive: OpaquePointer
  let name: String
  let packedSize: Int
  let limits: SourceLimits
  let folder: TemporaryFolder
  private var entries = 0
  private var unpacked = 0
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(archive: OpaquePointer, name: String, packedSize: Int, limits: SourceLimits, folder: TemporaryFolder) {
    self.archive = archive
    self.name = name
    self.packedSize = packedSize
    self.limits = limits
    self.folder = folder
  }

  /// Below this size an archive may be as dense as it likes: a megabyte of spaces is no attack.
  private static let freeOfRatio = 16 << 20

  // `AE_IFDIR` and `AE_IFREG`, which are macros with a cast in them.
  private static let folderType: mode_t = 0o040000
  private static let fileType: mode_t = 0o100000

  /// Unpacks the next entry; `false` at the end.
  mutating func next(_ check: () throws -> Void) throws -> Bool {
    try check()
    var entry: OpaquePointer?
    switch archive_read_next_header(archive, &entry) {
    case ARCHIVE_EOF: return false
    case ARCHIVE_OK, ARCHIVE_WARN: break
    default: throw Archive.broken(archive, name)
    }
    guard let entry else { throw Archive.broken(archive, name) }
    entries += 1
    guard entries <= limits.entries else {
      throw CourseFormatError.limit(.entries(limits.entries), file: name, line: nil)
    }

    let path = try checkedPath(of: entry)
    // What macOS puts beside each file is of no use to a course.
    if path.isEmpty || path.hasPrefix("__MACOSX/") || path == "__MACOSX" { return true }
    let target = folder.path + "/" + path
    switch archive_entry_filetype(entry) {
    case Self.folderType: try makeFolder(target, path)
    case Self.fileType where archive_entry_hardlink(entry) == nil:
      try makeFolder(folder.path + "/" + SourcePath.folder(of: path), path)
      try writeFile(target, path, check)
    default:
      throw CourseFormatError.badArchive(
        source: name, reason: "'\(path)' in it is a link or a device, and only files and folders are unpacked")
    }
    return true
  }

  /// The entry's path, which stays inside the folder.
  private func checkedPath(of entry: OpaquePointer) throws -> String {
    guard let raw = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry),
      let path = String(validatingCString: raw)
    else {
      throw CourseFormatError.badArchive(source: name, reason: "entry \(entries) in it has a name that is not UTF-8")
    }
    let parts = path.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
    guard !path.hasPrefix("/"), !parts.contains(".."), let inside = SourcePath.resolve(path, in: "") else {
      throw CourseFormatError.badArchive(source: name, reason: "the name '\(path)' in it leads out of its folder")
    }
    guard parts.count <= limits.pathDepth + 1 else {
      throw CourseFormatError.limit(.pathDepth(limits.pathDepth), file: name, line: nil)
    }
    return inside
  }

  private func makeFolder(_ target: String, _ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      guard FileAccess.kind(at: target) == .nothing else {
        throw CourseFormatError.badArchive(source: name, reason: "'\(path)' in it is both a file and a folder")
      }
      throw CourseFormatError.noTemporarySpace(reason: "no folder could be made for '\(path)'")
    }
  }

  private mutating func writeFile(_ target: String, _ path: String, _ check: () throws -> Void) throws {
    let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else {
        throw CourseFormatError.noTemporarySpace(reason: "the system says '\(String(cString: strerror(errno)))'")
      }
      throw CourseFormatError.badArchive(source: name, reason: "'\(path)' stands in it twice")
    }
    defer { close(descriptor) }
    while true {
      try check()
      let count = archive_read_data(archive, &buffer, buffer.count)
      guard count >= 0 else { throw Archive.broken(archive, name) }
      if count == 0 { return }
      unpacked += count
      guard unpacked <= limits.unpackedSize else {
        throw CourseFormatError.limit(.unpackedSize(limits.unpackedSize), file: name, line: nil)
      }
      guard
        unpacked <= max(Self.freeOfRatio, packedSize.multipliedReportingOverflow(by: limits.unpackedRatio).partialValue)
      else {
        throw CourseFormatError.limit(.unpackedRatio(limits.unpackedRatio), file: name, line: nil)
      }
      guard write(descriptor, buffer, count) == count else {
        throw CourseFormatError.noTemporarySpace(reason: "the system says '\(String(cString: strerror(errno)))'")
      }
    }
  }
}
