import Foundation
import Images
import TestSupport
import Testing
import TextCanvas

struct KittyEncodingTests {
  private static let cell = CellPixels(width: 10, height: 20)

  /// Parses the escape sequences like a terminal and returns the keys of each and the image.
  private static func read(_ form: KittyImage) throws -> (keys: [String], image: PixelImage) {
    var keys: [String] = []
    var letters = ""
    for chunk in form.chunks {
      let text = String(decoding: chunk, as: UTF8.self)
      try #require(text.hasPrefix("\u{1B}_G") && text.hasSuffix("\u{1B}\\"))
      let components = text.dropFirst(3).dropLast(2).split(separator: ";")
      keys.append(String(components[0]))
      letters += components[1]
      #expect(components[1].utf8.count <= 4096)
      #expect(chunk == form.chunks.last || components[1].utf8.count == 4096)
    }
    let png = Array(try #require(Data(base64Encoded: letters)))
    return (keys, try PixelImage(decoding: png, named: "sent.png"))
  }

  @Test func `a small image is sent unchanged in one chunk`() throws {
    let form = KittyImage(FilePictures.clearRamp, id: 7, cells: CellSize(columns: 3, rows: 1), cell: Self.cell)

    let (keys, image) = try Self.read(form)

    #expect(keys == ["a=T,f=100,q=2,i=7,c=3,r=1,C=1,m=0"])
    #expect(image == FilePictures.clearRamp)
  }

  @Test func `a large image is sent in chunks and reduced to the visible pixels`() throws {
    var random = SplitMix64(seed: 4)
    let noise = PixelImage(width: 200, height: 300) { _, _ in (0..<3).map { _ in UInt8(random.below(256)) } + [255] }

    let form = KittyImage(
      noise, id: 0xABCDEF, cells: CellSize(columns: 10, rows: 8), cell: Self.cell, placement: .placeholders)

    let (keys, image) = try Self.read(form)
    #expect(keys.first == "a=T,f=100,q=2,i=11259375,c=10,r=8,U=1,m=1")
    #expect(Array(keys.dropFirst()) == Array(repeating: "m=1", count: keys.count - 2) + ["m=0"])
    #expect(image == noise.scaled(toWidth: 100, height: 160))
  }

  @Test func `deletion frees the data, and abandonment ends an incomplete transmission first`() {
    #expect(KittyImage.deletion(id: 7) == Array("\u{1B}_Ga=d,d=I,i=7,q=2\u{1B}\\".utf8))
    #expect(
      KittyImage.cancellation(id: 7) == Array("\u{1B}_Gm=0,q=2\u{1B}\\\u{1B}_Ga=d,d=I,i=7,q=2\u{1B}\\".utf8))
  }

  @Test func `placeholders encode the image, the row and the column`() {
    let rows = KittyImage.placeholders(id: 0x0A0B0C, cells: CellSize(columns: 3, rows: 2))

    let cell = "\u{10EEEE}"
    #expect(
      rows.map { String(decoding: $0, as: UTF8.self) } == [
        "\u{1B}[38;2;10;11;12m\(cell)\u{305}\u{305}\(cell)\u{305}\u{30D}\(cell)\u{305}\u{30E}\u{1B}[39m",
        "\u{1B}[38;2;10;11;12m\(cell)\u{30D}\u{305}\(cell)\u{30D}\u{30D}\(cell)\u{30D}\u{30E}\u{1B}[39m",
      ])
  }

  @Test func `there are 297 diacritics in the order of the protocol`() throws {
    let rows = KittyImage.placeholders(id: 1, cells: CellSize(columns: 400, rows: 400))

    #expect(rows.count == 297)
    let diacritics = try rows.map { row in
      // The diacritic for the row of the first cell, after the colour and the placeholder.
      try #require(String(decoding: row, as: UTF8.self).unicodeScalars.drop { $0.value != 0x10EEEE }.dropFirst().first)
    }
    // Entries of kitty's list, by their line numbers.
    let some = [0, 4, 31, 54, 76, 148, 167, 296].map { diacritics[$0].value }
    #expect(some == [0x305, 0x312, 0x484, 0x610, 0x6DF, 0x1A7B, 0x1DC4, 0x1D244])
  }

  @Test func `every escape character is doubled for tmux`() {
    #expect(
      KittyImage.throughTmux(Array("\u{1B}_Gm=0;QQ==\u{1B}\\".utf8))
        == Array("\u{1B}Ptmux;\u{1B}\u{1B}_Gm=0;QQ==\u{1B}\u{1B}\\\u{1B}\\".utf8))
  }

  @Test func `an image is equal after encoding and decoding PNG`() throws {
    for image in [FilePictures.ramp, FilePictures.clearRamp, FilePictures.flag] {
      #expect(try PixelImage(decoding: image.png, named: "again.png") == image)
    }
  }
}
