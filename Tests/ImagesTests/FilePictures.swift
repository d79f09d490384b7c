import Foundation
import Images

/// The images that `Fixtures/make-fixtures.py` generates.
enum FilePictures {
  static let names = [
    "baseline.jpg", "sampled.jpg", "progressive.jpg", "grey.jpg", "inks.jpg", "lossy.webp", "lossy-alpha.webp",
    "lossless.webp", "animated.webp", "flag.gif", "interlaced.gif", "clear.gif", "animated.gif",
  ]

  static func bytes(of name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    return Array(try Data(contentsOf: folder.appending(path: "Fixtures/\(name)")))
  }

  static let ramp = PixelImage(width: 24, height: 16) { x, y in [UInt8(10 * x), UInt8(15 * y), 128, 255] }

  static let clearRamp = PixelImage(width: 24, height: 16) { x, y in
    [UInt8(10 * x), UInt8(15 * y), 128, x < 4 ? 0 : x > 8 ? 255 : 100]
  }

  static let flag = PixelImage(width: 24, height: 16) { x, _ in
    x < 8 ? [255, 0, 0, 255] : x < 16 ? [0, 128, 0, 255] : [0, 0, 255, 255]
  }
}

extension PixelImage {
  /// Makes an image from a function of column and row.
  init(width: Int, height: Int, pixel: (Int, Int) -> [UInt8]) {
    self.init(
      width: width, height: height,
      pixels: (0..<height).flatMap { row in (0..<width).flatMap { column in pixel(column, row) } })
  }

  /// Returns the mean absolute difference of the bytes of two images of equal size.
  func meanError(to other: PixelImage) -> Double {
    let sum = zip(pixels, other.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(pixels.count)
  }
}
