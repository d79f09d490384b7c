import Foundation
import Images
import Testing

@testable import CourseBrowser

struct DrawingProgramTests {
  private static let half = Array(
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><rect width="10" height="10" fill="#f00"/></svg>
    """.utf8)

  @Test func `a drawing is rendered at the largest size that fits, with its proportions`() throws {
    let picture = try #require(DrawingProgram.image(of: Self.half, width: 8, height: 100, named: "half"))

    #expect(picture.width == 8 && picture.height == 4)
    #expect(Array(picture.pixels.prefix(4)) == [255, 0, 0, 255])
    #expect(Array(picture.pixels.suffix(4)) == [0, 0, 0, 0])
  }

  @Test func `a drawing cannot read files or the network`() throws {
    let outside = FileManager.default.temporaryDirectory.appending(path: "outside-\(UUID().uuidString).svg")
    try Data(Self.half).write(to: outside)
    defer { try? FileManager.default.removeItem(at: outside) }
    let drawing = """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 2 1">\
      <image width="2" height="1" xlink:href="\(outside.absoluteString)"/></svg>
      """

    let picture = try #require(DrawingProgram.image(of: Array(drawing.utf8), width: 2, height: 1, named: "outside"))

    #expect(picture.pixels == [0, 0, 0, 0, 0, 0, 0, 0])
  }

  @Test func `an invalid drawing produces no image`() {
    #expect(DrawingProgram.image(of: Array("<svg".utf8), width: 8, height: 8, named: "cut") == nil)
    #expect(DrawingProgram.image(of: [], width: 8, height: 8, named: "empty") == nil)
  }

  @Test func `a missing program renders nothing`() {
    #expect(
      DrawingProgram.image(of: Self.half, width: 8, height: 8, named: "half", program: "no-such-program") == nil)
  }

  @Test func `a program that writes endlessly or does not read its input produces no image`() {
    let large = [UInt8](repeating: 32, count: 1 << 20)
    #expect(DrawingProgram.image(of: Self.half, width: 8, height: 8, named: "half", program: "yes") == nil)
    #expect(DrawingProgram.image(of: large, width: 8, height: 8, named: "large", program: "true") == nil)
  }

  @Test func `images are decoded and drawings are rendered`() throws {
    let png = try #require(DrawingProgram.image(of: Self.half, width: 2, height: 1, named: "half"))

    #expect(PixelImage(showing: Self.half, width: 2, height: 1, named: "half") == png)
    #expect(PixelImage(showing: png.png, width: 9, height: 9, named: "png") == png)
    #expect(PixelImage(showing: [1, 2, 3], width: 9, height: 9, named: "none") == nil)
  }
}
