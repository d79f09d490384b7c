import LearningModel
import Snapshots
import Testing
import TextCanvas

@testable import CoursePages

/// A text with pictures, as it is set before they are drawn.
struct PictureLayoutTests {
  private static func image(_ words: String, _ size: KeptPicture.PixelSize?) -> Inline {
    .image(
      source: "a.png", alternative: words,
      picture: KeptPicture(digest: String(repeating: "0", count: 64), size: size))
  }

  private static let boat = image("A boat", .init(width: 80, height: 64))

  private func text(_ blocks: [Block], _ pictures: PictureStyle, width: Int = 30) -> ReadingText {
    ReadingLayout(
      width: width, theme: Theme(depth: .truecolor, tone: .dark), symbols: .unicode, pictures: pictures
    ).text(blocks)
  }

  private func lines(_ blocks: [Block], _ pictures: PictureStyle, width: Int = 30) -> [String] {
    text(blocks, pictures, width: width).lines.map { String(repeating: " ", count: $0.indent) + $0.text }
  }

  private static let drawn = PictureStyle.drawn(rows: 4, cell: PictureStyle.usualCell)

  @Test func `a picture takes rows, and its description stands below`() {
    let set = text([.paragraph([.text("Look: "), Self.boat, .text(" It floats.")])], Self.drawn)

    expectSnapshot(set.lines.map(\.text))
    #expect(set.pictures.map(\.cells) == [CellRect(column: 0, row: 2, columns: 10, rows: 4)])
    #expect(set.links.map(\.destination) == [PictureLink.destination(0)])
  }

  @Test func `it is no larger than twice its pixels, the text's width, and the rows that it may take`() {
    func cells(_ width: Int, _ height: Int, rows: Int = 40) -> CellSize? {
      text(
        [.paragraph([Self.image("", .init(width: width, height: height))])],
        .drawn(rows: rows, cell: PictureStyle.usualCell)
      ).pictures[0].cells?.size
    }

    #expect(cells(40, 40) == CellSize(columns: 10, rows: 5))
    #expect(cells(4000, 2000) == CellSize(columns: 30, rows: 8))
    #expect(cells(2000, 4000, rows: 6) == CellSize(columns: 6, rows: 6))
  }

  @Test func `where none is drawn, its description stands in a frame`() {
    #expect(
      lines([.paragraph([Self.boat])], .frames) == [
        "╭────────╮",
        "│ A boat │",
        "╰────────╯",
      ])
    expectSnapshot(lines([.paragraph([Self.image("A boat that is wider than the text", nil)])], Self.drawn, width: 20))
  }

  @Test func `in a pipe it is words among words`() {
    #expect(lines([.paragraph([.text("See "), Self.boat, .text(".")])], .words) == ["See [Image: A boat]."])
  }

  @Test func `a small sign, and a picture that is not kept, stay among the words`() {
    let sign = Self.image("new", .init(width: 32, height: 32))
    let lost = Inline.image(source: "b.png", alternative: "gone")

    #expect(
      lines([.paragraph([.text("A "), sign, .text(" and "), lost])], Self.drawn, width: 60) == [
        "A [Image: new] and [Image: gone]"
      ])
  }

  @Test func `in a list and a quotation it stands behind their marks`() {
    let blocks: [Block] = [
      .bulletList(items: [ListItem(blocks: [.paragraph([Self.boat])])]), .quote([.paragraph([Self.boat])]),
    ]

    expectSnapshot(lines(blocks, .drawn(rows: 3, cell: PictureStyle.usualCell)))
    #expect(
      text(blocks, .drawn(rows: 3, cell: PictureStyle.usualCell)).pictures.map(\.cells) == [
        CellRect(column: 3, row: 0, columns: 8, rows: 3), CellRect(column: 2, row: 5, columns: 8, rows: 3),
      ])
  }

  @Test func `a picture that leads somewhere says where below`() {
    let set = text([.paragraph([.link(destination: "https://a.org", text: [Self.boat])])], Self.drawn)

    #expect(set.lines.last?.text == "A boat https://a.org")
    #expect(set.links.map(\.destination) == [PictureLink.destination(0), "https://a.org"])
  }

  @Test func `no reading is paid for the rows of a picture`() {
    let blocks: [Block] = [.paragraph([.text("Look: "), Self.boat])]
    let set = text(blocks, Self.drawn)

    #expect(set.rows(of: ReadingAccount(blocks).text.passages).map(\.ink) == [5, 0, 0, 0, 0, 0, 5])
  }

  @Test(arguments: [
    (ColourDepth.truecolor, Symbols.unicode, true), (.indexed, .unicode, true), (.ansi, .unicode, false),
    (.none, .unicode, false), (.truecolor, .ascii, false),
  ])
  func `half blocks need their sign and colours`(_ depth: ColourDepth, _ symbols: Symbols, _ areDrawn: Bool) {
    let appearance = Appearance(
      theme: Theme(depth: depth, tone: .dark), symbols: symbols, pictureCell: PictureStyle.usualCell)

    #expect(appearance.pictures(rows: 20) == (areDrawn ? .drawn(rows: 12, cell: PictureStyle.usualCell) : .frames))
  }

  @Test func `without a cell's pixels nothing is drawn`() {
    let appearance = Appearance(theme: Theme(depth: .truecolor, tone: .dark), symbols: .unicode)

    #expect(appearance.pictures(rows: 20) == .frames)
  }
}
