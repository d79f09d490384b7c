import TestSupport
import Testing

@testable import TextCanvas

/// Tests that a flattened tree looks the same as before over any content.
struct FlatteningTests {
  private static let size = CellSize(columns: 24, rows: 6)
  private static let page = PageColours(foreground: 0xD6D9DF, background: 0x16181D)

  private static func label(_ id: UInt64, _ text: String, x: Double, y: Double, opacity: Double = 1) -> RenderNode {
    var surface = Surface(columns: text.displayWidth, rows: 1)
    surface.draw(text, at: .zero)
    return RenderNode(
      id: .init(id), frame: Rect(x: x, y: y, width: Double(surface.columns), height: 1), opacity: opacity,
      surface: surface)
  }

  private static func group(_ id: UInt64, opacity: Double = 1, _ children: [RenderNode]) -> RenderNode {
    RenderNode(id: .init(id), frame: Rect(CellRect(size)), opacity: opacity, children: children)
  }

  /// Draws a tree over another one.
  private static func surface(_ tree: RenderNode, over below: RenderNode? = nil) -> Surface {
    var compositor = Compositor(fading: .blend(page: page), levels: .eighths, drawsSoftEdges: false)
    let root = RenderNode(
      id: .init(999), frame: Rect(CellRect(size)), children: [below, tree].compactMap { $0 })
    return compositor.compose(root, size: size).surface
  }

  private static func randomTree(_ random: inout SplitMix64, depth: Int) -> RenderNode {
    func place(_ limit: Int) -> Double { Double(Int.random(in: -2..<limit, using: &random)) }
    let (columns, rows) = (Int.random(in: 1...12, using: &random), Int.random(in: 1...4, using: &random))
    var node = RenderNode(
      id: .init(random.next()), frame: Rect(x: place(20), y: place(5), width: Double(columns), height: Double(rows)))
    node.transform.translation = Point(x: place(3), y: 0)
    if Bool.random(using: &random) { node.surface = random.surface(columns: columns, rows: rows) }
    if Int.random(in: 0..<4, using: &random) == 0 { node.fill = .hex(0x224466) }
    if Int.random(in: 0..<3, using: &random) == 0 { node.clip = Rect(x: 0, y: 0, width: Double(columns), height: 2) }
    if depth > 0 {
      node.children = (0..<Int.random(in: 0...3, using: &random)).map { _ in randomTree(&random, depth: depth - 1) }
    }
    return node
  }

  @Test func `an opaque tree becomes one surface that looks the same over anything`() {
    var random = SplitMix64(seed: 44)
    for _ in 0..<300 {
      let tree = Self.group(1, (0..<3).map { _ in Self.randomTree(&random, depth: 3) })
      let below = RenderNode(
        id: .init(2), frame: Rect(CellRect(Self.size)), surface: random.surface(columns: 24, rows: 6))

      let flat = tree.flattened()

      #expect(flat.children.count <= 1)
      #expect(Self.surface(flat) == Self.surface(tree))
      #expect(Self.surface(flat, over: below) == Self.surface(tree, over: below))
    }
  }

  @Test func `cells keep their own opacity and that of their group`() {
    let tree = Self.group(
      1,
      [
        Self.label(2, "solid", x: 0, y: 0), Self.label(3, "half", x: 6, y: 0, opacity: 0.5),
        Self.group(
          4, opacity: 0.5, [Self.label(5, "group", x: 0, y: 1), Self.label(6, "日本", x: 6, y: 1, opacity: 0.5)]),
        Self.label(7, "gone", x: 0, y: 2, opacity: 0),
      ])
    let below = Self.label(8, "-- --- -- --- -- ---", x: 0, y: 0)

    let flat = tree.flattened()

    #expect(flat.children.map(\.opacity) == [1, 0.25, 0.5])
    #expect(flat.isFlat)
    // An opacity of 0.25 in one step rounds differently from 0.5 in two steps. The first row has no such cells.
    let first = CellRect(column: 0, row: 0, columns: 24, rows: 1)
    for below in [nil, below] {
      #expect(Self.surface(flat, over: below).cropped(first) == Self.surface(tree, over: below).cropped(first))
      #expect(Self.surface(flat, over: below).textRows == Self.surface(tree, over: below).textRows)
    }
  }

  @Test(arguments: [0, 0.1, 0.3, 0.5, 0.7, 0.9, 1])
  func `a dissolving page looks the same when it is flattened`(fraction: Double) {
    for rowShare in [0.4, 1] {
      var outgoing = Self.group(2, (0..<6).map { Self.label(UInt64(10 + $0), "going \($0) same", x: 0, y: Double($0)) })
      outgoing.dissolve = Dissolve(fraction, rowShare: rowShare)
      let incoming = Self.group(3, (0..<6).map { Self.label(UInt64(20 + $0), "there \($0) same", x: 0, y: Double($0)) })
      let tree = Self.group(1, [incoming, outgoing])

      let flat = tree.flattened()

      #expect(Self.surface(flat).textRows == Self.surface(tree).textRows)
      #expect(flat.children.count <= 3)
    }
  }

  @Test func `a turning card looks the same when it is flattened`() {
    var card = Self.group(2, [Self.label(3, "a card of some width", x: 2, y: 2)])
    card.transform.flip = 0.7
    let tree = Self.group(1, [card])

    #expect(Self.surface(tree.flattened()) == Self.surface(tree))
  }

  @Test func `content outside the frame keeps its position`() {
    var tree = RenderNode(
      id: .init(1), frame: Rect(x: 0, y: 0, width: 4, height: 1), children: [Self.label(2, "beside", x: 6, y: 2)])
    let expected = Self.surface(tree)

    #expect(Self.surface(tree.flattened()) == expected)
    tree.clip = Rect(x: 0, y: 0, width: 4, height: 1)
    #expect(tree.flattened().children.isEmpty)
  }

  @Test func `flattening a flat tree changes nothing and adds no surfaces`() {
    var tree = Self.group(
      1, (1...7).map { Self.label(UInt64($0), "eighth \($0)", x: 0, y: Double($0 - 1), opacity: Double($0) / 8) })
    let expected = Self.surface(tree)

    for _ in 0..<100 { tree = Self.group(1, [tree.flattened()]) }

    #expect(Self.surface(tree) == expected)
    #expect(tree.flattened().children.count <= 8)
  }
}
