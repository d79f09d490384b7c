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

extension KeptPicture.PixelSize {
  /// Pixels that a drawing asks for: its width and height, one of them in proportion to the other where only one is
  /// said, and a page's width where both depend on the page; `nil` where it says nothing of its sides.
  ///
  /// Sources: W3C, "SVG 2", 8.2 (`viewBox`) and 8.9 ("Intrinsic sizing properties"); W3C, "CSS Values and Units Level 3",
  /// 5.2 (lengths) and 5.1.1 (an `em` of 16 pixels).
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
    // A page never shows more, and the largest number has no neighbours.
    guard let size, case let scale = min(1, Self.most / max(size.width, size.height)), scale.isFinite else {
      return nil
    }
    self.init(
      width: max(1, Int((size.width * scale).rounded())), height: max(1, Int((size.height * scale).rounded())))
  }

  /// The width of a drawing that fills its page, in pixels.
  private static let page = 600.0

  /// The longest side that a drawing gets, in pixels.
  private static let most = 2048.0

  /// A length in pixels; `nil` where it depends on the page or is none.
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
