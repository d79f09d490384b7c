import Foundation
import Images
import TestSupport
import Testing
import TextCanvas

struct SixelEncodingTests {
  private static func text(_ form: SixelImage) -> String {
    String(decoding: form.chunks.flatMap(\.bytes), as: UTF8.self)
  }

  @Test func `an image with few colours is written with exactly these colours`() {
    let red: [UInt8] = [255, 0, 0, 255]
    let blue: [UInt8] = [0, 0, 255, 255]
    // The first row is red, the others are blue, and the last two columns below are transparent. There is one row
    // more than a band.
    let image = PixelImage(width: 8, height: 7) { x, y in y == 0 ? red : x < 6 ? blue : [0, 0, 0, 0] }

    #expect(
      Self.text(SixelImage(image))
        == "\u{1B}P0;1;0q\"1;1;8;7#0;2;0;0;100#1;2;100;0;0#1!8@$#0!6}-#0!6@\u{1B}\\")
  }

  @Test func `chunks end with a band, and long bands are split between sequences`() {
    var random = SplitMix64(seed: 3)
    let small = PixelImage(width: 60, height: 60) { x, y in [UInt8(x * 4), UInt8(y / 8 * 32), 0, 255] }
    let noise = PixelImage(width: 900, height: 12) { _, _ in
      [UInt8(random.below(256)), UInt8(random.below(256)), 9, 255]
    }

    let forms = [small, noise].map { SixelImage($0) }

    for form in forms {
      #expect(form.chunks.allSatisfy { $0.bytes.count <= 4096 && !$0.bytes.isEmpty })
      #expect(form.chunks.last?.bytes.suffix(2) == [0x1B, 0x5C])
      // A number is in the same sequence as the character that it belongs to.
      #expect(form.chunks.dropLast().allSatisfy { !"!;".utf8.contains($0.bytes.last ?? 0) })
      #expect(form.chunks.dropFirst().allSatisfy { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0.bytes[0]) })
    }
    #expect(forms[0].chunks.allSatisfy { $0.endsBand })
    #expect(forms[1].chunks.filter(\.endsBand).count >= 2)
    #expect(forms[1].chunks.contains { !$0.endsBand })
  }

  @Test func `an image fills the pixels of its cells over the page colour`() {
    let image = PixelImage(width: 2, height: 1, pixels: [255, 255, 255, 255, 0, 0, 0, 0])

    let form = SixelImage(
      image, cells: CellSize(columns: 2, rows: 1), cell: CellPixels(width: 5, height: 6), background: .hex(0xFF0000))

    #expect(
      Self.text(form) == "\u{1B}P0;1;0q\"1;1;10;6#0;2;100;0;0#1;2;100;100;100#1!5~$#0!5?!5~\u{1B}\\")
  }
}

/// Compares the output with an independent decoder, ImageMagick.
struct ImageMagickTests {
  private static let program = ["/usr/bin/magick", "/usr/bin/convert", "/opt/homebrew/bin/magick"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private struct CommandFailed: Error {}

  /// Converts to PNG first, because ImageMagick before 6.9.12-22 returns black for formats without a palette
  /// (ImageMagick6, issue 167).
  private static func read(_ form: SixelImage, in folder: TemporaryFolder) throws -> PixelImage {
    try folder.write(Data(form.chunks.flatMap(\.bytes)), to: "picture.six")
    let process = Process()
    process.executableURL = URL(filePath: try #require(program))
    process.arguments = ["sixel:\(folder.file("picture.six"))", folder.file("picture.png")]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CommandFailed() }
    return try PixelImage(decoding: Array(folder.bytes(of: "picture.png")), named: "picture.png")
  }

  /// An image with many colours: all hues from left to right, all lightnesses from top to bottom, and a disk.
  private static let hues = PixelImage(width: 200, height: 150) { x, y in
    if (x - 60) * (x - 60) + (y - 80) * (y - 80) < 900 { return [UInt8(x), UInt8(255 - y), UInt8(y), 255] }
    let components = [0, 2, 4].map { shift -> Double in
      let hue = (Double(x) / 200 * 6 + Double(shift)).truncatingRemainder(dividingBy: 6)
      return max(0, min(1, abs(hue - 3) - 1))
    }
    let lightness = Double(y) / 149
    return components.map { component in
      let value = lightness < 0.5 ? component * lightness * 2 : component + (1 - component) * (lightness - 0.5) * 2
      return UInt8(value * 255)
    } + [255]
  }

  /// An image like a photograph: a sky, a meadow with random noise, and a ball with shading.
  private static let landscape: PixelImage = {
    var random = SplitMix64(seed: 9)
    return PixelImage(width: 240, height: 160) { x, y in
      let distance = Double((x - 150) * (x - 150) + (y - 100) * (y - 100)).squareRoot()
      if distance < 35 {
        let light = max(0, 1 - Double((x - 138) * (x - 138) + (y - 85) * (y - 85)).squareRoot() / 60)
        return [UInt8(60 + 190 * light), UInt8(20 + 120 * light), UInt8(15 + 40 * light), 255]
      }
      if y < 90 { return [UInt8(70 + y), UInt8(130 + y / 2 + x / 20), UInt8(230 - y / 4), 255] }
      let grass = random.below(40)
      return [UInt8(40 + grass + x / 8), UInt8(110 + grass - y / 4 + x / 10), UInt8(20 + grass / 2), 255]
    }
  }()

  /// The maximum mean error of each image in ImageMagick's output. For comparison, Pillow and ImageMagick reach 0.029
  /// and 0.032 for `hues` with 256 colours and Floyd–Steinberg dithering.
  @Test(
    .enabled(if: program != nil, "ImageMagick is not here."),
    arguments: [("flag", 0.003), ("few", 0.003), ("landscape", 0.02), ("hues", 0.029)])
  func `ImageMagick decodes an image close to the original`(name: String, limit: Double) throws {
    let images = [
      "hues": Self.hues, "landscape": Self.landscape, "flag": FilePictures.flag,
      "few": PixelImage(width: 31, height: 23) { x, y in [UInt8(x / 4 * 30), UInt8(y / 4 * 40), 77, 255] },
    ]
    let image = try #require(images[name])

    let read = try Self.read(SixelImage(image), in: TemporaryFolder())

    try #require(read.width == image.width && read.height == image.height)
    // Alpha is equal in all pixels, so the error is distributed over three of four bytes.
    let error = read.meanError(to: image) / 255 * 4 / 3
    #expect(error <= limit, "\(error)")
  }
}
