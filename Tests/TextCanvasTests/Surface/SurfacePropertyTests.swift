import TestSupport
import Testing
import TextCanvas

struct SurfacePropertyTests {
  @Test func `no order of drawing, copying, filling and blending splits a wide character`() {
    var random = SplitMix64(seed: 4)
    let page = PageColours(foreground: 0xD6D9DF, background: 0x16181D)
    for round in 0..<2_000 {
      var surface = random.surface(columns: 12, rows: 4)
      let other = random.surface(columns: 9, rows: 3)
      for _ in 0..<4 {
        let point = random.point(near: surface.size)
        let clip = random.rect(near: surface.size)
        let opacity = Double.random(in: 0...1, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: surface.copy(other, at: point, clippedTo: clip)
        case 1: surface.overlay(other, at: point, clippedTo: clip)
        case 2: surface.blend(other, at: point, clippedTo: clip, opacity: opacity, fading: .blend(page: page))
        case 3: surface.blend(other, at: point, clippedTo: clip, opacity: opacity, fading: .ramp(.faint))
        case 4: surface.fill(clip, with: random.surface(columns: 2, rows: 1)[0, 0])
        case 5: surface.draw(random.text(pieces: 6), at: point, style: random.style(), clippedTo: clip)
        case 6: surface[point.column, point.row] = other[0, 0]
        default: surface = surface.cropped(clip)
        }
        #expect(surface.firstFlaw == nil, "round \(round)")
      }
    }
  }

  @Test func `a surface copied to an empty one stays equal`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<500 {
      let surface = random.surface(columns: 11, rows: 3)
      var page = Surface(surface.size)

      page.copy(surface)

      #expect(page == surface)
      #expect(surface.cropped(surface.bounds) == surface)
    }
  }

  @Test func `a clear surface over another changes nothing, not even at its edges`() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<500 {
      var surface = random.surface(columns: 11, rows: 3)
      let before = surface

      surface.overlay(Surface(columns: 5, rows: 2), at: random.point(near: surface.size))
      surface.blend(
        Surface(columns: 5, rows: 2), at: random.point(near: surface.size), opacity: 0.5, fading: .ramp(.faint))

      #expect(surface == before)
    }
  }

  @Test func `outside the clip only cut halves of wide characters change`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<1_000 {
      var surface = random.surface(columns: 12, rows: 3)
      let before = surface
      let clip = random.rect(near: surface.size)

      surface.copy(random.surface(columns: 12, rows: 3), at: random.point(near: surface.size), clippedTo: clip)

      for row in 0..<surface.rows {
        for column in 0..<surface.columns where !clip.contains(CellPoint(column: column, row: row)) {
          let (old, new) = (before[column, row], surface[column, row])
          #expect(new == old || old.width != 1 && new.glyph == .blank && new.style == old.style)
        }
      }
    }
  }
}
