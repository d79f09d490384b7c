import TestSupport
import Testing
import TextCanvas

struct CompositorTests {
  private static let page = PageColours(foreground: 0xD6D9DF, background: 0x16181D)

  private static func label(
    _ id: UInt64, _ text: String, x: Double, y: Double, style: Style = .plain, opacity: Double = 1
  ) -> RenderNode {
    var surface = Surface(columns: text.displayWidth, rows: 1)
    surface.draw(text, at: .zero, style: style)
    return RenderNode(
      id: .init(id), frame: Rect(x: x, y: y, width: Double(surface.columns), height: 1), opacity: opacity,
      surface: surface)
  }

  private static func rows(_ root: RenderNode, columns: Int, rows: Int, fading: Fading = .ramp(.faint)) -> [String] {
    var compositor = Compositor(fading: fading)
    return compositor.compose(root, size: CellSize(columns: columns, rows: rows)).surface.textRows
  }

  @Test func `a single node at the origin is drawn as its surface`() {
    var random = SplitMix64(seed: 21)
    for _ in 0..<200 {
      var surface = random.surface(columns: 9, rows: 3)
      var page = Surface(surface.size, filledWith: .blank)
      page.overlay(surface)
      surface = page
      var compositor = Compositor()

      let frame = compositor.compose(
        RenderNode(id: .init(1), frame: Rect(surface.bounds), surface: surface), size: surface.size)

      #expect(frame == Frame(surface: surface))
    }
  }

  @Test func `children cover their parent and earlier siblings, with positions rounded once`() {
    let root = RenderNode(
      id: .init(0), frame: Rect(x: 0.3, y: 0, width: 8, height: 2),
      children: [
        Self.label(1, "lower", x: 0, y: 0),
        Self.label(2, "日", x: 0.3, y: 0),
        Self.label(3, "below", x: 1, y: 0.6),
      ])

    #expect(Self.rows(root, columns: 8, rows: 2) == ["l日er   ", " below  "])
  }

  @Test func `content outside a clip is not drawn`() {
    var root = RenderNode(
      id: .init(0), frame: Rect(x: 1, y: 0, width: 4, height: 2), clip: Rect(x: 0, y: 0, width: 4, height: 1),
      children: [Self.label(1, "日本語", x: -1, y: 0), Self.label(2, "hidden", x: 0, y: 1)])

    #expect(Self.rows(root, columns: 6, rows: 2) == ["  本  ", "      "])

    root.clip = nil
    #expect(Self.rows(root, columns: 6, rows: 2) == ["日本語", " hidde"])
  }

  @Test func `a group fades as a whole`() {
    let group = RenderNode(
      id: .init(0), frame: Rect(x: 0, y: 0, width: 3, height: 1), opacity: 0.5, fill: .hex(0x000000),
      children: [Self.label(1, "x", x: 1, y: 0, style: Style(foreground: .hex(0xFFFFFF)))])
    var compositor = Compositor(fading: .blend(page: Self.page))

    let surface = compositor.compose(group, size: CellSize(columns: 3, rows: 1)).surface

    #expect(surface[0, 0].background == .hex(0x0B0C0F))
    #expect(surface[1, 0].style == Style(foreground: .hex(0x8B8C8E), background: .hex(0x0B0C0F)))
  }

  @Test func `panel edges between cells are drawn in eighths if the colours are known`() {
    let panel = RenderNode(
      id: .init(0), frame: Rect(x: 1.25, y: 0.5, width: 3, height: 2), fill: .hex(0x86B7FB))

    #expect(
      Self.rows(panel, columns: 6, rows: 3, fading: .blend(page: Self.page)) == ["  ▄▄  ", " ▎  ▎ ", "  ▄▄  "])
    #expect(Self.rows(panel, columns: 6, rows: 3) == ["      ", "      ", "      "])
  }

  @Test func `a card turns about its vertical axis and then shows its back`() {
    func card(_ flip: Double) -> [String] {
      var surface = Surface(columns: 8, rows: 3)
      for (row, text) in ["╭──────╮", "│b日cde│", "╰──────╯"].enumerated() {
        surface.draw(text, at: CellPoint(column: 0, row: row))
      }
      return Self.rows(
        RenderNode(
          id: .init(0), frame: Rect(surface.bounds), transform: Transform(flip: flip), surface: surface),
        columns: 8, rows: 3)
    }

    #expect(card(0) == ["╭──────╮", "│b日cde│", "╰──────╯"])
    #expect(card(0.7) == [" ╭────╮ ", " │b ce│ ", " ╰────╯ "])
    #expect(card(.pi / 3) == ["  ╭──╮  ", "  │ d│  ", "  ╰──╯  "])
    #expect(card(.pi / 2) == ["        ", "        ", "        "])
    #expect(card(.pi) == ["╮──────╭", "│edc日b│", "╯──────╰"])
  }

  @Test func `a scaled node repeats or drops columns and rows around its centre`() {
    var surface = Surface(columns: 3, rows: 2)
    surface.draw("abc", at: .zero)
    surface.draw("日d", at: CellPoint(column: 0, row: 1))
    let node = RenderNode(
      id: .init(0), frame: Rect(x: 2, y: 1, width: 3, height: 2), transform: Transform(scaleX: 2, scaleY: 2),
      surface: surface)

    #expect(Self.rows(node, columns: 8, rows: 4) == [" aabbcc ", " aabbcc ", "  日 dd ", "  日 dd "])
  }

  @Test func `no turn or scale splits a wide character`() {
    var random = SplitMix64(seed: 22)
    for _ in 0..<500 {
      let surface = random.surface(columns: 12, rows: 4)
      let node = RenderNode(
        id: .init(0), frame: Rect(x: 2.5, y: 1, width: 12, height: 4), opacity: .random(in: 0...1, using: &random),
        transform: Transform(
          translation: Point(x: .random(in: -3...3, using: &random), y: 0),
          scaleX: .random(in: -2...2, using: &random), scaleY: .random(in: 0...2, using: &random),
          flip: .random(in: -7...7, using: &random)), surface: surface)
      var compositor = Compositor(fading: .blend(page: Self.page))

      let frame = compositor.compose(node, size: CellSize(columns: 16, rows: 6))

      #expect(frame.surface.firstFlaw == nil)
      #expect(frame.surface.cells.allSatisfy { $0.glyph != .none && $0.background != .clear })
    }
  }
}

@Test func `the opacity of a node with only one child applies to the child`() {
  let child = RenderNode(
    id: .init(2), frame: Rect(x: 0, y: 0, width: 2, height: 1),
    surface: {
      var surface = Surface(columns: 2, rows: 1)
      surface.draw("ab", at: .zero, style: Style(foreground: .rgb(255, 255, 255)))
      return surface
    }())
  let parent = RenderNode(
    id: .init(1), frame: Rect(x: 0, y: 0, width: 2, height: 1), opacity: 0.5, children: [child])
  var compositor = Compositor(fading: .blend(page: PageColours(foreground: 0xFFFFFF, background: 0x000000)))

  let surface = compositor.compose(parent, size: CellSize(columns: 2, rows: 1)).surface

  #expect(surface[0, 0].foreground == .rgb(128, 128, 128))
}
