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
