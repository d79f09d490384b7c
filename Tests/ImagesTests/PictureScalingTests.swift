import Images
import TestSupport
import Testing
import TextCanvas

struct PictureScalingTests {
  @Test func `black and white pixels average to 188, half of the light of white`() {
    let checks = PixelImage(width: 2, height: 2) { x, y in x == y ? [0, 0, 0, 255] : [255, 255, 255, 255] }

    #expect(checks.scaled(toWidth: 1, height: 1) == PixelImage(width: 1, height: 1, pixels: [188, 188, 188, 255]))
  }

  @Test func `transparent pixels do not affect the colour`() {
    let edge = PixelImage(width: 2, height: 1, pixels: [200, 100, 50, 255, 0, 255, 0, 0])

    #expect(edge.scaled(toWidth: 1, height: 1) == PixelImage(width: 1, height: 1, pixels: [200, 100, 50, 128]))
  }

  @Test(arguments: [(1, 1), (7, 3), (24, 16), (23, 17), (100, 80)])
  func `an image of one colour keeps it in any size`(width: Int, height: Int) {
    for colour in [[1, 2, 3, 255], [255, 255, 255, 255], [10, 200, 90, 128], [0, 0, 0, 1]] as [[UInt8]] {
      let flat = PixelImage(width: 24, height: 16) { _, _ in colour }

      #expect(
        flat.scaled(toWidth: width, height: height) == PixelImage(width: width, height: height) { _, _ in colour })
    }
  }

  @Test func `if three pixels are reduced to two, each contains half of the middle one`() {
    let row = PixelImage(width: 3, height: 1, pixels: [255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 255])

    // Two thirds of the light of red and one third of black.
    #expect(row.scaled(toWidth: 2, height: 1).pixels == [213, 0, 0, 255, 0, 0, 213, 255])
  }

  @Test func `an image of double size has four pixels for each original pixel`() {
    let image = PixelImage(width: 2, height: 2) { x, y in [UInt8(100 * x), UInt8(100 * y), 9, UInt8(100 + x + y)] }

    #expect(
      image.scaled(toWidth: 4, height: 4)
        == PixelImage(width: 4, height: 4) { x, y in
          [UInt8(100 * (x / 2)), UInt8(100 * (y / 2)), 9, UInt8(100 + x / 2 + y / 2)]
        })
  }

  @Test func `scaling agrees with a floating-point implementation`() {
    var random = SplitMix64(seed: 22)
    for _ in 0..<20 {
      let (width, height) = (1 + random.below(40), 1 + random.below(40))
      let (newWidth, newHeight) = (1 + random.below(40), 1 + random.below(40))
      let image = PixelImage(
        width: width, height: height, pixels: (0..<4 * width * height).map { _ in UInt8(random.below(256)) })

      let scaled = image.scaled(toWidth: newWidth, height: newHeight)

      let expected = PlainScaling.scale(image, newWidth, newHeight)
      let largest = zip(scaled.pixels, expected).map { abs(Int($0) - Int($1)) }.max()
      #expect(largest ?? 0 <= 1, "\(width) × \(height) to \(newWidth) × \(newHeight)")
    }
  }

  @Test func `an image drawn over a page colour has blended colours and is opaque`() {
    let image = PixelImage(width: 3, height: 1, pixels: [255, 255, 255, 128, 9, 9, 9, 0, 1, 2, 3, 255])

    #expect(image.composited(over: .hex(0x000A14)).pixels == [128, 133, 138, 255, 0, 10, 20, 255, 1, 2, 3, 255])
    #expect(image.composited(over: .default).pixels == [255, 255, 255, 255, 0, 0, 0, 0, 1, 2, 3, 255])
  }
}
