/// An image as an array of pixels.
///
/// A pixel has four bytes: red, green and blue in sRGB, and alpha. The colours are not premultiplied:
/// half-transparent white is `255 255 255 128`. The rows are stored from top to bottom without padding.
public struct PixelImage: Hashable, Sendable {
  /// The number of pixels in a row, at least 1.
  public let width: Int
  /// The number of rows, at least 1.
  public let height: Int
  /// Four bytes for each pixel.
  public let pixels: [UInt8]
  /// Whether every pixel is fully opaque.
  public let isOpaque: Bool

  /// Makes an image.
  ///
  /// - Parameters:
  ///   - width: The number of pixels in a row, at least 1.
  ///   - height: The number of rows, at least 1.
  ///   - pixels: `4 × width × height` bytes.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(
      width > 0 && height > 0 && pixels.count == 4 * width * height,
      "An image of \(width) × \(height) pixels must have \(4 * width * height) bytes, not \(pixels.count).")
    self.width = width
    self.height = height
    self.pixels = pixels
    isOpaque = pixels.withUnsafeBufferPointer { bytes in
      var minimumAlpha: UInt8 = 0xFF
      for index in stride(from: 3, to: bytes.count, by: 4) { minimumAlpha &= bytes[index] }
      return minimumAlpha == 0xFF
    }
  }
}

/// An image file format.
public enum ImageFormat: String, CaseIterable, Hashable, Sendable {
  /// Portable Network Graphics.
  case png = "PNG"
  /// The format of the Joint Photographic Experts Group.
  case jpeg = "JPEG"
  /// WebP, lossy or lossless.
  case webp = "WebP"
  /// The Graphics Interchange Format. Only the first image of an animation is read.
  case gif = "GIF"

  /// Determines the format from the first bytes of a file, or returns `nil` for unsupported formats. File names are
  /// ignored.
  ///
  /// Source: PNG (Third Edition), 5.2; ITU-T T.81, B.1.1.3 (SOI and the following marker); RFC 9649, 2.4; GIF89a
  /// specification, 17.
  public init?(firstBytes bytes: [UInt8]) {
    func begins(with text: String, at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: text.utf8)
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if begins(with: "RIFF"), begins(with: "WEBP", at: 8) {
      self = .webp
    } else if begins(with: "GIF87a") || begins(with: "GIF89a") {
      self = .gif
    } else {
      return nil
    }
  }
}

/// The properties in the header of an image file. They can be read without decoding the image.
public struct ImageHeader: Hashable, Sendable {
  /// The file format.
  public var format: ImageFormat
  /// The number of pixels in a row.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates the properties of an image file.
  public init(format: ImageFormat, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }
}

/// The limits for decoding an image. They are checked before memory for its pixels is allocated.
public struct ImageLimits: Hashable, Sendable {
  /// The maximum number of pixels.
  public var pixels: Int
  /// The maximum memory in bytes, for the pixels and for decoding them.
  public var memory: Int

  /// Creates limits. The defaults are 40 million pixels and 256 MiB.
  public init(pixels: Int = 40_000_000, memory: Int = 256 << 20) {
    self.pixels = pixels
    self.memory = memory
  }
}

/// The reason why an image cannot be decoded.
public enum ImageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not begin like a supported format. `firstBytes` contains at most its first eight bytes.
  case unknownFormat(image: String, firstBytes: [UInt8])
  /// The image has more pixels than allowed.
  case tooManyPixels(image: String, width: Int, height: Int, limit: Int)
  /// Decoding the image would take more bytes than allowed.
  case tooMuchMemory(image: String, bytes: Int, limit: Int)
  /// The data ends before the image is complete.
  case truncated(image: String, format: ImageFormat, bytes: Int)
  /// The data is invalid. `reason` is the message of the decoding library.
  case corrupt(image: String, format: ImageFormat, reason: String)
  /// The image uses a feature of its format that is not supported.
  case unreadableKind(image: String, format: ImageFormat, kind: String)

  /// A message with the cause and a remedy.
  public var description: String {
    switch self {
    case .unknownFormat(let name, let bytes) where bytes.isEmpty:
      "Could not read image '\(name)': the file is empty. Replace it."
    case .unknownFormat(let name, let bytes):
      "Could not read image '\(name)': it begins with \(Self.hexadecimal(bytes)), "
        + "which is not the signature of \(Self.formats). Save it in one of these formats."
    case .tooManyPixels(let name, let width, let height, let limit):
      "Could not read image '\(name)': it has \(width) × \(height) pixels, and the maximum is \(limit) pixels in "
        + "total. Reduce its size."
    case .tooMuchMemory(let name, let bytes, let limit):
      "Could not read image '\(name)': decoding it needs \(bytes) bytes of memory, and the maximum is \(limit). "
        + "Reduce its size."
    case .truncated(let name, let format, let bytes):
      "Could not read image '\(name)': its \(format.rawValue) data is incomplete and ends after \(bytes) bytes. "
        + "Get the complete file."
    case .corrupt(let name, let format, let reason):
      "Could not read image '\(name)': its \(format.rawValue) data is invalid: \(reason). "
        + "Save it again with a program that can open it."
    case .unreadableKind(let name, let format, let kind):
      "Could not read image '\(name)': this kind of \(format.rawValue) is not supported: \(kind). Save it as PNG."
    }
  }

  private static var formats: String { ImageFormat.allCases.map(\.rawValue).joined(separator: ", ") }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
  }
}
