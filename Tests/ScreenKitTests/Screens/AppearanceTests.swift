import Snapshots
import Testing
import TextCanvas

@testable import ScreenKit

@MainActor @Suite struct AppearanceTests {
  @Test(.checklist("X.1")) func `each sequence of two appearance calls changes the state or is reported`() {
    let calls: [(String, (Screen) -> Void)] = [
      ("in", { $0.beginAppearance(true, animated: false) }), ("out", { $0.beginAppearance(false, animated: false) }),
      ("end", { $0.endAppearance() }),
    ]
    var table: [String] = []
    for first in calls {
      for second in calls {
        let screen = TracingScreen("A")
        let stage = Stage(size: CellSize(columns: 1, rows: 1))
        var reports = 0
        stage.onIssue = { _ in reports += 1 }
        stage.perform(at: 0) {
          first.1(screen)
          second.1(screen)
        }
        let received = screen.trace.take().filter { !$0.contains("Load") }.map { $0.prefix(10).dropFirst(2) }
        table.append("\(first.0) \(second.0): \(received.joined(separator: " ")), \(screen.appearance), \(reports)")
      }
    }

    expectSnapshot(table)
  }

  @Test func `the children of a container appear and disappear with it`() {
    let trace = Trace()
    let inner = TracingScreen("A", trace)
    let hidden = TracingScreen("B", trace)
    let tabs = TabScreen([StackScreen(root: inner), hidden])
    let stage = Stage(size: CellSize(columns: 4, rows: 2))
    _ = trace.take()

    stage.rootScreen = tabs
    stage.rootScreen = nil

    #expect(
      trace.take() == ["A.didLoad", "A.willAppear(false)", "A.didAppear", "A.willDisappear(false)", "A.didDisappear"])
  }

  @Test func `isAppearing is called after layout and before the first frame`() throws {
    final class Placed: Screen {
      var calls: [String] = []
      override func willAppear(animated: Bool) { calls.append("will \(stage != nil)") }
      override func isAppearing(animated: Bool) { calls.append("is \(layer.frame.width) \(stage != nil)") }
      override func didAppear(animated: Bool) { calls.append("did") }
    }
    let it = try TracedStack("A")
    let placed = Placed()

    try it.stack.push(placed, animated: true)
    it.stage.advance(to: 1)

    #expect(placed.calls == ["will false", "is 10.0 true", "did"])
  }

  @Test func `a container replaced during its own transition completes it first`() throws {
    let it = try TracedStack("A", also: "BC")
    let outer = ContentScreen(it.stack)
    let stage = makeStage(outer, issues: it.issues)
    let push = try it.stack.push(it["B"], animated: true)
    stage.advance(to: 0.3)
    _ = it.trace.take()

    outer.set(it["C"], animated: true)
    let calls = it.trace.take().filter { $0.contains("ppear") }
    stage.advance(to: 3)

    #expect(push.outcome == .completed)
    #expect(calls == ["A.didDisappear", "B.didAppear", "B.willDisappear(true)", "C.willAppear(true)"])
    #expect(it["B"].appearance == .disappeared)
    #expect(it.issues.all == [])
  }
}
