import Pictures
import Testing

struct PictureErrorTests {
  private static func message(_ bytes: [UInt8], limits: PictureLimits = PictureLimits()) -> String {
    do throws(PictureError) {
      let picture = try Picture(decoding: bytes, named: "hive.png", limits: limits)
      return "\(picture.width) × \(picture.height)"
    } catch {
      return error.description
    }
  }

  private static let png = TinyPNG(width: 40, height: 30, bitDepth: 8, colourType: 2) { x, y in [x, y, 7] }.bytes

  @Test func `bytes of no picture are named, and no bytes too`() {
    #expect(
      Self.message(Array("<svg xmlns=".utf8))
        == "Could not read picture 'hive.png': it begins with 3C 73 76 67 20 78 6D 6C, which is none of PNG, JPEG, WebP, "
        + "GIF. Save it as one of them.")
    #expect(Self.message([]) == "Could not read picture 'hive.png': it is empty. Put the picture there again.")
  }

  @Test func `a picture of more pixels than it may have is refused by its header`() {
    #expect(
      Self.message(Array(Self.png.prefix(33)), limits: PictureLimits(pixels: 1199))
        == "Could not read picture 'hive.png': it is 40 × 30 pixels, and at most 1199 in all are read. Save it smaller."
    )
    #expect(Self.message(Self.png, limits: PictureLimits(pixels: 1200)) == "40 × 30")
  }

  @Test func `a picture that takes more memory than it may is refused by its header`() throws {
    // 4800 of pixels, 960 of rows for the filters, an eighth of the limit for other chunks, 131072 of inflation.
    #expect(
      Self.message(Array(Self.png.prefix(33)), limits: PictureLimits(memory: 1 << 16))
        == "Could not read picture 'hive.png': it takes 145024 bytes to decode, and at most "
        + "65536 are given. Save it smaller.")
    // 24 × 16 pixels, and the coefficients of three components in blocks of 8 × 8, each with room to spare.
    let coefficients = 3 * (3 + 1) * (2 + 1) * 64 * 2
    #expect(
      Self.message(try FilePictures.bytes(of: "progressive.jpg"), limits: PictureLimits(memory: 1 << 20))
        == "Could not read picture 'hive.png': it takes \(4 * 24 * 16 + coefficients + 256 * 24 + 1 << 20) bytes to "
        + "decode, and at most 1048576 are given. Save it smaller.")
  }

  @Test(arguments: [
    ("baseline.jpg", "JPEG"), ("progressive.jpg", "JPEG"), ("lossy.webp", "WebP"), ("lossless.webp", "WebP"),
    ("flag.gif", "GIF"),
  ])
  func `a picture that is cut is told by where it ends`(name: String, format: String) throws {
    let bytes = try FilePictures.bytes(of: name)
    // Behind the header of each, and before its last bytes.
    let end = bytes.count * 9 / 10

    #expect(
      Self.message(Array(bytes.prefix(end)))
        == "Could not read picture 'hive.png': its \(format) data end after \(end) bytes, before the picture does. "
        + "Get the whole file.")
  }

  @Test func `a PNG that is cut is told by where it ends`() {
    #expect(
      Self.message(Array(Self.png.prefix(2000)))
        == "Could not read picture 'hive.png': its PNG data end after 2000 bytes, before the picture does. "
        + "Get the whole file.")
  }

  @Test func `a picture that is broken is told in the words of what reads it`() throws {
    var png = Self.png
    png[8 + 25 - 1] ^= 1
    var jpeg = try FilePictures.bytes(of: "baseline.jpg")
    // The precision of its samples, which stands behind the length of its frame's header.
    jpeg[try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 }) + 4] = 12
    var webp = try FilePictures.bytes(of: "lossy.webp")
    // The mark of a key frame, behind the chunk's header and the frame's tag.
    webp[23] = 0
    var gif = try FilePictures.bytes(of: "flag.gif")
    (gif[6], gif[7]) = (0, 0)

    #expect(
      [png, jpeg, webp, gif].map { Self.message($0) } == [
        "Could not read picture 'hive.png': its PNG data are broken: invalid chunk checksum. "
          + "Save it again with a program that shows it.",
        "Could not read picture 'hive.png': its JPEG data are broken: Unsupported JPEG data precision 12. "
          + "Save it again with a program that shows it.",
        "Could not read picture 'hive.png': its WebP data are broken: its bit stream makes no sense. "
          + "Save it again with a program that shows it.",
        "Could not read picture 'hive.png': its GIF data are broken: its size is 0 × 16 pixels. "
          + "Save it again with a program that shows it.",
      ])
  }

  @Test func `an animation of WebP is named`() throws {
    #expect(
      Self.message(try FilePictures.bytes(of: "animated.webp"))
        == "Could not read picture 'hive.png': it is WebP of a kind that is not read: an animation. Save it as PNG.")
  }
}
