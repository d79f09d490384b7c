import Foundation

/// What a course is read from: a folder, or one file. The only way for a reader to the file system.
///
/// Every path that is asked for stays inside the folder, also after symbolic links are followed, and every file obeys
/// the limits.
public struct CourseSource: Sendable {
  /// What a person calls it: the last name of its path.
  public let name: String
  /// The limits that it is read under.
  public let limits: SourceLimits
  private let place: Place
  /// Keeps what was unpacked until it is not read any more.
  private let unpacked: TemporaryFolder?

  private enum Place: Sendable {
    case folder(String)
    case file(String)
    case memory([UInt8])
  }

  /// Opens the file or folder at a path. An archive is unpacked into a temporary folder, which then is the source.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - limits: How much of it is read before it is refused.
  ///   - check: Is called again and again while an archive is unpacked, and ends that by what it throws.
  /// - Throws: ``CourseFormatError`` where there is nothing at that path, it may not be read, or it is an archive that
  ///   is broken or breaks a limit.
  public init(path: String, limits: SourceLimits = .standard, unpacking check: () throws -> Void = {}) throws {
    guard let real = FileAccess.realPath(path) else {
      throw errno == EACCES ? CourseFormatError.noPermission(path: path) : .sourceMissing(path: path)
    }
    self.limits = limits
    // The name as it was typed, unless that says nothing.
    let typed = SourcePath.name(of: path.hasSuffix("/") ? String(path.dropLast()) : path)
    name = [".", "..", ""].contains(typed) ? SourcePath.name(of: real) : typed
    switch FileAccess.kind(at: real) {
    case .folder:
      place = .folder(real)
      unpacked = nil
    case .file where Archive.isArchive(at: real):
      let folder = try Archive.unpack(real, name: name, limits: limits, check: check)
      unpacked = folder
      let content = folder.content
      place = FileAccess.kind(at: content) == .folder ? .folder(content) : .file(content)
    case .file:
      place = .file(real)
      unpacked = nil
    case .nothing:
      throw CourseFormatError.sourceMissing(path: path)
    }
  }

  /// Makes a source of bytes in memory, as if they were a file of that name.
  public init(name: String, bytes: [UInt8], limits: SourceLimits = .standard) {
    self.name = name
    self.limits = limits
    place = .memory(bytes)
    unpacked = nil
  }

  /// Removes at once what was unpacked for it, also while a thread still reads it, whose reading then fails.
  public func discard() { unpacked?.remove() }

  /// Whether it is a folder.
  public var isFolder: Bool {
    if case .folder = place { true } else { false }
  }

  /// The name without what a file's name has behind its dots.
  public var stem: String {
    if isFolder, unpacked == nil { return name }
    let stem = SourcePath.stem(of: name)
    return SourcePath.hasExtension("tar", stem) ? SourcePath.stem(of: stem) : stem
  }

  /// The bytes of a source that is one file.
  ///
  /// - Throws: ``CourseFormatError`` where it is a folder, cannot be read or is larger than ``SourceLimits/sourceSize``.
  public func bytes() throws -> [UInt8] {
    switch place {
    case .folder: throw CourseFormatError.notAFile(file: name)
    case .file(let path):
      return try FileAccess.read(path, as: name, limit: limits.sourceSize, broken: .sourceSize(limits.sourceSize))
    case .memory(let bytes):
      guard bytes.count <= limits.sourceSize else {
        throw CourseFormatError.limit(.sourceSize(limits.sourceSize), file: name, line: nil)
      }
      return bytes
    }
  }

  /// The text that a source that is one file begins with; `nil` for a folder and for what is no text.
  public func head(count: Int) -> String? {
    let bytes: [UInt8]
    switch place {
    case .folder: return nil
    case .file(let path): bytes = FileAccess.head(of: path, count: count)
    case .memory(let all): bytes = Array(all.prefix(count))
    }
    return Self.text(beginning: bytes, of: name)
  }

  private static func text(beginning bytes: [UInt8], of name: String) -> String? {
    // The last character may be cut in two; of UTF-16 nothing is asked but that it looks like text.
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return try? TextDecoding.decode(Array(bytes.prefix(bytes.count & ~1)), file: name)
    }
    // UTF-16 without a mark is recognised too, so that its reader can say which byte is no text.
    let letters = bytes.prefix(2).contains(0) ? bytes.filter { $0 != 0 } : bytes
    return String(
      decoding: letters.starts(with: [0xEF, 0xBB, 0xBF]) ? letters.dropFirst(3) : letters[...], as: UTF8.self)
  }

  /// The text that a file in the folder begins with; `nil` where it is not there or is no text.
  func head(of file: String, count: Int) -> String? {
    guard let location = try? location(of: file), FileAccess.kind(at: location) == .file else { return nil }
    return Self.text(beginning: FileAccess.head(of: location, count: count), of: file)
  }

  /// The bytes of a file in the folder.
  ///
  /// - Parameters:
  ///   - file: Its path below the folder.
  ///   - size: The most bytes it may have; ``SourceLimits/fileSize`` where it is `nil`.
  /// - Throws: ``CourseFormatError`` where it is not there, leads out of the folder, cannot be read or is too large.
  public func bytes(of file: String, upTo size: Int? = nil) throws -> [UInt8] {
    let size = size ?? limits.fileSize
    return try FileAccess.read(location(of: file), as: file, limit: size, broken: .fileSize(size))
  }

  /// Whether a file of that path is in the folder.
  public func hasFile(_ file: String) -> Bool {
    guard let location = try? location(of: file) else { return false }
    return FileAccess.kind(at: location) == .file
  }

  /// What stands in a folder, names in the order of their bytes. Names that begin with a dot are left out.
  ///
  /// - Parameter folder: Its path below the source; empty for the source itself.
  /// - Throws: ``CourseFormatError`` where it is not there, leads out of the source, lies too deep or cannot be read.
  public func entries(in folder: String = "") throws -> [SourceEntry] {
    guard folder.utf8.count(where: { $0 == UInt8(ascii: "/") }) < limits.pathDepth else {
      throw CourseFormatError.limit(.pathDepth(limits.pathDepth), file: folder, line: nil)
    }
    let location = try location(of: folder)
    return try FileAccess.names(in: location, as: folder.isEmpty ? name : folder).compactMap { name in
      guard !name.hasPrefix(".") else { return nil }
      guard name == name.withoutControls else {
        throw CourseFormatError.malformed(
          file: SourcePath.join(folder, name), line: nil, found: "the name has a control character in it",
          advice: "Rename the file.")
      }
      try checkLeadsOn(SourcePath.join(folder, name), at: location + "/" + name)
      return switch FileAccess.kind(at: location + "/" + name) {
      case .file: SourceEntry(name: name, path: SourcePath.join(folder, name), isFolder: false)
      case .folder: SourceEntry(name: name, path: SourcePath.join(folder, name), isFolder: true)
      case .nothing: nil
      }
    }
  }

  /// Refuses a symbolic link to a folder that it stands in: its content would have no end.
  private func checkLeadsOn(_ path: String, at location: String) throws {
    guard let target = FileAccess.linkTarget(at: location), FileAccess.kind(at: location) == .folder,
      let real = FileAccess.realPath(location)
    else { return }
    var above = path
    while !above.isEmpty {
      above = SourcePath.folder(of: above)
      guard try self.location(of: above) != real else {
        throw CourseFormatError.linkInCircles(file: path, target: target)
      }
    }
  }

  /// The absolute path of something in the folder, symbolic links followed.
  private func location(of path: String) throws -> String {
    guard case .folder(let top) = place else { throw CourseFormatError.fileMissing(file: path) }
    guard let inside = SourcePath.resolve(path, in: ""), !path.hasPrefix("/") else {
      throw CourseFormatError.leavesSource(file: path)
    }
    guard !inside.utf8.contains(0), let real = FileAccess.realPath(top + "/" + inside) else {
      throw FileAccess.failure(errno == 0 ? ENOENT : errno, file: path)
    }
    guard real == top || real.hasPrefix(top == "/" ? top : top + "/") else {
      throw CourseFormatError.leavesSource(file: path)
    }
    return real
  }
}

/// Something that stands in a folder of a source.
public struct SourceEntry: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// Its path below the source.
  public let path: String
  /// Whether it is a folder.
  public let isFolder: Bool
}
