import LearningModel
import Snapshots
import Testing
import TextCanvas

@testable import CoursePages

/// Tests the rows and frames that the layout reserves for images.
struct PictureLayoutTests {
  private static func image(_ description: String, _ size: StoredImage.PixelSize?) -> Inline {
    .image(
      source: "a.png", alternative: description,
      stored: StoredImage(digest: String(repeating: "0", count: 64), size: size))
  }

  private static let boat = image("A boat", .init(width: 80, height: 64))

  private func text(_ blocks: [Block], _ pictures: ImageStyle, width: Int = 30) -> ReadingText {
    ReadingLayout(
      width: width, theme: Theme(colourDepth: .truecolor, pageAppearance: .dark), symbols: .unicode,
      imageStyle: pictures
    ).text(blocks)
  }

  private func lines(_ blocks: [Block], _ pictures: ImageStyle, width: Int = 30) -> [String] {
    text(blocks, pictures, width: width).lines.map { String(repeating: " ", count: $0.indent) + $0.text }
  }

  private static let drawn = ImageStyle.drawn(rows: 4, cell: ImageStyle.usualCell)

  @Test func `an image takes several rows, with its description below it`() {
    let set = text([.paragraph([.text("Look: "), Self.boat, .text(" It floats.")])], Self.drawn)

    expectSnapshot(set.lines.map(\.text))
    #expect(set.images.map(\.cells) == [CellRect(column: 0, row: 2, columns: 10, rows: 4)])
    #expect(set.links.map(\.destination) == [ImageLink.destination(0)])
  }

  @Test func `the size of an image is limited by twice its pixels, the width and the rows`() {
    func cells(_ width: Int, _ height: Int, rows: Int = 40) -> CellSize? {
      text(
        [.paragraph([Self.image("", .init(width: width, height: height))])],
        .drawn(rows: rows, cell: ImageStyle.usualCell)
      ).images[0].cells?.size
    }

    #expect(cells(40, 40) == CellSize(columns: 10, rows: 5))
    #expect(cells(4000, 2000) == CellSize(columns: 30, rows: 8))
    #expect(cells(2000, 4000, rows: 6) == CellSize(columns: 6, rows: 6))
  }

  @Test func `an image that is not drawn has its description in a frame`() {
    #expect(
      lines([.paragraph([Self.boat])], .frames) == [
        "╭────────╮",
        "│ A boat │",
        "╰────────╯",
      ])
    expectSnapshot(lines([.paragraph([Self.image("A boat that is wider than the text", nil)])], Self.drawn, width: 20))
  }

  @Test func `plain output contains the description of an image in the text`() {
    #expect(lines([.paragraph([.text("See "), Self.boat, .text(".")])], .descriptions) == ["See [Image: A boat]."])
  }

  @Test func `icons and missing images are descriptions within the text`() {
    let sign = Self.image("new", .init(width: 32, height: 32))
    let lost = Inline.image(source: "b.png", alternative: "gone")

    #expect(
      lines([.paragraph([.text("A "), sign, .text(" and "), lost])], Self.drawn, width: 60) == [
        "A [Image: new] and [Image: gone]"
      ])
  }

  @Test func `an image in a list or quotation is indented after its bullet or bar`() {
    let blocks: [Block] = [
      .bulletList(items: [ListItem(blocks: [.paragraph([Self.boat])])]), .quote([.paragraph([Self.boat])]),
    ]

    expectSnapshot(lines(blocks, .drawn(rows: 3, cell: ImageStyle.usualCell)))
    #expect(
      text(blocks, .drawn(rows: 3, cell: ImageStyle.usualCell)).images.map(\.cells) == [
        CellRect(column: 3, row: 0, columns: 8, rows: 3), CellRect(column: 2, row: 5, columns: 8, rows: 3),
      ])
  }

  @Test func `if an image is a link, the address is shown next to its description`() {
    let set = text([.paragraph([.link(destination: "https://a.org", text: [Self.boat])])], Self.drawn)

    #expect(set.lines.last?.text == "A boat https://a.org")
    #expect(set.links.map(\.destination) == [ImageLink.destination(0), "https://a.org"])
  }

  @Test func `the rows of an image do not count as reading progress`() {
    let blocks: [Block] = [.paragraph([.text("Look: "), Self.boat])]
    let set = text(blocks, Self.drawn)

    #expect(set.rows(of: ReadingProgressTracker(blocks).text.passages).map(\.visibleCells) == [5, 0, 0, 0, 0, 0, 5])
  }

  @Test(arguments: [
    (ColourDepth.truecolor, Symbols.unicode, true), (.indexed, .unicode, true), (.ansi, .unicode, false),
    (.none, .unicode, false), (.truecolor, .ascii, false),
  ])
  func `images require Unicode symbols and 256 colours`(_ depth: ColourDepth, _ symbols: Symbols, _ areDrawn: Bool) {
    let appearance = Appearance(
      theme: Theme(colourDepth: depth, pageAppearance: .dark), symbols: symbols, imageCellSize: ImageStyle.usualCell)

    #expect(appearance.imageStyle(rows: 20) == (areDrawn ? .drawn(rows: 12, cell: ImageStyle.usualCell) : .frames))
  }

  @Test func `images are not drawn if the cell size is unknown`() {
    let appearance = Appearance(theme: Theme(colourDepth: .truecolor, pageAppearance: .dark), symbols: .unicode)

    #expect(appearance.imageStyle(rows: 20) == .frames)
  }
}
