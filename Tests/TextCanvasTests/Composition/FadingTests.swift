import TestSupport
import Testing
import TextCanvas

struct FadingTests {
  private static let page = PageColours(foreground: 0xFFFFFF, background: 0x000000)

  private static func blended(_ below: String, _ above: String, _ opacity: Double, _ fading: Fading) -> Surface {
    var surface = Surface(columns: 4, rows: 1, filledWith: .blank)
    surface.draw(below, at: .zero, style: Style(foreground: .hex(0xFF0000)))
    var other = Surface(columns: 4, rows: 1, filledWith: .blank)
    other.draw(above, at: .zero, style: Style(foreground: .hex(0x0000FF)))
    surface.blend(other, opacity: opacity, fading: fading)
    return surface
  }

  @Test func `an opacity is rounded to the nearest level`() {
    #expect(
      [0, 0.1, 0.2, 0.45, 0.5, 0.79, 0.8, 1].map(OpacityLevels.four.nearest) == [0, 0, 0.3, 0.6, 0.6, 0.6, 1, 1])
    #expect(OpacityLevels.eighths.levels == [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1])
    #expect(OpacityLevels([0.5, 7, -1, 0.5]).levels == [0, 0.5, 1])
    #expect(OpacityLevels.four.nearest(to: .nan) == 1)
  }

  @Test func `a cross-fade shows the letter with the higher opacity, mixed with the background`() {
    let weak = Self.blended("ab", " xy", 0.25, .blend(page: Self.page))
    let strong = Self.blended("ab", " xy", 0.75, .blend(page: Self.page))

    #expect(weak.textRows == ["aby "])
    #expect(weak[0, 0].foreground == .hex(0xBF0000))
    #expect(weak[2, 0].foreground == .hex(0x000040))
    #expect(strong.textRows == ["axy "])
    #expect(strong[0, 0].foreground == .hex(0x400000))
    #expect(strong[1, 0].foreground == .hex(0x0000BF))
    #expect((0..<4).allSatisfy { strong[$0, 0].background == .default })
  }

  @Test func `backgrounds are mixed, and reversed text by its visible colours`() {
    var surface = Surface(columns: 2, rows: 1, filledWith: .blank)
    var panel = Surface(columns: 2, rows: 1, filledWith: Cell(background: .hex(0x8080FF)))
    panel.draw("r", at: .zero, style: Style(attributes: .reverse))

    surface.blend(panel, opacity: 0.5, fading: .blend(page: Self.page))

    #expect(surface[1, 0].background == .hex(0x404080))
    #expect(surface[0, 0].style == Style(foreground: .hex(0x404080), background: .hex(0x808080)))
  }

  @Test func `each component of a mixture is rounded to the nearest number`() {
    var random = SplitMix64(seed: 9)
    for _ in 0..<500 {
      let below = (0..<3).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let above = (0..<3).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let strength = Int.random(in: 1...255, using: &random)
      var surface = Surface(columns: 1, rows: 1, filledWith: Cell(background: .rgb(below[0], below[1], below[2])))
      let panel = Surface(columns: 1, rows: 1, filledWith: Cell(background: .rgb(above[0], above[1], above[2])))

      surface.blend(panel, opacity: Double(strength) / 256, fading: .blend(page: Self.page))

      let mixed = zip(below, above).map { UInt8((Int($0) * (256 - strength) + Int($1) * strength + 128) / 256) }
      #expect(surface[0, 0].background == .rgb(mixed[0], mixed[1], mixed[2]))
    }
  }

  @Test func `indexed colours are mixed as xterm shows them, but a shared background stays`() {
    var surface = Surface(columns: 3, rows: 1, filledWith: Cell(background: .indexed(4)))
    var other = Surface(columns: 3, rows: 1)
    other.draw("a", at: .zero, style: Style(foreground: .indexed(15)))
    other.draw("b", at: CellPoint(column: 1, row: 0), style: Style(background: .indexed(231)))

    surface.blend(other, opacity: 0.5, fading: .blend(page: Self.page))

    #expect(surface[0, 0].style == Style(foreground: .hex(0x8080F7), background: .indexed(4)))
    #expect(surface[1, 0].style == Style(foreground: .hex(0x8080F7), background: .hex(0x8080F7)))
    #expect(surface[2, 0] == Cell(background: .indexed(4)))
  }

  @Test func `an underline below a blank fades like text`() {
    var surface = Surface(columns: 3, rows: 1, filledWith: .blank)
    var link = Surface(columns: 3, rows: 1)
    link.draw("a b", at: .zero, style: Style(foreground: .hex(0x0000FF), attributes: .underline))
    var ramped = surface

    surface.blend(link, opacity: 0.5, fading: .blend(page: Self.page))
    ramped.blend(link, opacity: 0.5, fading: .ramp(.faint))

    #expect((0..<3).allSatisfy { surface[$0, 0].style.attributes == .underline })
    #expect((0..<3).allSatisfy { surface[$0, 0].foreground == .hex(0x000080) })
    #expect((0..<3).allSatisfy { ramped[$0, 0].attributes.contains(.faint) })
  }

  @Test func `no style becomes brighter as it fades`() {
    let ramp = FadeRamp.roles(quiet: .plain, faint: Style(foreground: .indexed(8)))
    let hue = Style(foreground: .indexed(12), attributes: .bold)

    #expect(ramp.style(Style(foreground: .indexed(8)), 0.6) == Style(foreground: .indexed(8)))
    #expect(ramp.style(hue, 0.6) == Style(foreground: .indexed(12)))
    #expect(ramp.style(hue, 0.3) == Style(foreground: .indexed(8)))
    #expect(ramp.style(Style(attributes: .bold), 0.6) == .plain)
    #expect(ramp.style(hue, 0.1) == nil)
  }

  @Test func `without known colours, fading steps through a ramp of roles`() {
    let quiet = Style(foreground: .indexed(8))
    let faint = Style(foreground: .indexed(7), attributes: .faint)
    let ramp = Fading.ramp(.roles(quiet: quiet, faint: faint))
    let cells = [0.0, 0.125, 0.3, 0.6, 0.875].map { Self.blended("", "x", $0, ramp)[0, 0] }

    #expect(cells.map(\.glyph) == [.blank, .blank, Glyph("x"), Glyph("x"), Glyph("x")])
    #expect(cells[2].style == Style(foreground: .indexed(7), background: .default, attributes: .faint))
    #expect(cells[3].style == Style(foreground: .indexed(8), background: .default))
    #expect(cells[4].style == Style(foreground: .hex(0x0000FF), background: .default))
  }

  @Test func `with a ramp, a panel covers the content below from half opacity on`() {
    let panel = Surface(columns: 1, rows: 1, filledWith: Cell(background: .indexed(4)))

    let backgrounds = [0.3, 0.45, 0.5, 0.8].map { opacity in
      var surface = Surface(columns: 1, rows: 1, filledWith: Cell(background: .indexed(2)))
      surface.blend(panel, opacity: opacity, fading: .ramp(.faint))
      return surface[0, 0].background
    }

    #expect(backgrounds == [.indexed(2), .indexed(2), .indexed(4), .indexed(4)])
  }

  @Test func `opacity 0 draws nothing and opacity 1 draws everything`() {
    for fading in [Fading.blend(page: Self.page), .ramp(.faint)] {
      #expect(Self.blended("ab", "x", 0, fading) == Self.blended("ab", "", 0, fading))
      #expect(Self.blended("ab", "x", 1, fading).textRows == ["x   "])
    }
  }
}
