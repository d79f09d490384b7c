import Foundation
import Testing
import TextCanvas

@testable import ScreenKit

/// Tests the code of the documentation page Examples.
@MainActor @Suite struct ExampleTests {
  private let tests = URL(filePath: #filePath).deletingLastPathComponent()

  @Test func `a switch with an animation block fades repeatedly, also without animation`() throws {
    let screens = "AB".map { TracingScreen("\($0)") }
    let box = Box(screens[0])
    let issues = IssueLog()
    let stage = makeStage(box, columns: 4, rows: 1, issues: issues)
    _ = stage.tick(at: 0)

    let switching = try box.fade(to: screens[1])
    switching.fractionComplete = 0.5
    let half = screens.map { $0.layer.presentation.opacity }
    let isBetween = half.allSatisfy { (0.01...0.99).contains($0) }
    switching.finish()
    let faded = stage.picture(at: 1)
    for (number, screen) in [screens[0], screens[1], screens[0]].enumerated() {
      _ = try box.fade(to: screen, seconds: number == 1 ? 0.3 : 0)
      stage.advance(to: Double(number + 2))
    }

    #expect(isBetween && half[0] + half[1] == 1, "\(half)")
    #expect(faded == ["BBBB"])
    #expect(stage.picture(at: 6) == ["AAAA"])
    #expect(box.children.map(\.title) == ["A"] && box.layer.sublayers.count == 1)
    #expect(issues.all == [])
  }

  @Test func `a title moves to its page, and unmatched pages use the stack's transition`() throws {
    let shelf = Shelf(["one", "two", "three"])
    shelf.chosen = 2
    let stack = StackScreen(root: shelf)
    let matches = Matches()
    stack.transitions = matches
    let issues = IssueLog()
    let stage = makeStage(stack, columns: 8, rows: 3, issues: issues)
    _ = stage.tick(at: 0)

    let push = try stack.push(Book("three"), animated: true)
    push.fractionComplete = 0
    let start = stage.picture(at: stage.now)
    push.fractionComplete = 0.5
    let half = stage.picture(at: stage.now)
    push.fractionComplete = 1
    let end = stage.picture(at: stage.now)
    let moving = (shelf.leaving, (push.to as? Book)?.coming)
    push.finish()
    stage.advance(to: 3)
    let other = try stack.push(Book("four"), animated: true)
    other.finish()
    stage.advance(to: 6)

    #expect(start == ["  one   ", "  two   ", "  three "])
    #expect(half == ["        ", " three  ", "        "])
    #expect(end == ["three   ", "        ", "        "])
    #expect(moving == (TransitionID("three"), TransitionID("three")) && shelf.leaving == nil)
    #expect(push.outcome == .completed && other.outcome == .completed)
    #expect(issues.all == [])
  }

  @Test func `items move between two layouts in both directions`() throws {
    let (list, grid) = cabinet(of: ["aaaa", "bbbb"])
    let stack = StackScreen(root: list)
    let stage = makeStage(stack, columns: 8, rows: 2)
    _ = stage.tick(at: 0)

    let push = try stack.push(grid, animated: true)
    push.fractionComplete = 0.5
    let half = stage.picture(at: stage.now)
    push.finish()
    let pushed = stage.picture(at: 1)
    stack.pop(animated: true)
    stage.advance(to: 3)

    #expect(half == ["aaaa    ", "  bbbb  "])
    #expect(pushed == ["aaaabbbb", "        "])
    #expect(stage.picture(at: 4) == ["aaaa    ", "bbbb    "])
  }

  @Test func `a drawer follows the gesture and can be opened or closed`() throws {
    let screen = TracingScreen("A")
    let stage = makeStage(screen, columns: 4, rows: 4)
    _ = stage.tick(at: 0)
    let panel = line("====")
    panel.frame = Rect(x: 0, y: 4, width: 4, height: 1)
    panel.opacity = 0
    screen.layer.add(panel)
    var ends: [Int] = []

    let drawer = Drawer(panel, rows: 2)
    drawer.pull(to: 0.5)
    let half = (panel.presentation.transform.translation.y, panel.presentation.opacity)
    drawer.pull(to: 0.75)
    let more = (panel.presentation.transform.translation.y, panel.presentation.opacity)
    drawer.letGo(open: false, velocity: -2) { ends.append(0) }
    stage.advance(to: 2)
    let closed = (panel.presentation.transform.translation.y, panel.presentation.opacity)
    let other = Drawer(panel, rows: 2)
    other.pull(to: 0.2)
    other.letGo(open: true) { ends.append(1) }
    stage.advance(to: 4)

    #expect(half == (-1, 0))
    #expect(more == (-1.5, 0.5))
    #expect(closed == (0, 0))
    #expect((panel.presentation.transform.translation.y, panel.presentation.opacity) == (-2, 1))
    #expect(ends == [0, 1])
  }

  @Test func `the code of the examples matches the tested code`() throws {
    let page = try String(
      contentsOf: tests.deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "Sources/ScreenKit/Documentation.docc/Examples.md"), encoding: .utf8)
    let source = try String(contentsOf: tests.appending(path: "ExampleCode.swift"), encoding: .utf8)
    func plain(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }

    let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }

    #expect(blocks.count == 13)
    for block in blocks {
      for declaration in block.components(separatedBy: "\n\nfinal class") {
        #expect(plain(source).contains(plain(declaration)))
      }
    }
  }
}
