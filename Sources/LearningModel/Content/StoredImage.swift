/// A reference to an image that is stored with a course, or to a sound: see ``Inline/soundName``.
public struct StoredImage: Hashable, Sendable {
  /// The SHA-256 of the image's bytes, as 64 lower-case hexadecimal digits. Equal images have equal digests.
  public let digest: String
  /// The size in pixels, or `nil` if the image has none (SVG) or the file is a sound.
  public let size: PixelSize?

  /// The size of an image in pixels.
  public struct PixelSize: Hashable, Sendable {
    /// The width, at least 1.
    public let width: Int
    /// The height, at least 1.
    public let height: Int

    /// Creates a size, or `nil` if the width or the height is less than 1.
    public init?(width: Int, height: Int) {
      guard width > 0, height > 0 else { return nil }
      self.width = width
      self.height = height
    }
  }

  /// Creates a reference to an image. Returns `nil` if the digest is not valid.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256, as 64 lower-case hexadecimal digits.
  ///   - size: The size in pixels, or `nil` if the image has none.
  public init?(digest: String, size: PixelSize?) {
    guard digest.utf8.count == 64, digest.utf8.allSatisfy(Self.isDigit) else { return nil }
    self.digest = digest
    self.size = size
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

extension Inline {
  /// The name of the sound or video to which the element refers, or `nil` for other elements. The element is an image
  /// whose source has the extension of a sound. Its file is stored like that of an image, and its name is shown.
  package var soundName: String? {
    guard case .image(let source, let name, _) = self,
      let ending = source.split(separator: ".").last?.lowercased(), Self.soundExtensions.contains(ending)
    else { return nil }
    return name.isEmpty ? source : name
  }

  /// Source: Anki's extensions of sounds and videos (`aqt/editor.py`, `audio`).
  private static let soundExtensions: Set<String> = [
    "3gp", "aac", "avi", "flac", "flv", "m4a", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "oga", "ogg", "ogv", "ogx",
    "opus", "spx", "swf", "wav", "webm",
  ]
}

extension ActivityContent {
  /// The stored images in reading order. An image that occurs several times is included several times.
  package var storedImages: [StoredImage] {
    switch self {
    case .reading(let blocks): blocks.storedImages
    case .flashcards(let introduction, let cards):
      introduction.storedImages + cards.flatMap { $0.front.storedImages + $0.back.storedImages }
    case .quiz(let introduction, let questions, _):
      introduction.storedImages
        + questions.flatMap { question in
          question.question.storedImages + question.details.storedImages
            + question.choices.flatMap(\.text.storedImages) + question.explanation.storedImages
        }
    case .link(_, let text): text.storedImages
    }
  }
}

extension [Block] {
  /// The stored images in reading order.
  package var storedImages: [StoredImage] {
    flatMap { block in
      block.children.flatMap { child in
        switch child {
        case .line(let line): line.storedImages
        case .blocks(let blocks): blocks.storedImages
        }
      }
    }
  }
}

extension [Inline] {
  /// The stored images in reading order.
  package var storedImages: [StoredImage] {
    flatMap { inline -> [StoredImage] in
      switch inline {
      case .image(_, _, let image): image.map { [$0] } ?? []
      case .emphasis(let inner), .strong(let inner), .strikethrough(let inner), .link(_, let inner):
        inner.storedImages
      case .text, .code, .key, .math, .lineBreak, .target: []
      }
    }
  }
}
