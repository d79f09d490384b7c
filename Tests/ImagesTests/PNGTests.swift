import Images
import Testing

struct PNGTests {
  /// Returns a PNG of 13 × 11 pixels with pseudorandom samples, and the expected image.
  private static func picture(
    bitDepth: Int, colourType: Int, isInterlaced: Bool
  ) -> (png: TinyPNG, expected: PixelImage) {
    let largest = 1 << bitDepth - 1
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colourType]!
    func samples(_ column: Int, _ row: Int) -> [Int] {
      (0..<channels).map { (column * 40_503 + row * 30_011 + $0 * 20_011 + column * row) % 65_536 & largest }
    }
    let palette = (0...min(largest, 255)).flatMap { [UInt8($0), UInt8(255 - $0), UInt8($0 ^ 0x55)] }
    var png = TinyPNG(
      width: 13, height: 11, bitDepth: bitDepth, colourType: colourType, isInterlaced: isInterlaced, samples: samples)
    if colourType == 3 { png.palette = palette }
    let expected = PixelImage(width: 13, height: 11) { column, row in
      let values = samples(column, row)
      if colourType == 3 { return Array(palette[3 * values[0]..<3 * values[0] + 3]) + [255] }
      let bytes = values.map { bitDepth == 16 ? UInt8($0 >> 8) : UInt8($0 * 255 / largest) }
      return switch channels {
      case 1: [bytes[0], bytes[0], bytes[0], 255]
      case 2: [bytes[0], bytes[0], bytes[0], bytes[1]]
      case 3: bytes + [255]
      default: bytes
      }
    }
    return (png, expected)
  }

  @Test(arguments: [
    (1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (8, 2), (16, 2), (1, 3), (2, 3), (4, 3), (8, 3), (8, 4), (16, 4), (8, 6),
    (16, 6),
  ])
  func `every PNG colour type and bit depth is decoded, also interlaced`(bitDepth: Int, colourType: Int) throws {
    for isInterlaced in [false, true] {
      let (png, expected) = Self.picture(bitDepth: bitDepth, colourType: colourType, isInterlaced: isInterlaced)

      let image = try PixelImage(decoding: png.bytes, named: "lot.png")

      #expect(image == expected)
    }
  }

  @Test func `transparent palette entries and colour keys are decoded`() throws {
    let palette = TinyPNG(
      width: 3, height: 1, bitDepth: 2, colourType: 3, palette: [1, 2, 3, 4, 5, 6, 7, 8, 9], transparency: [0, 100],
      samples: { column, _ in [column] })
    let key = TinyPNG(
      width: 2, height: 1, bitDepth: 8, colourType: 2, transparency: [0, 10, 0, 20, 0, 30],
      samples: { column, _ in [10, 20, 30 + column] })

    let images = try [palette, key].map { try PixelImage(decoding: $0.bytes, named: "clear.png").pixels }

    #expect(images == [[1, 2, 3, 0, 4, 5, 6, 100, 7, 8, 9, 255], [10, 20, 30, 0, 10, 20, 31, 255]])
  }

  @Test func `a wrong checksum is ignored in a text chunk but not in the header`() throws {
    var png = TinyPNG(width: 1, height: 1, bitDepth: 8, colourType: 0) { _, _ in [7] }
    png.chunks = [("tEXt", Array("Title\0Bees".utf8))]
    var beside = png.bytes
    // The positions follow from the signature, the header chunk, and the length, type and data of the text chunk.
    beside[8 + 25 + 8 + 10] ^= 1
    var header = png.bytes
    header[8 + 25 - 1] ^= 1

    let image = try PixelImage(decoding: beside, named: "bees.png")

    #expect(image == PixelImage(width: 1, height: 1, pixels: [7, 7, 7, 255]))
    #expect(throws: ImageError.self) { try PixelImage(decoding: header, named: "bees.png") }
  }
}
