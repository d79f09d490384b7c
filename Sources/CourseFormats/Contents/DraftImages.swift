import Foundation
import LearningModel
import Images
import WholeNumbers

/// Finds the images and sounds to which the texts of a source refer. Each file is examined once.
struct DraftImages {
  /// The result of examining an image.
  enum Finding: Equatable {
    /// The image is stored with the course.
    case stored(StoredImage)
    /// The image is not stored. The value is the reason, as the end of a sentence.
    case omitted(String)
  }

  struct File {
    let digest: String
    let bytes: [UInt8]
  }

  private let source: CourseSource
  /// The results by path.
  private var findings: [String: Finding] = [:]
  /// The stored images and sounds by digest.
  private(set) var stored: [String: StoredImage] = [:]
  /// The sizes of the stored files in bytes, by digest: images, sounds and the files of exercises.
  private(set) var sizes: [String: Int] = [:]
  /// The digests of the stored files that are no images.
  private(set) var sounds: Set<String> = []
  /// The total number of bytes of the stored images.
  private var size = 0
  /// The digest of the images that are separate files.
  private(set) var digest = SourceDigest()
  private(set) var hasFiles = false

  init(_ source: CourseSource) {
    self.source = source
  }

  /// Finds the image to which a text refers.
  ///
  /// - Parameters:
  ///   - paths: The candidates, as paths in the source. The first existing file is used.
  ///   - isSound: Whether the file is stored without being examined.
  ///   - keep: Stores an image that was not stored before.
  mutating func resolve(_ paths: [String], isSound: Bool, keep: (File) throws -> Void) throws -> Finding {
    guard let path = paths.first(where: { findings[$0] != nil || source.hasLinkedFile($0) }) else {
      return .omitted("its file is missing")
    }
    if let finding = findings[path] { return finding }
    let finding: Finding =
      switch read(path) {
      case .success(let bytes): try inspect(at: bytes, mayBeSound: isSound, keep: keep)
      case .failure(.limit): .omitted(tooLarge)
      case .failure: .omitted("its file cannot be read")
      }
    if case .stored(let picture) = finding {
      digest.add(Array(picture.digest.utf8), of: path)
      hasFiles = true
    }
    findings[path] = finding
    return finding
  }

  private func read(_ path: String) -> Result<[UInt8], CourseFormatError> {
    do {
      return .success(try source.linkedBytes(of: path, upTo: source.limits.imageSize))
    } catch let error as CourseFormatError {
      return .failure(error)
    } catch {
      return .failure(.readFailed(path: path, reason: String(describing: error)))
    }
  }

  /// Stores a file of an exercise without examining it.
  ///
  /// - Parameters:
  ///   - path: The path in the source.
  ///   - keep: Stores a file that was not stored before.
  /// - Returns: The digest of the file.
  mutating func store(_ bytes: [UInt8], of path: String, keep: (File) throws -> Void) throws -> String {
    let file = File(digest: SourceDigest.digest(of: bytes), bytes: bytes)
    if sizes.updateValue(bytes.count, forKey: file.digest) == nil { try keep(file) }
    digest.add(Array(file.digest.utf8), of: path)
    hasFiles = true
    return file.digest
  }

  /// Reads an image from a `data:` URL.
  ///
  /// - Parameters:
  ///   - address: The whole URL, including `data:`.
  ///   - mayBeSound: Whether a file that is no image is stored as a sound.
  ///   - keep: Stores an image that was not stored before.
  mutating func resolve(data address: String, mayBeSound: Bool, keep: (File) throws -> Void) throws -> Finding {
    // Base64 has four characters for three bytes, and may contain line breaks.
    guard address.utf8.count <= source.limits.imageSize / 2 * 3 else { return .omitted(tooLarge) }
    guard let bytes = DataAddress.bytes(of: address) else { return .omitted("its data is invalid") }
    return try inspect(at: bytes, mayBeSound: mayBeSound, keep: keep)
  }

  /// The reason for an image that exceeds the size limit.
  private var tooLarge: String { "it is larger than \(source.limits.imageSize >> 20) MiB" }

  private mutating func inspect(
    at bytes: [UInt8], mayBeSound: Bool, keep: (File) throws -> Void
  ) throws -> Finding {
    guard bytes.count <= source.limits.imageSize else { return .omitted(tooLarge) }
    let size: StoredImage.PixelSize?
    var isSound = false
    if ImageFormat(firstBytes: Array(bytes.prefix(12))) == nil, !Self.isSVG(bytes) {
      guard mayBeSound else { return .omitted("it is not a PNG, JPEG, GIF, WebP or SVG file") }
      guard !bytes.isEmpty else { return .omitted("its file is empty") }
      (size, isSound) = (nil, true)
    } else {
      do {
        size = try pixelSize(of: bytes)
      } catch {
        // A file of an exercise may look like an image.
        guard mayBeSound else { return .omitted("its data is invalid") }
        (size, isSound) = (nil, true)
      }
    }
    guard let picture = StoredImage(digest: SourceDigest.digest(of: bytes), size: size) else {
      return .omitted("its data is invalid")
    }
    if isSound { sounds.insert(picture.digest) }
    guard stored[picture.digest] == nil else { return .stored(picture) }
    guard self.size + bytes.count <= source.limits.totalImageSize else {
      return .omitted("all images together are larger than \(source.limits.totalImageSize >> 20) MiB")
    }
    try keep(File(digest: picture.digest, bytes: bytes))
    self.size += bytes.count
    sizes[picture.digest] = bytes.count
    stored[picture.digest] = picture
    return .stored(picture)
  }

  /// Returns the size of an image: `nil` for a drawing without one. Throws an error if the data is invalid.
  private func pixelSize(of bytes: [UInt8]) throws -> StoredImage.PixelSize? {
    guard ImageFormat(firstBytes: Array(bytes.prefix(12))) == nil else {
      let facts = try PixelImage.header(of: bytes, named: source.name)
      return StoredImage.PixelSize(width: facts.width, height: facts.height)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    try HTMLDocument.check(text, file: source.name, limits: source.limits)
    return try XMLTree.withRoot(of: text, strict: false) { StoredImage.PixelSize(drawing: $0) }
  }

  /// Returns whether a file looks like SVG: it begins with `<`, and its first 1,024 bytes contain `<svg`.
  static func isSVG(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(1024), as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return head.hasPrefix("<") && head.contains("<svg")
  }
}

/// Decodes `data:` URLs.
///
/// Source: RFC 2397, 3.
enum DataAddress {
  /// Returns the decoded bytes, or `nil` if the URL is malformed.
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

extension StoredImage.PixelSize {
  /// Makes the intrinsic size of an SVG image, in pixels.
  ///
  /// If only the width or the height is given, the other is derived from the aspect ratio of the view box. If neither
  /// is given, the image gets the width of a page. Returns `nil` if neither a usable size nor a view box is given.
  ///
  /// Sources: W3C, "SVG 2", 8.2 (`viewBox`) and 8.9 ("Intrinsic sizing properties"); W3C, "CSS Values and Units Level
  /// 3", 5.2 (lengths) and 5.1.1 (an `em` of 16 pixels).
  init?(drawing root: HTMLNode) {
    let box = (root.attribute("viewbox") ?? "").split { $0.isWhitespace || $0 == "," }.compactMap { Double($0) }
    let sides = box.count == 4 && box[2] > 0 && box[3] > 0 ? (width: box[2], height: box[3]) : nil
    let width = Self.pixels(root.attribute("width"))
    let height = Self.pixels(root.attribute("height"))
    let size: (width: Double, height: Double)? =
      switch (width, height, sides) {
      case (let width?, let height?, _): (width, height)
      case (let width?, nil, let box?): (width, width * box.height / box.width)
      case (nil, let height?, let box?): (height * box.width / box.height, height)
      case (nil, nil, let box?): (Self.page, Self.page * box.height / box.width)
      case (_, _, nil): nil
      }
    guard let size, size.width.isFinite, size.height.isFinite else { return nil }
    // Larger sizes are scaled down, because no page shows more pixels.
    let scale = min(1, Self.maximumSide / max(size.width, size.height))
    self.init(
      width: max(1, Int(clamping: (size.width * scale).rounded())),
      height: max(1, Int(clamping: (size.height * scale).rounded())))
  }

  /// The width in pixels that is assumed for an SVG image whose width is relative to its page.
  private static let page = 600.0

  /// The maximum length of the longer side, in pixels.
  private static let maximumSide = 2048.0

  /// Returns a length in pixels, or `nil` if it is relative to the page or invalid.
  private static func pixels(_ length: String?) -> Double? {
    guard let length = length?.trimmingCharacters(in: .whitespaces),
      let end = length.lastIndex(where: { $0.isNumber || $0 == "." }),
      let number = Double(length[...end]), number > 0, number.isFinite,
      let unit = units[length[length.index(after: end)...].lowercased()]
    else { return nil }
    return number * unit
  }

  private static let units: [String: Double] = [
    "": 1, "px": 1, "pt": 96.0 / 72, "pc": 16, "in": 96, "cm": 96.0 / 2.54, "mm": 9.6 / 2.54, "em": 16,
  ]
}
