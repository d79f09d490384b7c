import Foundation
import Testing
import TextCanvas

// The code on the documentation page of TextCanvas.

func agenda() -> [String] {
  let card = RenderNode(
    id: RenderNode.ID(1), frame: Rect(x: 2, y: 1, width: 6, height: 1),
    surface: Surface("Agenda", style: Style(attributes: .bold)))
  let page = RenderNode(id: RenderNode.ID(0), frame: Rect(x: 0, y: 0, width: 10, height: 3), children: [card])
  var compositor = Compositor()
  return compositor.compose(page, size: CellSize(columns: 10, rows: 3)).surface.textRows
}

@Suite struct DocumentationTests {
  @Test func `the code of the documentation page draws a card`() {
    #expect(agenda() == ["          ", "  Agenda  ", "          "])
  }

  @Test func `the code of the page matches the tested code`() throws {
    let file = URL(filePath: #filePath)
    let source = try String(contentsOf: file, encoding: .utf8)
    let page = try String(
      contentsOf: file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "Sources/TextCanvas/Documentation.docc/TextCanvas.md"), encoding: .utf8)

    let block = try #require(
      page.components(separatedBy: "```swift\n").dropFirst().first?.components(separatedBy: "\n```").first)

    #expect(source.contains("\n\(block)\n"))
  }
}
