/// A picture as pixels.
///
/// A pixel is four bytes: red, green, blue in sRGB, and alpha, which is not multiplied into them: a half transparent
/// white is `255 255 255 128`. Rows follow each other from the top without gaps.
public struct Picture: Hashable, Sendable {
  /// Pixels in a row; at least 1.
  public let width: Int
  /// Rows; at least 1.
  public let height: Int
  /// Four bytes for each pixel.
  public let pixels: [UInt8]
  /// Whether every pixel covers what lies below it wholly.
  public let isOpaque: Bool

  /// Makes a picture.
  ///
  /// - Parameters:
  ///   - width: Pixels in a row; at least 1.
  ///   - height: Rows; at least 1.
  ///   - pixels: `4 × width × height` bytes.
  public init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(
      width > 0 && height > 0 && pixels.count == 4 * width * height,
      "A picture of \(width) × \(height) has \(4 * width * height) bytes, not \(pixels.count).")
    self.width = width
    self.height = height
    self.pixels = pixels
    isOpaque = pixels.withUnsafeBufferPointer { bytes in
      var covering: UInt8 = 0xFF
      for index in stride(from: 3, to: bytes.count, by: 4) { covering &= bytes[index] }
      return covering == 0xFF
    }
  }
}

/// A way to keep a picture in a file.
public enum PictureFormat: String, CaseIterable, Hashable, Sendable {
  /// Portable Network Graphics.
  case png = "PNG"
  /// What cameras write.
  case jpeg = "JPEG"
  /// WebP, with loss or without.
  case webp = "WebP"
  /// The Graphics Interchange Format, of which the first picture is read.
  case gif = "GIF"

  /// Makes the format whose files begin with such bytes; `nil` where no format that is read here does. Names of files
  /// have no say.
  ///
  /// Source: PNG (Third Edition), 5.2; ITU-T T.81, B.1.1.3 (SOI, and the marker behind it); RFC 9649, 2.4; GIF89a
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

/// What a picture says of itself before it is decoded.
public struct PictureFacts: Hashable, Sendable {
  /// Its format.
  public var format: PictureFormat
  /// Pixels in a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Makes facts.
  public init(format: PictureFormat, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }
}

/// What a picture may take; looked at before anything is allocated for its pixels.
public struct PictureLimits: Hashable, Sendable {
  /// Pixels.
  public var pixels: Int
  /// Bytes: its pixels, and what decoding needs beside them.
  public var memory: Int

  /// Makes limits; as they stand by themselves, 40 million pixels and 256 MiB.
  public init(pixels: Int = 40_000_000, memory: Int = 256 << 20) {
    self.pixels = pixels
    self.memory = memory
  }
}

/// Why a picture could not be read.
public enum PictureError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It begins with bytes of no format that is read here; the first eight of them at most.
  case unknownFormat(picture: String, firstBytes: [UInt8])
  /// It has more pixels than it may have.
  case tooManyPixels(picture: String, width: Int, height: Int, limit: Int)
  /// Decoding it would take more bytes than it may.
  case tooMuchMemory(picture: String, bytes: Int, limit: Int)
  /// Its data end before the picture does.
  case cut(picture: String, format: PictureFormat, bytes: Int)
  /// Its data are wrong; in the words of the library that reads them.
  case broken(picture: String, format: PictureFormat, reason: String)
  /// It is of a kind that is not read, though its format is.
  case unreadableKind(picture: String, format: PictureFormat, kind: String)

  /// The words for a person.
  public var description: String {
    switch self {
    case .unknownFormat(let picture, let bytes) where bytes.isEmpty:
      "Could not read picture '\(picture)': it is empty. Put the picture there again."
    case .unknownFormat(let picture, let bytes):
      "Could not read picture '\(picture)': it begins with \(Self.hexadecimal(bytes)), "
        + "which is none of \(Self.formats). Save it as one of them."
    case .tooManyPixels(let picture, let width, let height, let limit):
      "Could not read picture '\(picture)': it is \(width) × \(height) pixels, and at most \(limit) in all are read. "
        + "Save it smaller."
    case .tooMuchMemory(let picture, let bytes, let limit):
      "Could not read picture '\(picture)': it takes \(bytes) bytes to decode, and at most \(limit) are given. "
        + "Save it smaller."
    case .cut(let picture, let format, let bytes):
      "Could not read picture '\(picture)': its \(format.rawValue) data end after \(bytes) bytes, "
        + "before the picture does. Get the whole file."
    case .broken(let picture, let format, let reason):
      "Could not read picture '\(picture)': its \(format.rawValue) data are broken: \(reason). "
        + "Save it again with a program that shows it."
    case .unreadableKind(let picture, let format, let kind):
      "Could not read picture '\(picture)': it is \(format.rawValue) of a kind that is not read: \(kind). "
        + "Save it as PNG."
    }
  }

  private static var formats: String { PictureFormat.allCases.map(\.rawValue).joined(separator: ", ") }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
  }
}
