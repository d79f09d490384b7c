import TestSupport
import Testing
import TextCanvas

@Suite struct DissolveTests {
  @Test func `both ends show one whole page, and each row shows exactly one page`() {
    for rowShare in [0.1, 0.4, 1] {
      for rows in [1, 2, 24] {
        for row in 0..<rows {
          let first = Dissolve(0, rowShare: rowShare).opacities(ofRow: row, of: rows)
          let last = Dissolve(1, rowShare: rowShare).opacities(ofRow: row, of: rows)
          #expect(first == (1, 0))
          #expect(last == (0, 1))
          for step in 0...100 {
            let (oldOpacity, newOpacity) = Dissolve(Double(step) / 100, rowShare: rowShare).opacities(
              ofRow: row, of: rows)
            #expect(min(oldOpacity, newOpacity) == 0 && max(oldOpacity, newOpacity) >= 0.3 - 1e-9)
          }
        }
      }
    }
  }

  @Test func `rows change one after another, or together with a share of 1`() {
    func gone(_ dissolve: Dissolve) -> String {
      (0..<8).map { dissolve.opacities(ofRow: $0, of: 8).going == 0 ? "x" : "." }.joined()
    }

    #expect([0.2, 0.4, 0.6, 0.8].map { gone(Dissolve($0)) } == ["x.......", "xxx.....", "xxxxx...", "xxxxxxxx"])
    #expect([0.49, 0.5].map { gone(Dissolve($0, rowShare: 1)) } == ["........", "xxxxxxxx"])
  }

  @Test func `with a share of 1 the old page is invisible from the turning point on`() {
    for turn in [0.15, 0.85] {
      let strengths = [0, turn / 2, turn, (1 + turn) / 2, 1].map {
        Dissolve($0, rowShare: 1, crossoverFraction: turn).opacities(ofRow: 3, of: 8)
      }

      #expect(strengths.map(\.going) == [1, 0.65, 0, 0, 0])
      #expect(zip(strengths.map(\.coming), [0, 0, 0.3, 0.65, 1]).allSatisfy { abs($0 - $1) < 1e-9 })
    }
  }

  @Test func `rows that change in sequence have one intermediate opacity`() {
    let strengths = (0...10).map { step -> String in
      let (oldOpacity, newOpacity) = Dissolve(0.4 * Double(step) / 10).opacities(ofRow: 0, of: 8)
      return "\(OpacityLevels.four.nearest(to: oldOpacity)) \(OpacityLevels.four.nearest(to: newOpacity))"
    }

    #expect(
      strengths == Array(repeating: "1.0 0.0", count: 5) + ["0.0 0.6", "0.0 0.6", "0.0 0.6"]
        + Array(repeating: "0.0 1.0", count: 3))
  }

  private static let colours = PageColours(foreground: 0xFFFFFF, background: 0x000000)

  /// A page of three rows that dissolves into another one.
  private static func seen(
    _ fraction: Double, opacity: Double = 1, share: Double = 0.4,
    old: [String] = ["one two 三四", "五 min left", "end"], new: [String] = ["ONE two 三十", "16 min left", "and more"]
  ) -> Surface {
    func page(_ id: UInt64, _ rows: [String]) -> RenderNode {
      var surface = Surface(columns: 12, rows: 3)
      for (row, text) in rows.enumerated() {
        surface.draw(text, at: CellPoint(column: 0, row: row), style: Style(foreground: .hex(0xFFFFFF)))
      }
      return RenderNode(
        id: .init(id), frame: Rect(x: 0, y: 0, width: 12, height: 3), opacity: 1, surface: surface)
    }
    var old = page(2, old)
    old.dissolve = Dissolve(fraction, rowShare: share)
    old.opacity = opacity
    let new = page(1, new)
    let root = RenderNode(
      id: .init(0), frame: Rect(x: 0, y: 0, width: 12, height: 3), children: [new, old])
    var compositor = Compositor(fading: .blend(page: colours), levels: .four)
    return compositor.compose(root, size: CellSize(columns: 12, rows: 3)).surface
  }

  @Test func `the old page covers the new one and is replaced row by row`() {
    #expect(Self.seen(0).textRows == ["one two 三四", "五 min left ", "end         "])
    #expect(Self.seen(0.3).textRows == ["ONE two 三十", "五 min left ", "end         "])
    #expect(Self.seen(0.6).textRows == ["ONE two 三十", "16 min left ", "end         "])
    #expect(Self.seen(1).textRows == ["ONE two 三十", "16 min left ", "and more    "])
  }

  @Test func `words on both pages keep their full opacity, unlike single letters`() {
    let surface = Self.seen(0.5, share: 1)

    #expect(surface.textRows == ["ONE two 三十", "16 min left ", "and more    "])
    // "min left" keeps its opacity, and so does "two" with the wide character after it. "end" and "and" have no common
    // part that keeps it.
    #expect(Self.bright(surface) == ["....xxx.xx..", "...xxx.xxxx.", "............"])
    #expect(surface[0, 0].foreground == .hex(0x4D4D4D))
  }

  @Test func `adjacent wide characters on both pages keep their full opacity, unlike single ones`() {
    let surface = Self.seen(0.5, share: 1, old: ["三四五 a", "六三四", "三"], new: ["三四五 b", "七三四", "三 c"])

    #expect(surface.textRows == ["三四五 b    ", "七三四      ", "三 c        "])
    // Two wide characters take four columns and count as a word. A single one does not.
    #expect(Self.bright(surface) == ["xxxxxx......", "..xxxx......", "............"])
  }

  /// Returns the rows with `x` for each letter that is drawn with full opacity.
  private static func bright(_ surface: Surface) -> [String] {
    (0..<surface.rows).map { row in
      (0..<surface.columns).map { column in
        surface[column, row].foreground == .hex(0xFFFFFF) && surface[column, row].glyph != .blank ? "x" : "."
      }
      .joined()
    }
  }

  @Test func `a lower opacity advances the dissolve, in the same order of rows`() {
    #expect(Self.seen(0, opacity: 0.4) == Self.seen(0.6))
    #expect(Self.seen(0.5, opacity: 0) == Self.seen(1))
  }

  @Test func `a dissolve never cuts a wide character`() {
    var random = SplitMix64(seed: 5)
    let signs = ["a", "b", " ", "三", "四", "👍"]
    for _ in 0..<200 {
      func row() -> String { (0..<8).map { _ in signs.randomElement(using: &random)! }.joined() }
      let texts = (row(), row())
      for fraction in stride(from: 0.0, through: 1, by: 0.1) {
        let node = { (id: UInt64, text: String) -> RenderNode in
          var surface = Surface(columns: 16, rows: 1)
          surface.draw(text, at: .zero)
          return RenderNode(id: .init(id), frame: Rect(x: 0, y: 0, width: 16, height: 1), surface: surface)
        }
        var old = node(2, texts.0)
        old.dissolve = Dissolve(fraction, rowShare: 1)
        let root = RenderNode(
          id: .init(0), frame: Rect(x: 0, y: 0, width: 16, height: 1), children: [node(1, texts.1), old])
        var compositor = Compositor(fading: .blend(page: Self.colours), levels: .four)
        let surface = compositor.compose(root, size: CellSize(columns: 16, rows: 1)).surface
        let text = fraction < 0.5 ? texts.0 : texts.1
        #expect(surface.textRows == [text + String(repeating: " ", count: 16 - text.displayWidth)])
      }
    }
  }
}
