import Foundation
import Pictures
import TestSupport
import Testing
import TextCanvas

struct KittyFormTests {
  private static let cell = CellPixels(width: 10, height: 20)

  /// What a terminal makes of the pieces: the keys of each, and the picture.
  private static func read(_ form: KittyForm) throws -> (keys: [String], picture: Picture) {
    var keys: [String] = []
    var letters = ""
    for piece in form.pieces {
      let text = String(decoding: piece, as: UTF8.self)
      try #require(text.hasPrefix("\u{1B}_G") && text.hasSuffix("\u{1B}\\"))
      let parts = text.dropFirst(3).dropLast(2).split(separator: ";")
      keys.append(String(parts[0]))
      letters += parts[1]
      #expect(parts[1].utf8.count <= 4096)
      #expect(piece == form.pieces.last || parts[1].utf8.count == 4096)
    }
    let png = Array(try #require(Data(base64Encoded: letters)))
    return (keys, try Picture(decoding: png, named: "sent.png"))
  }

  @Test func `a small picture is sent in one piece as it is`() throws {
    let form = KittyForm(FilePictures.clearRamp, id: 7, cells: CellSize(columns: 3, rows: 1), cell: Self.cell)

    let (keys, picture) = try Self.read(form)

    #expect(keys == ["a=T,f=100,q=2,i=7,c=3,r=1,C=1,m=0"])
    #expect(picture == FilePictures.clearRamp)
  }

  @Test func `a large picture is sent in chunks, with no more pixels than are shown`() throws {
    var random = SplitMix64(seed: 4)
    let noise = Picture(width: 200, height: 300) { _, _ in (0..<3).map { _ in UInt8(random.below(256)) } + [255] }

    let form = KittyForm(
      noise, id: 0xABCDEF, cells: CellSize(columns: 10, rows: 8), cell: Self.cell, placement: .placeholders)

    let (keys, picture) = try Self.read(form)
    #expect(keys.first == "a=T,f=100,q=2,i=11259375,c=10,r=8,U=1,m=1")
    #expect(Array(keys.dropFirst()) == Array(repeating: "m=1", count: keys.count - 2) + ["m=0"])
    #expect(picture == noise.scaled(toWidth: 100, height: 160))
  }

  @Test func `a picture is deleted with its data, and a sending that is cut short before`() {
    #expect(KittyForm.deletion(id: 7) == Array("\u{1B}_Ga=d,d=I,i=7,q=2\u{1B}\\".utf8))
    #expect(
      KittyForm.abandonment(id: 7) == Array("\u{1B}_Gm=0,q=2\u{1B}\\\u{1B}_Ga=d,d=I,i=7,q=2\u{1B}\\".utf8))
  }

  @Test func `placeholders say the picture, the row and the column`() {
    let rows = KittyForm.placeholders(id: 0x0A0B0C, cells: CellSize(columns: 3, rows: 2))

    let cell = "\u{10EEEE}"
    #expect(
      rows.map { String(decoding: $0, as: UTF8.self) } == [
        "\u{1B}[38;2;10;11;12m\(cell)\u{305}\u{305}\(cell)\u{305}\u{30D}\(cell)\u{305}\u{30E}\u{1B}[39m",
        "\u{1B}[38;2;10;11;12m\(cell)\u{30D}\u{305}\(cell)\u{30D}\u{30D}\(cell)\u{30D}\u{30E}\u{1B}[39m",
      ])
  }

  @Test func `there are marks for 297 rows and columns, in the order of the protocol`() throws {
    let rows = KittyForm.placeholders(id: 1, cells: CellSize(columns: 400, rows: 400))

    #expect(rows.count == 297)
    let marks = try rows.map { row in
      // The first cell's row, behind the colour and the placeholder.
      try #require(String(decoding: row, as: UTF8.self).unicodeScalars.drop { $0.value != 0x10EEEE }.dropFirst().first)
    }
    // Some of kitty's list, by their lines.
    let some = [0, 4, 31, 54, 76, 148, 167, 296].map { marks[$0].value }
    #expect(some == [0x305, 0x312, 0x484, 0x610, 0x6DF, 0x1A7B, 0x1DC4, 0x1D244])
  }

  @Test func `through tmux every escape is sent twice`() {
    #expect(
      KittyForm.throughTmux(Array("\u{1B}_Gm=0;QQ==\u{1B}\\".utf8))
        == Array("\u{1B}Ptmux;\u{1B}\u{1B}_Gm=0;QQ==\u{1B}\u{1B}\\\u{1B}\\".utf8))
  }

  @Test func `a picture is the same after it was written as PNG`() throws {
    for picture in [FilePictures.ramp, FilePictures.clearRamp, FilePictures.flag] {
      #expect(try Picture(decoding: picture.png, named: "again.png") == picture)
    }
  }
}
