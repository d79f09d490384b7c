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
