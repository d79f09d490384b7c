import Images
import Testing

struct PictureDecodingTests {
  @Test(arguments: [
    ("baseline.jpg", FilePictures.ramp), ("sampled.jpg", FilePictures.ramp), ("progressive.jpg", FilePictures.ramp),
    ("lossy.webp", FilePictures.ramp),
  ])
  func `a lossy image is close to the original`(name: String, expected: PixelImage) throws {
    let image = try PixelImage(decoding: FilePictures.bytes(of: name), named: name)

    #expect([image.width, image.height] == [24, 16])
    #expect(image.isOpaque)
    #expect(image.meanError(to: expected) < 3)
  }

  @Test func `a lossy image keeps its alpha channel`() throws {
    let image = try PixelImage(decoding: FilePictures.bytes(of: "lossy-alpha.webp"), named: "lossy-alpha.webp")

    let alphas = stride(from: 3, to: image.pixels.count, by: 4).map { image.pixels[$0] }
    #expect(alphas == stride(from: 3, to: image.pixels.count, by: 4).map { FilePictures.clearRamp.pixels[$0] })
    #expect(image.meanError(to: FilePictures.clearRamp) < 4)
  }

  @Test func `a greyscale JPEG is decoded as grey`() throws {
    let image = try PixelImage(decoding: FilePictures.bytes(of: "grey.jpg"), named: "grey.jpg")

    // Source of the weights: ITU-R BT.601.
    let expected = PixelImage(width: 24, height: 16) { x, y in
      let grey = UInt8((299 * 10 * x + 587 * 15 * y + 114 * 128) / 1000)
      return [grey, grey, grey, 255]
    }
    #expect(image.meanError(to: expected) < 2)
  }

  @Test func `a CMYK image is converted to RGB`() throws {
    let image = try PixelImage(decoding: FilePictures.bytes(of: "inks.jpg"), named: "inks.jpg")

    let expected = PixelImage(width: 24, height: 16) { x, y in
      [10 * x, 15 * y, 128].map { UInt8((255 - $0) * (255 - 32) / 255) } + [255]
    }
    #expect(image.meanError(to: expected) < 3)
  }

  @Test(arguments: [
    ("lossless.webp", FilePictures.clearRamp), ("flag.gif", FilePictures.flag), ("interlaced.gif", FilePictures.flag),
    ("animated.gif", FilePictures.flag),
  ])
  func `a lossless image, and the first image of a GIF, equal the original`(
    name: String, expected: PixelImage
  ) throws {
    let image = try PixelImage(decoding: FilePictures.bytes(of: name), named: name)

    #expect(image == expected)
  }

  @Test func `a GIF may have a transparent colour`() throws {
    let image = try PixelImage(decoding: FilePictures.bytes(of: "clear.gif"), named: "clear.gif")

    #expect(
      image
        == PixelImage(width: 24, height: 16) { x, _ in
          x < 8 ? [255, 0, 0, 255] : x < 16 ? [0, 0, 0, 0] : [0, 0, 255, 255]
        })
  }

  @Test(arguments: FilePictures.names)
  func `the format and size are read without decoding`(name: String) throws {
    let formats = ["jpg": ImageFormat.jpeg, "webp": .webp, "gif": .gif]
    let format = try #require(formats[String(name.split(separator: ".")[1])])

    let header = try PixelImage.header(of: FilePictures.bytes(of: name), named: name)

    #expect(header == ImageHeader(format: format, width: 24, height: 16))
  }

  @Test func `the format and size of a PNG are read from its first 33 bytes`() throws {
    let png = TinyPNG(width: 300, height: 2, bitDepth: 8, colourType: 0) { _, _ in [7] }

    let header = try PixelImage.header(of: Array(png.bytes.prefix(33)), named: "line.png")

    #expect(header == ImageHeader(format: .png, width: 300, height: 2))
  }
}
