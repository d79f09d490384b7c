import Images
import Testing

struct ImageErrorTests {
  private static func message(_ bytes: [UInt8], limits: ImageLimits = ImageLimits()) -> String {
    do throws(ImageError) {
      let image = try PixelImage(decoding: bytes, named: "hive.png", limits: limits)
      return "\(image.width) × \(image.height)"
    } catch {
      return error.description
    }
  }

  private static let png = TinyPNG(width: 40, height: 30, bitDepth: 8, colourType: 2) { x, y in [x, y, 7] }.bytes

  @Test func `the message for an unknown format contains the first bytes`() {
    #expect(
      Self.message(Array("<svg xmlns=".utf8))
        == "Could not read image 'hive.png': it begins with 3C 73 76 67 20 78 6D 6C, which is not the "
        + "signature of PNG, JPEG, WebP, GIF. Save it in one of these formats.")
    #expect(Self.message([]) == "Could not read image 'hive.png': the file is empty. Replace it.")
  }

  @Test func `an image with too many pixels is rejected from its header`() {
    #expect(
      Self.message(Array(Self.png.prefix(33)), limits: ImageLimits(pixels: 1199))
        == "Could not read image 'hive.png': it has 40 × 30 pixels, and the maximum is 1199 pixels in total. Reduce "
        + "its size."
    )
    #expect(Self.message(Self.png, limits: ImageLimits(pixels: 1200)) == "40 × 30")
  }

  @Test func `an image that needs too much memory is rejected from its header`() throws {
    // 4,800 bytes for pixels, 960 for rows of the filters, an eighth of the limit for other chunks, and 131,072 for
    // inflate.
    #expect(
      Self.message(Array(Self.png.prefix(33)), limits: ImageLimits(memory: 1 << 16))
        == "Could not read image 'hive.png': decoding it needs 145024 bytes of memory, and the maximum is 65536. "
        + "Reduce its size.")
    // 24 × 16 pixels, and the coefficients of three components in blocks of 8 × 8, each with an additional block.
    let coefficients = 3 * (3 + 1) * (2 + 1) * 64 * 2
    #expect(
      Self.message(try FilePictures.bytes(of: "progressive.jpg"), limits: ImageLimits(memory: 1 << 20))
        == "Could not read image 'hive.png': decoding it needs \(4 * 24 * 16 + coefficients + 256 * 24 + 1 << 20) "
        + "bytes of memory, and the maximum is 1048576. Reduce its size.")
  }

  @Test(arguments: [
    ("baseline.jpg", "JPEG"), ("progressive.jpg", "JPEG"), ("lossy.webp", "WebP"), ("lossless.webp", "WebP"),
    ("flag.gif", "GIF"),
  ])
  func `a truncated JPEG, WebP or GIF is reported with its length`(name: String, format: String) throws {
    let bytes = try FilePictures.bytes(of: name)
    // These lengths are after the header of each file and before its last bytes.
    let end = bytes.count * 9 / 10

    #expect(
      Self.message(Array(bytes.prefix(end)))
        == "Could not read image 'hive.png': its \(format) data is incomplete and ends after \(end) bytes. Get the "
        + "complete file.")
  }

  @Test func `a truncated PNG is reported with its length`() {
    #expect(
      Self.message(Array(Self.png.prefix(2000)))
        == "Could not read image 'hive.png': its PNG data is incomplete and ends after 2000 bytes. Get the complete "
        + "file.")
  }

  @Test func `a damaged image is reported with the message of its decoder`() throws {
    var png = Self.png
    png[8 + 25 - 1] ^= 1
    var jpeg = try FilePictures.bytes(of: "baseline.jpg")
    // The sample precision, which follows the length of the frame header.
    jpeg[try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 }) + 4] = 12
    var webp = try FilePictures.bytes(of: "lossy.webp")
    // The start code of the key frame, which follows the chunk header and the frame tag.
    webp[23] = 0
    var gif = try FilePictures.bytes(of: "flag.gif")
    (gif[6], gif[7]) = (0, 0)

    #expect(
      [png, jpeg, webp, gif].map { Self.message($0) } == [
        "Could not read image 'hive.png': its PNG data is invalid: invalid chunk checksum. "
          + "Save it again with a program that can open it.",
        "Could not read image 'hive.png': its JPEG data is invalid: Unsupported JPEG data precision 12. "
          + "Save it again with a program that can open it.",
        "Could not read image 'hive.png': its WebP data is invalid: its bit stream is invalid. "
          + "Save it again with a program that can open it.",
        "Could not read image 'hive.png': its GIF data is invalid: its size is 0 × 16 pixels. "
          + "Save it again with a program that can open it.",
      ])
  }

  @Test func `an animated WebP is reported as unsupported`() throws {
    #expect(
      Self.message(try FilePictures.bytes(of: "animated.webp"))
        == "Could not read image 'hive.png': this kind of WebP is not supported: an animation. Save it as PNG.")
  }
}
