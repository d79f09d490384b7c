import Testing
import TextCanvas

struct RectTests {
  @Test(arguments: [
    (0.49, 0), (0.5, 1), (-0.5, 0), (-0.51, -1), (2.0, 2), (1e300, 1_000_000), (-.infinity, -1_000_000),
  ])
  func `coordinates are rounded to the nearest cell boundary, halves up`(_ coordinate: Double, _ cell: Int) {
    #expect(nearestCell(coordinate) == cell)
  }

  @Test func `a coordinate of NaN becomes 0`() {
    #expect(nearestCell(.nan) == 0)
  }

  @Test func `a rectangle keeps its size at any position, and neighbours stay adjacent`() {
    for step in -40...40 {
      let x = Double(step) / 16
      let left = Rect(x: x, y: -x, width: 7, height: 3)
      let right = Rect(x: left.maxX, y: -x, width: 2.3, height: 3)

      #expect(left.cells.size == CellSize(columns: 7, rows: 3))
      #expect(right.cells.column == left.cells.endColumn)
    }
  }

  @Test func `an intersection covers the common cells, a union the cells of both`() {
    let one = CellRect(column: 0, row: 0, columns: 4, rows: 3)
    let other = CellRect(column: 2, row: 1, columns: 9, rows: 1)

    #expect(one.intersection(other) == CellRect(column: 2, row: 1, columns: 2, rows: 1))
    #expect(one.union(other) == CellRect(column: 0, row: 0, columns: 11, rows: 3))
    #expect(one.union(.zero) == one)
    #expect(one.intersection(other.offset(columns: 5)).isEmpty)
    #expect(one.contains(CellPoint(column: 3, row: 2)))
    #expect(!one.contains(CellPoint(column: 4, row: 2)))
  }
}
