import TestSupport
import Testing
import TextCanvas

struct RegionShiftTests {
  private static func text(_ id: UInt64, _ rows: [String], x: Double, y: Double, opacity: Double = 1) -> RenderNode {
    var surface = Surface(columns: rows.map(\.displayWidth).max() ?? 0, rows: rows.count)
    for (row, text) in rows.enumerated() { surface.draw(text, at: CellPoint(column: 0, row: row)) }
    return RenderNode(
      id: .init(id), frame: Rect(x: x, y: y, width: Double(surface.columns), height: Double(rows.count)),
      opacity: opacity, surface: surface)
  }

  private static func shifts(_ before: [RenderNode], _ after: [RenderNode], clip: Rect? = nil) -> [RegionShift] {
    let size = CellSize(columns: 20, rows: 10)
    func tree(_ nodes: [RenderNode]) -> RenderNode {
      RenderNode(id: .init(0), frame: Rect(CellRect(size)), clip: clip, children: nodes)
    }
    var compositor = Compositor()
    var frame = compositor.compose(tree(before), size: size)
    compositor.compose(tree(after), into: &frame)
    return frame.shifts
  }

  @Test func `a slide of two screens is one shift of the full width`() {
    let rows = (0..<10).map { "row \($0) of twenty ..." }

    let shifts = Self.shifts(
      [Self.text(1, rows, x: -4, y: 0), Self.text(2, rows, x: 16, y: 0)],
      [Self.text(1, rows, x: -7, y: 0), Self.text(2, rows, x: 13, y: 0)])

    #expect(shifts == [RegionShift(rect: CellRect(column: 0, row: 0, columns: 20, rows: 10), columns: -3)])
  }

  @Test func `siblings that move apart are two shifts, without unmoved ones between`() {
    let shifts = Self.shifts(
      [
        Self.text(1, ["above"], x: 2, y: 3), Self.text(2, ["chosen"], x: 2, y: 4),
        Self.text(3, ["b", "c"], x: 2, y: 6),
      ],
      [
        Self.text(1, ["above"], x: 2, y: 1), Self.text(2, ["chosen"], x: 2, y: 4),
        Self.text(3, ["b", "c"], x: 2, y: 7),
      ])

    #expect(
      shifts == [
        RegionShift(rect: CellRect(column: 2, row: 1, columns: 5, rows: 3), rows: -2),
        RegionShift(rect: CellRect(column: 2, row: 6, columns: 1, rows: 3), rows: 1),
      ])
  }

  @Test func `a long text moves within its clip`() {
    let rows = (0..<30).map { "line \($0)" }

    let shifts = Self.shifts(
      [Self.text(1, rows, x: 0, y: -5)], [Self.text(1, rows, x: 0, y: -6)],
      clip: Rect(x: 0, y: 2, width: 20, height: 6))

    #expect(shifts == [RegionShift(rect: CellRect(column: 0, row: 2, columns: 7, rows: 6), rows: -1)])
  }

  @Test func `text whose lines are drawn higher or lower counts as scrolled`() {
    let rows = (0..<30).map { "line \($0)" }

    #expect(
      Self.shifts([Self.text(1, Array(rows[3..<13]), x: 0, y: 0)], [Self.text(1, Array(rows[4..<14]), x: 0, y: 0)])
        == [RegionShift(rect: CellRect(column: 0, row: 0, columns: 7, rows: 10), rows: -1)])
    #expect(
      Self.shifts([Self.text(1, Array(rows[12..<22]), x: 0, y: 0)], [Self.text(1, Array(rows[10..<20]), x: 0, y: 0)])
        == [RegionShift(rect: CellRect(column: 0, row: 0, columns: 7, rows: 10), rows: 2)])
  }

  @Test func `changed, fading, new and removed nodes do not count as moved`() {
    #expect(Self.shifts([Self.text(1, ["old"], x: 0, y: 0)], [Self.text(1, ["new"], x: 0, y: 1)]) == [])
    #expect(Self.shifts([Self.text(1, ["a"], x: 0, y: 0)], [Self.text(1, ["a"], x: 0, y: 1, opacity: 0.5)]) == [])
    #expect(Self.shifts([Self.text(1, ["a"], x: 0, y: 0)], [Self.text(2, ["a"], x: 0, y: 1)]) == [])
    #expect(Self.shifts([Self.text(1, ["a"], x: 0.2, y: 0)], [Self.text(1, ["a"], x: 0.4, y: 0)]) == [])
  }

  @Test func `no shift is found after a reset or a change of size`() {
    var compositor = Compositor()
    var frame = compositor.compose(Self.text(1, ["a"], x: 0, y: 0), size: CellSize(columns: 4, rows: 3))

    compositor.reset()
    compositor.compose(Self.text(1, ["a"], x: 0, y: 1), into: &frame)
    #expect(frame.shifts == [])

    compositor.compose(Self.text(1, ["a"], x: 0, y: 2), into: &frame)
    #expect(frame.shifts == [RegionShift(rect: CellRect(column: 0, row: 1, columns: 1, rows: 2), rows: 1)])

    #expect(compositor.compose(Self.text(1, ["a"], x: 0, y: 1), size: CellSize(columns: 5, rows: 3)).shifts == [])
  }

  @Test func `a shift of an uncovered node is correct for each cell`() {
    var random = SplitMix64(seed: 31)
    let size = CellSize(columns: 24, rows: 12)
    for _ in 0..<500 {
      let surface = random.surface(columns: 7, rows: 3)
      var frames: [Frame] = []
      var compositor = Compositor()
      var corners: [CellPoint] = []
      for _ in 0..<2 {
        let x = Double.random(in: -3...20, using: &random)
        let y = Double.random(in: -2...10, using: &random)
        corners.append(CellPoint(column: nearestCell(x), row: nearestCell(y)))
        let node = RenderNode(
          id: .init(1), frame: Rect(x: x, y: y, width: 7, height: 3), surface: surface)
        frames.append(
          compositor.compose(
            RenderNode(id: .init(0), frame: Rect(CellRect(size)), children: [node]), size: size))
      }
      let moved = CellPoint(
        column: corners[1].column - corners[0].column, row: corners[1].row - corners[0].row)
      for shift in frames[1].shifts {
        #expect(CellPoint(column: shift.columns, row: shift.rows) == moved)
        let retained = shift.rect.intersection(shift.rect.offset(columns: -shift.columns, rows: -shift.rows))
          .intersection(CellRect(surface.size).offset(columns: corners[0].column, rows: corners[0].row))
        for row in retained.row..<retained.endRow {
          for column in retained.column..<retained.endColumn {
            let (old, new) = (frames[0].surface[column, row], frames[1].surface[column + moved.column, row + moved.row])
            // A wide character at the edge of the screen is a blank in one of the frames.
            #expect(new == old || old.width != 1 && new.glyph == .blank || new.width != 1 && old.glyph == .blank)
          }
        }
      }
    }
  }
}
