import Foundation
import LearningModel
import Synchronization

/// The folder, file or bytes from which a course is read. Readers access the file system only through this type.
///
/// A path that leads out of the folder is rejected, even if it does so through a symbolic link. Files that exceed the
/// limits are rejected too.
package struct CourseSource: Sendable {
  /// The name for messages: the last component of the path that was opened.
  package private(set) var name: String
  /// The limits for reading the source.
  package let limits: SourceLimits
  /// The files and folders that no format can read.
  let omissions = SourceOmissions()
  /// The number of bytes that includes have added to pages.
  let includedBytes = IncludedBytes()
  private let place: Place
  /// The temporary folder of an archive or a Git repository, kept until the source is released.
  private let unpacked: TemporaryFolder?
  /// Whether ``name`` is the name of a folder. If `true`, a dot in the name does not begin an extension.
  private let isNamedAfterFolder: Bool

  private enum Place: Sendable {
    case folder(String)
    case file(String)
    case memory([UInt8])
  }

  /// Opens the file or folder at a path. An archive is unpacked into a temporary folder, which becomes the source.
  ///
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - limits: The limits beyond which a source is rejected.
  ///   - check: Called repeatedly while an archive is unpacked. If it throws an error, unpacking ends with this error.
  /// - Throws: ``CourseFormatError`` if nothing exists at the path, if it is a pipe or a device, if reading it is not
  ///   permitted, or if it is an archive that is damaged or exceeds a limit.
  package init(path: String, limits: SourceLimits = .standard, unpacking check: () throws -> Void = {}) throws {
    var status = stat()
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw CourseFormatError.notAFile(file: path)
    }
    errno = 0
    guard let real = FileAccess.realPath(path) else {
      if errno == 0 { throw CourseFormatError.nameNotUTF8(file: path) }
      throw errno == EACCES ? CourseFormatError.noPermission(path: path) : .sourceMissing(path: path)
    }
    self.limits = limits
    // The name is the one that was typed, unless it is `.`, `..` or empty.
    let typed = SourcePath.name(of: path.hasSuffix("/") ? String(path.dropLast()) : path)
    name = [".", "..", ""].contains(typed) ? SourcePath.name(of: real) : typed
    switch FileAccess.kind(at: real) {
    case .folder:
      place = .folder(real)
      unpacked = nil
      isNamedAfterFolder = true
    case .file where Archive.isCompressedFile(at: real, name: name):
      isNamedAfterFolder = false
      // The content has the name without the last extension.
      name = SourcePath.hasExtension("gz", name) ? SourcePath.stem(of: name) : name
      let folder = try Archive.decompress(real, as: name, limits: limits, check: check)
      unpacked = folder
      place = .file(folder.path + "/" + name)
    case .file where Archive.isArchive(at: real) && !Archive.isDocument(name):
      isNamedAfterFolder = false
      let folder = try Archive.unpack(real, name: name, limits: limits, check: check)
      unpacked = folder
      let content = folder.content
      place = FileAccess.kind(at: content) == .folder ? .folder(content) : .file(content)
    case .file:
      place = .file(real)
      unpacked = nil
      isNamedAfterFolder = false
    case .missing:
      throw CourseFormatError.sourceMissing(path: path)
    }
  }

  /// Opens a folder inside a temporary folder. The temporary folder is kept until the source is released.
  init(folder name: String, in temporary: TemporaryFolder, limits: SourceLimits) {
    self.name = name
    self.limits = limits
    place = .folder(temporary.path + "/" + name)
    unpacked = temporary
    isNamedAfterFolder = true
  }

  /// Makes a source from bytes in memory that behaves like a file of that name.
  package init(name: String, bytes: [UInt8], limits: SourceLimits = .standard) {
    self.name = name
    self.limits = limits
    place = .memory(bytes)
    unpacked = nil
    isNamedAfterFolder = false
  }

  /// Removes the unpacked files immediately. A thread that is still reading them fails with an error.
  package func discard() { unpacked?.remove() }

  /// Whether the source is a folder or an unpacked archive.
  package var isFolder: Bool {
    if case .folder = place { true } else { false }
  }

  /// The name without the extension of a file or an archive.
  package var stem: String {
    if isNamedAfterFolder { return name }
    let stem = SourcePath.stem(of: name)
    return SourcePath.hasExtension("tar", stem) ? SourcePath.stem(of: stem) : stem
  }

  /// The name from which the title of a course is made: the stem or, if the source is a folder with a name such as
  /// `docs`, the name of the folder that contains it.
  package var titleStem: String {
    guard Self.genericNames.contains(stem.lowercased()), unpacked == nil, case .folder(let path) = place else {
      return stem
    }
    let names = path.split(separator: "/").dropLast().reversed()
    let isGeneric = { (name: String) in Self.genericNames.contains(name) || Self.genericParents.contains(name) }
    return names.first { !isGeneric($0.lowercased()) }.map(String.init) ?? stem
  }

  /// Names of folders that many projects use for their pages. They are not suitable as titles.
  private static let genericNames: Set<String> = ["docs", "doc", "en", "content", "src", "source", "book"]
  /// Names of folders that contain the translations of a course, such as `units/en`.
  private static let genericParents: Set<String> = ["chapters", "units", "lessons", "lectures", "pages"]

  /// Returns the bytes of a source that is a single file.
  ///
  /// - Parameter size: The maximum number of bytes. If `nil`, ``SourceLimits/sourceSize``.
  /// - Throws: ``CourseFormatError`` if the source is a folder, cannot be read or is too large.
  package func bytes(upTo size: Int? = nil) throws -> [UInt8] {
    let size = size ?? limits.sourceSize
    switch place {
    case .folder: throw CourseFormatError.notAFile(file: name)
    case .file(let path): return try FileAccess.read(path, as: name, limit: size, broken: .sourceSize(size))
    case .memory(let bytes):
      guard bytes.count <= size else { throw CourseFormatError.limit(.sourceSize(size), file: name, line: nil) }
      return bytes
    }
  }

  /// Returns the beginning of a source that is a single file, or `nil` if the source is a folder, or UTF-16 text that
  /// cannot be decoded.
  ///
  /// - Parameter count: The number of bytes that are read.
  package func head(count: Int) -> String? {
    let bytes: [UInt8]
    switch place {
    case .folder: return nil
    case .file(let path): bytes = FileAccess.head(of: path, count: count)
    case .memory(let all): bytes = Array(all.prefix(count))
    }
    return Self.text(beginning: bytes, of: name)
  }

  private static func text(beginning bytes: [UInt8], of name: String) -> String? {
    // The last character may be incomplete. An odd byte at the end of UTF-16 text is dropped.
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return try? TextDecoding.decode(Array(bytes.prefix(bytes.count & ~1)), file: name)
    }
    // UTF-16 text without a byte order mark is recognised too, so that its reader can report the invalid byte.
    let letters = bytes.prefix(2).contains(0) ? bytes.filter { $0 != 0 } : bytes
    return String(
      decoding: letters.starts(with: [0xEF, 0xBB, 0xBF]) ? letters.dropFirst(3) : letters[...], as: UTF8.self)
  }

  /// Returns the beginning of a file in the folder, or `nil` if the file does not exist or is UTF-16 text that cannot
  /// be decoded.
  func head(of file: String, count: Int) -> String? {
    guard let location = try? location(of: file), FileAccess.kind(at: location) == .file else { return nil }
    return Self.text(beginning: FileAccess.head(of: location, count: count), of: file)
  }

  /// Returns the bytes of a file in the folder.
  ///
  /// - Parameters:
  ///   - file: The path relative to the folder.
  ///   - size: The maximum number of bytes. If `nil`, ``SourceLimits/fileSize``.
  /// - Throws: ``CourseFormatError`` if the file does not exist, is outside the folder, cannot be read or is too
  ///   large.
  package func bytes(of file: String, upTo size: Int? = nil) throws -> [UInt8] {
    let size = size ?? limits.fileSize
    return try FileAccess.read(location(of: file), as: file, limit: size, broken: .fileSize(size))
  }

  /// Returns the bytes of a file to which a page refers: a file in the folder, or in the folder of a single file.
  ///
  /// - Throws: The errors of ``bytes(of:upTo:)``.
  func linkedBytes(of file: String, upTo size: Int) throws -> [UInt8] {
    try FileAccess.read(location(of: file, isLinked: true), as: file, limit: size, broken: .fileSize(size))
  }

  /// Returns the bytes of a regular file in the folder, and whether it is a program.
  ///
  /// - Throws: The errors of ``bytes(of:upTo:)``, also for a file that is reached through a symbolic link.
  func regularFile(_ file: String, upTo size: Int) throws -> (bytes: [UInt8], isExecutable: Bool) {
    let location = try location(of: file)
    guard case .folder(let top) = place, location == (top == "/" ? "" : top) + "/" + file else {
      throw CourseFormatError.malformed(
        file: file, line: nil, problem: "it is reached through a symbolic link", advice: "Copy the target of the link.")
    }
    var status = stat()
    guard stat(location, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw CourseFormatError.notAFile(file: file)
    }
    return (
      try FileAccess.read(location, as: file, limit: size, broken: .fileSize(size)), status.st_mode & S_IXUSR != 0
    )
  }

  /// Returns whether there is a file to which a page may refer: in the folder, or in the folder of a single file.
  func hasLinkedFile(_ file: String) -> Bool {
    guard let location = try? location(of: file, isLinked: true) else { return false }
    return FileAccess.kind(at: location) == .file
  }

  /// Returns the absolute path of a file in the folder, for a library that opens files itself.
  ///
  /// - Throws: ``CourseFormatError`` if the file does not exist or is outside the folder.
  func path(of file: String) throws -> String { try location(of: file) }

  /// Returns the size of a file in the folder in bytes, or 0 if it does not exist.
  func size(of file: String) -> Int {
    var status = stat()
    guard let location = try? location(of: file), stat(location, &status) == 0 else { return 0 }
    return Int(status.st_size)
  }

  /// Returns whether the folder contains a file at a path.
  package func hasFile(_ file: String) -> Bool {
    guard let location = try? location(of: file) else { return false }
    return FileAccess.kind(at: location) == .file
  }

  /// Returns the files and folders in a folder, ordered by the bytes of their names. Names that begin with a dot are
  /// excluded.
  ///
  /// Folders that are nested too deeply or that cannot be listed, symbolic links that lead nowhere, out of the source or
  /// to a folder that contains them, and names with invalid characters are skipped and recorded in ``omissions``.
  ///
  /// - Parameter folder: The path relative to the source; empty for the source itself.
  /// - Throws: ``CourseFormatError`` if the folder does not exist, is outside the source, is nested too deeply or
  ///   cannot be read.
  package func entries(in folder: String = "") throws -> [SourceEntry] {
    try allEntries(in: folder).filter { !$0.name.hasPrefix(".") }
  }

  /// Returns the entries of ``entries(in:)``, and also those whose names begin with a dot. Symbolic links among the
  /// latter are omitted.
  func allEntries(in folder: String) throws -> [SourceEntry] {
    let depth = folder.utf8.count { $0 == UInt8(ascii: "/") }
    guard depth < limits.pathDepth else {
      throw CourseFormatError.limit(.pathDepth(limits.pathDepth), file: folder, line: nil)
    }
    let location = try location(of: folder)
    let names: [[UInt8]]
    do {
      names = try FileAccess.names(in: location, as: folder.isEmpty ? name : folder)
    } catch CourseFormatError.noPermission where !folder.isEmpty {
      omissions.record(folder, .notPermitted)
      return []
    }
    var known: Set<String> = []
    return try names.compactMap { bytes in
      guard let name = String(validating: bytes, as: UTF8.self) else {
        if bytes.first != UInt8(ascii: ".") {
          omissions.record(SourcePath.join(folder, Self.printable(bytes)), .nameNotUTF8)
        }
        return nil
      }
      let path = SourcePath.join(folder, name)
      guard name.hasPrefix(".") || name == name.escapingControls else {
        omissions.record(path, .controlCharacter)
        return nil
      }
      // Swift compares texts by their canonical form, so readers could not distinguish the two.
      guard known.insert(name).inserted else {
        omissions.record(path, .sameName)
        return nil
      }
      if let target = FileAccess.linkTarget(at: location + "/" + name) {
        if name.hasPrefix(".") { return nil }
        if let reason = try reasonToOmitLink(path, to: target, at: location + "/" + name) {
          if !isExcluded(path) { omissions.record(path, reason) }
          return nil
        }
      }
      switch FileAccess.kind(at: location + "/" + name) {
      case .file: return SourceEntry(name: name, path: path, isFolder: false)
      case .folder where !folder.isEmpty && depth + 1 >= limits.pathDepth:
        if !name.hasPrefix(".") { omissions.record(path, .tooDeep(limits.pathDepth)) }
        return nil
      case .folder: return SourceEntry(name: name, path: path, isFolder: true)
      case .missing: return nil
      }
    }
  }

  /// Returns a name with each non-ASCII byte replaced by an escape such as `\xE9`.
  private static func printable(_ name: [UInt8]) -> String {
    name.map { byte in
      byte < 0x80
        ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// Returns the reason why a symbolic link cannot be followed, or `nil` if it can. Following a link to a folder that
  /// contains the link would never end.
  private func reasonToOmitLink(
    _ path: String, to target: String, at location: String
  ) throws -> SourceOmissions.Reason? {
    errno = 0
    guard let real = FileAccess.realPath(location) else {
      return errno == 0 ? .nameNotUTF8 : errno == EACCES ? .notPermitted : .linkLeadsNowhere(target)
    }
    guard isInside(real) else { return .linkOutside(target) }
    var above = path
    while !above.isEmpty, FileAccess.kind(at: real) == .folder {
      above = SourcePath.folder(of: above)
      if try self.location(of: above) == real { return .linkInCircles(target) }
    }
    return nil
  }

  /// Returns the absolute path of a file or folder in the source, with symbolic links resolved.
  ///
  /// - Parameter isLinked: Whether the path may also be that of a file in the folder of a single file.
  private func location(of path: String, isLinked: Bool = false) throws -> String {
    let top: String
    switch place {
    case .folder(let folder): top = folder
    case .file(let file) where isLinked: top = (file as NSString).deletingLastPathComponent
    case .file, .memory: throw CourseFormatError.fileMissing(file: path)
    }
    guard let inside = SourcePath.resolve(literally: path, in: ""), !path.hasPrefix("/") else {
      throw CourseFormatError.leavesSource(file: path)
    }
    guard !inside.utf8.contains(0), let real = FileAccess.realPath(top + "/" + inside) else {
      throw FileAccess.failure(errno == 0 ? ENOENT : errno, file: path)
    }
    guard Self.isInside(real, top) else { throw CourseFormatError.leavesSource(file: path) }
    return real
  }

  /// Returns whether an absolute path without symbolic links is the folder of the source, or inside that folder.
  private func isInside(_ real: String) -> Bool {
    guard case .folder(let top) = place else { return false }
    return Self.isInside(real, top)
  }

  private static func isInside(_ real: String, _ top: String) -> Bool {
    real == top || real.hasPrefix(top == "/" ? top : top + "/")
  }
}

/// A file or folder in a folder of a source.
package struct SourceEntry: Hashable, Sendable {
  /// The name without the folder.
  package let name: String
  /// The path relative to the source.
  package let path: String
  package let isFolder: Bool
}

extension CourseSource {
  /// Opens a file or folder at a path, or a Git repository at an address.
  ///
  /// - Parameters:
  ///   - thing: The path or the address. A repository is fetched into a temporary folder.
  ///   - limits: The limits beyond which a source is rejected.
  ///   - check: Called repeatedly while an archive is unpacked or a repository is fetched. If it throws an error, the
  ///     operation ends with this error.
  /// - Throws: ``CourseFormatError``.
  package init(opening thing: String, limits: SourceLimits = .standard, check: () throws -> Void = {}) throws {
    guard let address = try GitAddress(thing) else {
      try self.init(path: thing, limits: limits, unpacking: check)
      return
    }
    self.init(
      folder: address.name, in: try GitRepository.fetch(address, limits: limits, check: check), limits: limits)
  }

  /// Returns the canonical form of a path or an address, which does not depend on how it was written: an address
  /// without a password, or an absolute path without symbolic links.
  ///
  /// - Throws: ``CourseFormatError/sourceMissing(path:)``, ``CourseFormatError/unsupportedAddress(_:)``.
  package static func origin(of thing: String) throws(CourseFormatError) -> String {
    if let address = try GitAddress(thing) { return address.withoutPassword }
    guard let path = FileAccess.realPath(thing) else { throw CourseFormatError.sourceMissing(path: thing) }
    return path
  }

  /// Returns whether pages in a folder are ignored: a folder with tools, fragments of pages, or generated files.
  func isExcluded(_ folder: String) -> Bool {
    Self.excludedFolders.contains(SourcePath.name(of: folder)) || isGeneratorFolder(folder)
  }

  /// Returns whether a folder contains templates of Hugo: it lies next to Hugo's configuration.
  ///
  /// Source: Hugo, "Directory structure".
  func isGeneratorFolder(_ folder: String) -> Bool {
    guard ["layouts", "archetypes", "themes"].contains(SourcePath.name(of: folder)) else { return false }
    let outer = SourcePath.folder(of: folder)
    return ["hugo", "config", "theme", "config/_default/hugo", "config/_default/config"].contains { stem in
      ["toml", "yaml", "yml", "json"].contains { hasFile(SourcePath.join(outer, "\(stem).\($0)")) }
    }
  }

  private static let excludedFolders: Set<String> = [
    "node_modules", "__pycache__", "_build", "_site", "_static", "_templates", "_includes", "_layouts", "_sass", "venv",
    "site-packages",
  ]

  /// Returns the number of files that an import examines, or `most` if there are more.
  package func fileCount(upTo most: Int) -> Int {
    guard isFolder else { return 1 }
    var count = 0
    var folders = [""]
    while let folder = folders.popLast() {
      for entry in (try? entries(in: folder)) ?? [] {
        if !entry.isFolder {
          count += 1
          if count >= most { return most }
        } else if !isExcluded(entry.path) {
          folders.append(entry.path)
        }
      }
    }
    return count
  }
}

/// The files and folders that no format can read, collected while a source is listed.
final class SourceOmissions: Sendable {
  /// The reason why a file or folder is skipped.
  enum Reason: Hashable {
    /// The name is not UTF-8.
    case nameNotUTF8
    /// The folder is nested more deeply than this number of levels.
    case tooDeep(Int)
    /// The name contains a control character.
    case controlCharacter
    /// A file or folder next to it has the same name in another Unicode form.
    case sameName
    /// A symbolic link leads to a folder that contains the link; the value is the content of the link.
    case linkInCircles(String)
    /// A symbolic link leads out of the source; the value is the content of the link.
    case linkOutside(String)
    /// A symbolic link leads to itself, or its target is missing; the value is the content of the link.
    case linkLeadsNowhere(String)
    /// Listing the folder is not permitted.
    case notPermitted
  }

  /// The maximum number of warnings for the same reason. All omissions are counted.
  private static let maximumWarnings = 20

  private let reasons = Mutex<[String: Reason]>([:])

  /// Records a file or folder that is skipped. Recording it again does not count it again.
  ///
  /// - Parameter path: The printable path relative to the source.
  func record(_ path: String, _ reason: Reason) { reasons.withLock { $0[path] = reason } }

  /// The error for a source that contains nothing but skipped files and folders, or `nil` if nothing was skipped.
  var error: CourseFormatError? {
    let reasons = reasons.withLock { $0 }.sorted { $0.key < $1.key }
    return reasons.first.map { path, reason in
      reason.error(of: path)
    }
  }

  /// Adds the number of skipped files and folders, and warnings about them.
  ///
  /// - Parameter isStrict: Whether to add errors, which make the import fail, instead of warnings.
  func add(to findings: inout Findings, isStrict: Bool = false) {
    var warnings: [String: Int] = [:]
    for (path, reason) in reasons.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      guard !isStrict else {
        findings.error(reason.error(of: path))
        continue
      }
      let (what, message) = reason.descriptions
      findings.countLoss(what, "left out")
      warnings[what, default: 0] += 1
      if warnings[what, default: 0] <= Self.maximumWarnings { findings.warning(path, nil, message) }
    }
  }
}

extension SourceOmissions.Reason {
  /// The error if the omission makes the import fail.
  fileprivate func error(of path: String) -> CourseFormatError {
    switch self {
    case .nameNotUTF8: .nameNotUTF8(file: path)
    case .tooDeep(let depth): .limit(.pathDepth(depth), file: path, line: nil)
    case .controlCharacter: .controlCharacter(in: path)
    case .sameName: .sameName(as: path)
    case .linkInCircles(let target): .linkInCircles(file: path, target: target)
    case .linkOutside: .leavesSource(file: path)
    case .linkLeadsNowhere: .fileMissing(file: path)
    case .notPermitted: .noPermission(path: path)
    }
  }

  /// The kind of the omitted file or folder in the singular, and the message of the warning.
  fileprivate var descriptions: (what: String, message: String) {
    switch self {
    case .nameNotUTF8:
      ("file or folder whose name is not UTF-8", "The name is not UTF-8, so this is left out. Rename it.")
    case .tooDeep(let depth):
      (
        "folder more than \(depth) deep",
        "The folder is more than \(depth) deep, and is left out with its content. Move the content up."
      )
    case .controlCharacter:
      (
        "file or folder whose name contains a control character",
        "The name contains a control character, so this is left out. Rename it."
      )
    case .sameName:
      (
        "file or folder with the name of another",
        "Its name is that of another file here in another Unicode form, so this is left out. Rename it."
      )
    case .linkInCircles(let target):
      (
        "symbolic link to a folder that contains it",
        "It is a symbolic link to \(quoted: target), a folder that contains it, and is left out. Remove the link."
      )
    case .linkOutside(let target):
      (
        "symbolic link out of the folder",
        "It is a symbolic link to \(quoted: target), outside the course's folder, and is left out. Copy its target there."
      )
    case .linkLeadsNowhere(let target):
      (
        "symbolic link that leads nowhere",
        "It is a symbolic link to \(quoted: target), which cannot be found, and is left out. Remove the link."
      )
    case .notPermitted:
      (
        "folder that cannot be read",
        "Reading the folder is not permitted, so it is left out. Ask its owner for permission to read it."
      )
    }
  }
}

/// Functions for paths inside a source: names joined by `/`, without `.`, `..`, drive letters or a leading slash.
enum SourcePath {
  /// Resolves a path that is written in a file.
  ///
  /// - Parameters:
  ///   - name: The path as written in the file, such as `../images/map.png`. A path with a leading slash is relative to
  ///     the top of the source.
  ///   - folder: The folder of that file; empty for the top.
  ///   - staysInside: Whether `..` has no effect at the top, as in the addresses of a web site.
  /// - Returns: `nil` if the path leads out of the source.
  static func resolve(_ name: some StringProtocol, in folder: String, staysInside: Bool = false) -> String? {
    let plain = name.utf8.contains(0x5C) ? String(name.map { $0 == "\\" ? "/" : $0 }) : String(name)
    if plain.dropFirst().hasPrefix(":/"), plain.first!.isLetter { return nil }
    return resolve(literally: plain, in: folder, staysInside: staysInside)
  }

  /// Returns the paths that a written path may mean: a backslash separates names, or belongs to a name.
  static func readings(of name: String, in folder: String) -> [String] {
    [resolve(name, in: folder), name.utf8.contains(0x5C) ? resolve(literally: name, in: folder) : nil]
      .compactMap { $0 }
  }

  /// Resolves a path whose names may contain any character except `/`, such as one that was listed in a folder.
  static func resolve(literally path: String, in folder: String, staysInside: Bool = false) -> String? {
    var parts = path.hasPrefix("/") ? [] : folder.split(separator: "/").map(String.init)
    for part in path.split(separator: "/") {
      switch part {
      case ".": continue
      case "..":
        guard !parts.isEmpty || staysInside else { return nil }
        _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }

  /// Returns the folder of a path; empty at the top.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns the name without its last dot and the text after it. A name whose only dot is its first character is
  /// unchanged.
  static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Returns whether a path ends with a dot and an extension. Case is ignored in the path; the extension must be in
  /// lower case.
  static func hasExtension(_ suffix: String, _ path: String) -> Bool {
    let (bytes, ending) = (path.utf8, suffix.utf8)
    guard bytes.count > ending.count + 1 else { return false }
    let start = bytes.index(bytes.endIndex, offsetBy: -ending.count)
    return bytes[bytes.index(before: start)] == UInt8(ascii: ".")
      && bytes[start...].elementsEqual(ending) { (65...90).contains($0) ? $0 + 32 == $1 : $0 == $1 }
  }

  static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder + "/" + name
  }
}
