import Foundation
import ScreenKit
import Testing
import TextCanvas

// The tests of the page "Testing with a given clock".

final class Letter: Screen {
  override func didLoad() { layer.content = Surface(String(repeating: title, count: 4)) }
}

@MainActor func frame(of stage: Stage, at time: Double) -> [String] {
  var compositor = Compositor()
  return compositor.compose(stage.tick(at: time), size: stage.size).surface.textRows
}

@MainActor @Test func `a push slides the new screen in from the right`() throws {
  let stack = StackScreen(root: Letter(title: "A"))
  let stage = Stage(size: CellSize(columns: 4, rows: 1), rootScreen: stack)

  let push = try stack.push(Letter(title: "B"), animated: true)
  push.fractionComplete = 0.5
  let half = frame(of: stage, at: 0)
  push.finish()

  #expect(half == ["AABB"])
  #expect(frame(of: stage, at: 1) == ["BBBB"])
  #expect(push.outcome == .completed)
  #expect(stage.nextFrameTime == nil)
}

@MainActor @Test func `a cancelled pop leaves the stack unchanged`() throws {
  let stack = StackScreen(root: Letter(title: "A"))
  let stage = Stage(size: CellSize(columns: 4, rows: 1), rootScreen: stack)
  var issues: [ScreenIssue] = []
  stage.onIssue = { issues.append($0) }
  try stack.push(Letter(title: "B"), animated: false)

  let pop = try #require(stage.perform(at: 1) { stack.pop(animated: true) })
  pop.fractionComplete = 0.75
  let held = frame(of: stage, at: 5)
  pop.cancel()
  stage.advance(to: 10)

  #expect(held == ["AAAB"])
  #expect(pop.outcome == .cancelled)
  #expect(stage.focusedScreen?.title == "B")
  #expect(issues == [])
}

@Suite struct GivenClockExampleTests {
  @Test func `the code of the page matches the tested code`() throws {
    let file = URL(filePath: #filePath)
    let source = try String(contentsOf: file, encoding: .utf8)
    let page = try String(
      contentsOf: file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(
        path: "Sources/ScreenKit/Documentation.docc/GivenClock.md"), encoding: .utf8)

    let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }

    #expect(blocks.count == 2)
    for block in blocks { #expect(source.contains("\n\(block)\n")) }
  }
}
