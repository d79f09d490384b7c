import Testing
import TextCanvas

struct CompositorTests {
  @Test func `a tree of one node at its own place is its surface`() {
    var surface = Surface(columns: 5, rows: 2, filledWith: .blank)
    surface.draw("日本x", at: .zero, style: Style(foreground: .indexed(3)))
    var compositor = Compositor()

    let frame = compositor.compose(
      RenderNode(id: .init(1), frame: Rect(surface.bounds), surface: surface), size: surface.size)

    #expect(frame == Frame(surface: surface))
  }

  @Test func `a node that moved is a shift of the region it moved in`() {
    var card = Surface(columns: 6, rows: 1)
    card.draw("course", at: .zero)
    var compositor = Compositor()
    func tree(_ row: Double) -> RenderNode {
      RenderNode(
        id: .init(1), frame: Rect(x: 0, y: 0, width: 6, height: 4),
        children: [RenderNode(id: .init(2), frame: Rect(x: 0, y: row, width: 6, height: 1), surface: card)])
    }
    var frame = compositor.compose(tree(2.4), size: CellSize(columns: 6, rows: 4))

    compositor.compose(tree(1.4), into: &frame)

    #expect(frame.surface.textRows == ["      ", "course", "      ", "      "])
    #expect(frame.shifts == [RegionShift(rect: CellRect(column: 0, row: 1, columns: 6, rows: 2), rows: -1)])
  }
}
