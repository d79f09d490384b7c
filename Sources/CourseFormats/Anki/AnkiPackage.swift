import Foundation
import LearningModel

/// The files of an unpacked `.apkg` or `.colpkg`: the collection, which is a SQLite file, and the media.
///
/// Source: Anki manual, "Exporting"; the protobuf messages `PackageMetadata` and `MediaEntries` in Anki's
/// `import_export.proto`.
struct AnkiPackage {
  /// The advice in errors about a damaged package.
  static let advice = "Export the deck from Anki again."

  /// The collections in the order in which they are preferred. A package of a newer version contains a second
  /// collection for older versions of Anki. Its only card asks the user to update Anki.
  private static let names = ["collection.anki21b", "collection.anki21", "collection.anki2"]

  /// The name of the collection's file.
  let collection: String
  /// The digest of the collection and of the list of media.
  private(set) var digest = SourceDigest()
  private let source: CourseSource
  private let limits: SourceLimits
  /// Temporary files: the decompressed collection, and a folder with the media that were decompressed so far.
  private let temporary: TemporaryFolder
  private static let folder = "package"
  /// The names of the files in the package by the names of media.
  private var media: [String: String] = [:]
  /// Whether the collection, the media and their list are compressed with zstd.
  private var isCompressed: Bool { collection == Self.names[0] }

  /// Returns whether a source contains a collection.
  static func hasCollection(_ source: CourseSource) -> Bool { names.contains(where: source.hasFile) }

  /// Examines the files of a package and reads the list of media.
  ///
  /// - Throws: ``CourseFormatError`` if the package contains no collection, or is damaged.
  init(_ source: CourseSource, findings: inout Findings) throws {
    self.source = source
    limits = source.limits
    temporary = try TemporaryFolder()
    guard let name = Self.names.first(where: source.hasFile) else {
      // An archive with a single file is opened as that file.
      guard !source.isFolder, source.head(count: 15) == "SQLite format 3" else {
        throw CourseFormatError.malformed(
          file: source.name, line: nil, problem: "it contains no collection of Anki", advice: Self.advice)
      }
      collection = Self.names[2]
      return
    }
    collection = name
    do {
      try readMedia()
    } catch let error as CourseFormatError where error.kind == .badData {
      findings.warning("media", nil, "The list of media is not read, so no image is shown. " + error.diagnostic.message)
    }
  }

  /// Opens the collection.
  mutating func database() throws -> ForeignDatabase {
    let path: String
    if source.isFolder, !isCompressed {
      path = try source.path(of: collection)
      digest.add(try source.bytes(of: collection, upTo: limits.collectionSize), of: collection)
    } else {
      path = temporary.path + "/collection"
      let packed = source.isFolder ? try source.bytes(of: collection, upTo: limits.collectionSize) : try source.bytes()
      digest.add(packed, of: collection)
      try write(packed, to: path)
    }
    return try ForeignDatabase(path: path, name: collection, size: FileAccess.size(of: path), limits: limits)
  }

  private func write(_ packed: [UInt8], to path: String) throws {
    guard let file = FileHandle(creating: path) else {
      throw CourseFormatError.noTemporarySpace(reason: "the system reports '\(String(cString: strerror(errno)))'")
    }
    defer { try? file.close() }
    func append(_ chunk: [UInt8]) throws {
      do {
        try file.write(contentsOf: chunk)
      } catch {
        throw CourseFormatError.noTemporarySpace(reason: "the collection could not be written")
      }
    }
    guard isCompressed else { return try append(packed) }
    let ratio = max(16 << 20, packed.count.multipliedReportingOverflow(by: limits.unpackedRatio).partialValue)
    var size = 0
    try Zstandard.decompress(packed, of: collection) { chunk in
      size += chunk.count
      guard size <= limits.collectionSize else {
        throw CourseFormatError.limit(.unpackedSize(limits.collectionSize), file: collection, line: nil)
      }
      guard size <= ratio else {
        throw CourseFormatError.limit(.unpackedRatio(limits.unpackedRatio), file: collection, line: nil)
      }
      try append(chunk)
      return true
    }
  }

  // MARK: Media

  /// Reads the list of media: a JSON object from numbers to names or, in the newest version, a protobuf message whose
  /// entries are in the order of their numbers.
  private mutating func readMedia() throws {
    guard source.hasFile("media") else { return }
    var bytes = try source.bytes(of: "media")
    digest.add(bytes, of: "media")
    guard isCompressed else {
      guard let names = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) else {
        throw Self.malformedMedia
      }
      for (file, name) in names.sorted(by: { $0.key < $1.key }) where file.allSatisfy(\.isNumber) {
        add(name, file: file)
      }
      return
    }
    bytes = try Zstandard.bytes(of: bytes, named: "media", limit: limits.fileSize)
    guard bytes.count <= limits.fileSize else {
      throw CourseFormatError.limit(.fileSize(limits.fileSize), file: "media", line: nil)
    }
    do {
      var list = ProtobufMessage(bytes)
      var number = 0
      while let (field, value) = try list.next() {
        guard field == 1, case .bytes(let entry) = value else { continue }
        var message = ProtobufMessage(entry)
        var name: String?
        var file = number
        while let (field, value) = try message.next() {
          switch (field, value) {
          case (1, .bytes(let text)): name = String(validating: text, as: UTF8.self)
          case (255, .number(let own)): file = Int(clamping: own)
          default: continue
          }
        }
        if let name { add(name, file: String(file)) }
        number += 1
      }
    } catch {
      throw Self.malformedMedia
    }
  }

  private mutating func add(_ name: String, file: String) {
    let name = name.precomposedStringWithCanonicalMapping
    if media[name] == nil { media[name] = file }
  }

  private static let malformedMedia = CourseFormatError.malformed(
    file: "media", line: nil, problem: "it is not a list of media", advice: advice)

  /// Returns a source that contains the media that ``file(ofMedia:)`` returns.
  func mediaSource() throws -> CourseSource {
    let folder = temporary.path + "/" + Self.folder
    guard mkdir(folder, 0o700) == 0 else {
      throw CourseFormatError.noTemporarySpace(reason: "the system reports '\(String(cString: strerror(errno)))'")
    }
    return CourseSource(folder: Self.folder, in: temporary, limits: limits)
  }

  /// Returns the path of a media file in ``mediaSource()``. The file is decompressed on the first call.
  ///
  /// - Returns: `nil` if the package does not contain the file, or if it is damaged.
  func file(ofMedia name: String) -> String? {
    guard source.isFolder, let file = media[name.precomposedStringWithCanonicalMapping] else { return nil }
    let path = temporary.path + "/" + Self.folder + "/" + file
    guard FileAccess.kind(at: path) == .missing else { return file }
    guard var bytes = try? source.bytes(of: file, upTo: limits.imageSize + (1 << 20)) else { return nil }
    if isCompressed {
      guard let unpacked = try? Zstandard.bytes(of: bytes, named: file, limit: limits.imageSize) else { return nil }
      bytes = unpacked
    }
    guard let handle = FileHandle(creating: path), (try? handle.write(contentsOf: bytes)) != nil else { return nil }
    try? handle.close()
    return file
  }
}

extension AnkiPackage {
  /// Returns the bytes of a media file, or `nil` if the package does not contain it, or if it is damaged.
  func bytes(ofMedia name: String) -> [UInt8]? {
    file(ofMedia: name).flatMap { FileManager.default.contents(atPath: path(of: $0)) }.map(Array.init)
  }

  /// Adds a file to ``mediaSource()``.
  func add(_ bytes: [UInt8], named name: String) throws {
    guard let handle = FileHandle(creating: path(of: name)), (try? handle.write(contentsOf: bytes)) != nil else {
      throw CourseFormatError.noTemporarySpace(reason: "a picture could not be written")
    }
    try? handle.close()
  }

  private func path(of file: String) -> String { temporary.path + "/" + Self.folder + "/" + file }
}

extension FileHandle {
  /// Creates a file that only the current user can read. Returns `nil` if the system reports an error.
  fileprivate convenience init?(creating path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    self.init(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
