import Images
import Testing
import TextCanvas

struct HalfBlocksTests {
  private static let colours: [Character: [UInt8]] = [
    "r": [255, 0, 0, 255], "g": [0, 128, 0, 255], "b": [0, 0, 255, 255], "w": [255, 255, 255, 255],
    ".": [0, 0, 0, 0], "h": [255, 255, 255, 128],
  ]

  /// Makes an image with one pixel per letter.
  private static func picture(_ rows: String...) -> PixelImage {
    let letters = rows.map(Array.init)
    return PixelImage(width: letters[0].count, height: rows.count) { column, row in colours[letters[row][column]]! }
  }

  private static func cell(_ text: String, _ foreground: Colour, _ background: Colour) -> Cell {
    Cell(Glyph(text), style: Style(foreground: foreground, background: background))
  }

  private static func surface(_ rows: [[Cell]]) -> Surface {
    var surface = Surface(columns: rows[0].count, rows: rows.count)
    for (row, cells) in rows.enumerated() {
      for (column, cell) in cells.enumerated() { surface[column, row] = cell }
    }
    return surface
  }

  private let red = Colour.rgb(255, 0, 0)
  private let green = Colour.rgb(0, 128, 0)
  private let blue = Colour.rgb(0, 0, 255)

  @Test func `a cell shows two pixels, or one colour if both are equal`() {
    let image = Self.picture("rgb", "brb", "rrr", "ggg")

    let surface = image.halfBlocks(columns: 3, rows: 2)

    #expect(
      surface
        == Self.surface([
          [Self.cell("▀", red, blue), Self.cell("▀", green, red), Cell(background: blue)],
          [Self.cell("▀", red, green), Self.cell("▀", red, green), Self.cell("▀", red, green)],
        ]))
  }

  @Test func `transparent pixels remain clear on an unknown page colour`() {
    let image = Self.picture("r.r.", "..gg", "h.rr", "g.gg")

    let surface = image.halfBlocks(columns: 4, rows: 2)

    #expect(
      surface
        == Self.surface([
          [Self.cell("▀", red, .clear), .clear, Self.cell("▀", red, green), Self.cell("▄", green, .clear)],
          [
            Self.cell("▀", .rgb(255, 255, 255), green), .clear, Self.cell("▀", red, green), Self.cell("▀", red, green),
          ],
        ]))
  }

  @Test func `transparent pixels are blended with a known page colour`() {
    let image = Self.picture("r.h", "...")

    let surface = image.halfBlocks(columns: 3, rows: 1, background: .rgb(10, 20, 31))

    let page = Colour.rgb(10, 20, 31)
    #expect(
      surface
        == Self.surface([
          [Self.cell("▀", red, page), Cell(background: page), Self.cell("▀", .rgb(133, 138, 143), page)]
        ]))
  }

  @Test func `with 256 colours each pixel has the nearest of them`() {
    let image = Self.picture("rw", "gb")

    let surface = image.halfBlocks(columns: 2, rows: 1, depth: .indexed)

    #expect(
      surface
        == Self.surface([
          [Self.cell("▀", .indexed(196), .indexed(28)), Self.cell("▀", .indexed(231), .indexed(21))]
        ]))
  }

  @Test(arguments: [
    // Images that are wider than the page, higher, smaller, and one pixel high or wide.
    (400, 200, 80, 24, 80, 20), (200, 400, 80, 24, 24, 24), (16, 16, 80, 24, 16, 8), (100_000, 1, 80, 24, 80, 1),
    (1, 100_000, 80, 24, 1, 24), (3, 3, 80, 24, 3, 2), (10, 10, 0, 24, 0, 0),
  ])
  func `an image keeps its aspect ratio and is not enlarged`(
    width: Int, height: Int, columns: Int, rows: Int, takenColumns: Int, takenRows: Int
  ) {
    let header = ImageHeader(format: .png, width: width, height: height)

    #expect(header.fit(columns: columns, rows: rows) == CellSize(columns: takenColumns, rows: takenRows))
  }

  @Test func `if the cell size is known, an image is shown at its size in pixels`() {
    let header = ImageHeader(format: .png, width: 200, height: 90)

    #expect(
      header.fit(columns: 80, rows: 24, cell: CellPixels(width: 10, height: 18)) == CellSize(columns: 20, rows: 5))
    #expect(
      header.fit(columns: 10, rows: 24, cell: CellPixels(width: 10, height: 18)) == CellSize(columns: 10, rows: 3))
  }
}
