import Foundation
import LearningModel
import Pictures

/// Finds the pictures that the texts of a source name, and looks at each once.
struct DraftPictures {
  /// What becomes of a picture.
  enum Finding: Equatable {
    /// It is kept with the course.
    case kept(KeptPicture)
    /// It is not; why, as the end of a sentence.
    case lost(String)
  }

  /// A picture that is to be kept.
  struct File {
    let digest: String
    let bytes: [UInt8]
  }

  private let source: CourseSource
  /// What became of each file that was looked at.
  private var findings: [String: Finding] = [:]
  /// Those that are kept, by their digests.
  private(set) var kept: [String: KeptPicture] = [:]
  /// How many bytes all that are kept have.
  private var size = 0
  /// The fingerprint of those that are files of their own.
  private(set) var digest = SourceDigest()
  private(set) var hasFiles = false

  init(_ source: CourseSource) {
    self.source = source
  }

  /// Finds the picture that a text names.
  ///
  /// - Parameters:
  ///   - paths: The files that may be meant, as paths in the source; the first that is there is.
  ///   - keep: Keeps a picture that is new.
  mutating func find(_ paths: [String], keep: (File) throws -> Void) throws -> Finding {
    guard let path = paths.first(where: { findings[$0] != nil || source.hasFile($0) }) else {
      return .lost("its file is not there")
    }
    if let finding = findings[path] { return finding }
    let finding: Finding =
      switch read(path) {
      case .success(let bytes): try look(at: bytes, keep: keep)
      case .failure(.limit): .lost(tooLarge)
      case .failure: .lost("its file cannot be read")
      }
    if case .kept(let picture) = finding {
      digest.add(Array(picture.digest.utf8), of: path)
      hasFiles = true
    }
    findings[path] = finding
    return finding
  }

  private func read(_ path: String) -> Result<[UInt8], CourseFormatError> {
    do {
      return .success(try source.bytes(of: path, upTo: source.limits.pictureSize))
    } catch let error as CourseFormatError {
      return .failure(error)
    } catch {
      return .failure(.readFailed(path: path, reason: String(describing: error)))
    }
  }

  /// Reads a picture that stands in the text itself.
  ///
  /// - Parameter address: What begins with `data:`.
  mutating func find(data address: String, keep: (File) throws -> Void) throws -> Finding {
    // Four letters for three bytes, and some for line breaks.
    guard address.utf8.count <= source.limits.pictureSize / 2 * 3 else { return .lost(tooLarge) }
    guard let bytes = DataAddress.bytes(of: address) else { return .lost("its data are broken") }
    return try look(at: bytes, keep: keep)
  }

  /// The reason of a picture that is larger than one may be.
  private var tooLarge: String { "it is larger than \(source.limits.pictureSize >> 20) MiB" }

  private mutating func look(at bytes: [UInt8], keep: (File) throws -> Void) throws -> Finding {
    guard bytes.count <= source.limits.pictureSize else { return .lost(tooLarge) }
    let size: KeptPicture.PixelSize?
    if PictureFormat(firstBytes: Array(bytes.prefix(12))) == nil {
      guard Self.isSVG(bytes) else { return .lost("it is no PNG, JPEG, GIF, WebP or SVG") }
      let text = String(decoding: bytes, as: UTF8.self)
      do {
        size = try XMLTree.withRoot(of: text, strict: false) { KeptPicture.PixelSize(drawing: $0) }
      } catch {
        return .lost("its data are broken")
      }
    } else {
      guard let facts = try? Picture.facts(of: bytes, named: source.name) else { return .lost("its data are broken") }
      size = KeptPicture.PixelSize(width: facts.width, height: facts.height)
    }
    var sum = SourceDigest()
    sum.add(bytes)
    guard let picture = KeptPicture(digest: sum.hexadecimal(), size: size) else { return .lost("its data are broken") }
    guard kept[picture.digest] == nil else { return .kept(picture) }
    guard self.size + bytes.count <= source.limits.picturesSize else {
      return .lost("all pictures are larger than \(source.limits.picturesSize >> 20) MiB")
    }
    try keep(File(digest: picture.digest, bytes: bytes))
    self.size += bytes.count
    kept[picture.digest] = picture
    return .kept(picture)
  }

  /// Whether a file begins as SVG does: with its root, behind what XML may have in front of that.
  private static func isSVG(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return head.hasPrefix("<") && head.contains("<svg")
  }
}

/// What stands in an address that begins with `data:`.
///
/// Source: RFC 2397, 3.
enum DataAddress {
  /// The bytes; `nil` where the address is malformed.
  static func bytes(of address: String) -> [UInt8]? {
    guard let comma = address.firstIndex(of: ",") else { return nil }
    let text = address[address.index(after: comma)...]
    if address[..<comma].lowercased().hasSuffix(";base64") {
      let plain = text.contains("%") ? text.removingPercentEncoding ?? "" : String(text)
      return Data(base64Encoded: plain, options: .ignoreUnknownCharacters).map { Array($0) }
    }
    return text.removingPercentEncoding.map { Array($0.utf8) }
  }
}
