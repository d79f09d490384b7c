/// A reference to an image that is stored with a course, or to a sound.
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
    var images: [StoredImage] = []
    children.visit { if case .image(_, _, let image?) = $0 { images.append(image) } }
    return images
  }
}
