import Testing
import TextCanvas

@testable import ScreenKit

extension ExampleTests {
  private func half(_ transition: Transition?, on stage: Stage) throws -> [String] {
    let transition = try #require(transition)
    transition.fractionComplete = 0.5
    let picture = stage.picture(at: stage.now)
    transition.finish()
    stage.advance(to: stage.now + 2)
    return picture
  }

  @Test func `each operation has its own transition, and the provider is notified`() throws {
    let stack = StackScreen(root: TracingScreen("A"), title: "stack")
    let tabs = TabScreen([stack, TracingScreen("T")])
    let looks = Looks(tabs: "slide")
    (stack.transitions, tabs.transitions) = (looks, looks)
    let issues = IssueLog()
    let stage = makeStage(tabs, columns: 4, rows: 2, issues: issues)
    _ = stage.tick(at: 0)
    let sheet = Sheet("S", rows: 2)
    sheet.transitions = looks

    let push = try half(stack.push(TracingScreen("B"), animated: true), on: stage)
    let select = try half(tabs.select(1, animated: true), on: stage)
    let present = try half(tabs.present(sheet, animated: true), on: stage)

    #expect(push == ["    ", "    "])
    #expect(select == ["BBTT", "BBTT"])
    #expect(present == ["TTTT", "    "])
    #expect(looks.shown == ["to B", "at B", "to T", "at T", "to S", "at S"])
    #expect(issues.all == [])
  }

  @Test func `an unknown animator name falls back to the provider's default`() throws {
    let (from, to) = (TracingScreen("A"), TracingScreen("B"))

    let known = Looks(tabs: "crossFade").animationController(for: .select(from: 0, to: 1), from: from, to: to)
    let unknown = Looks(tabs: "swirl").animationController(for: .select(from: 0, to: 1), from: from, to: to)

    #expect(known is CrossFadeTransition)
    #expect(unknown is SpringSlideTransition)
  }

  @Test func `a sheet covers the lower rows and receives its callbacks`() throws {
    let page = framed(TracingScreen("A"))
    let stage = makeStage(page, columns: 6, rows: 4)
    _ = stage.tick(at: 0)
    let sheet = Sheet("S", rows: 2)

    try page.present(sheet, animated: false)
    let above = stage.picture(at: 1)
    page.dismiss(animated: false)

    #expect(above == ["      ", " AAAA ", "      ", "      "])
    #expect(stage.picture(at: 2) == ["      ", " AAAA ", " AAAA ", "      "])
    #expect(sheet.heard == ["is presented", "is gone"])
  }

  @Test func `a frame-based animator moves both screens, but not a presenter`() throws {
    let tabs = TabScreen(["A", "B"].map { TracingScreen($0) })
    let shove = Vending()
    tabs.transitions = shove
    let stage = makeStage(tabs, columns: 4, rows: 2)
    _ = stage.tick(at: 0)
    let sheet = Sheet("S", rows: 1)
    sheet.transitions = shove

    let select = try half(tabs.select(1, animated: true), on: stage)
    try tabs.present(sheet, animated: true).finish()
    stage.advance(to: 8)

    #expect(select == ["AABB", "AABB"])
    #expect(stage.picture(at: 9) == ["BBBB", "    "])
  }

  @Test func `three wheel clicks complete a push, and cancelling after one undoes it`() throws {
    let stack = StackScreen(root: TracingScreen("A"))
    let vending = Vending()
    let clicks = Clicks()
    vending.hand = clicks
    stack.transitions = vending
    let journal = Journal()
    let stage = makeStage(stack, columns: 6, rows: 1)
    journal.note(faultsOf: stage)
    _ = stage.tick(at: 0)

    let first = try stack.push(TracingScreen("B"), animated: true)
    journal.follow(try #require(stack.transitionCoordinator))
    first.whenEnded { journal.note($0) }
    clicks.click()
    let third = stage.picture(at: stage.now)
    clicks.giveUp()
    stage.advance(to: 3)
    let back = stage.picture(at: 3)
    let next = Clicks()
    vending.hand = next
    let second = try stack.push(TracingScreen("C"), animated: true)
    second.whenEnded { journal.note($0) }
    for _ in 1...3 { next.click() }
    stage.advance(to: 6)

    #expect(third == ["AAAABB"])
    #expect(back == ["AAAAAA"])
    #expect(stage.picture(at: 7) == ["CCCCCC"])
    #expect(journal.lines == ["a hand begins", "it can be caught", "let go", "back at 0.0", "as before", "there"])
  }

  @Test func `a collapsed screen receives its appearance callbacks, animated or not`() throws {
    for moves in [true, false] {
      let trace = Trace()
      let split = Split(TracingScreen("A", trace), TracingScreen("B", trace))
      let stage = makeStage(split, columns: 4, rows: 1)
      let both = stage.picture(at: 0)

      split.fold(moves: moves)
      let next = stage.picture(at: 0.1)
      stage.advance(to: 1)

      #expect(both == ["AABB"])
      #expect(next == [moves ? "AAAB" : "AAAA"])
      #expect(stage.picture(at: 2) == ["AAAA"])
      #expect(split.children.map(\.appearance) == [.appeared, .disappeared])
    }
  }

  @Test func `the stairs layout indents each item by one column`() {
    let items = CollectionItems(["aaa", "bbb"].map { TransitionID($0) }) { line($0.description) }
    let stage = makeStage(CollectionScreen(items, layout: Stairs()), columns: 4, rows: 2)

    #expect(stage.picture(at: 0) == ["aaa ", " bbb"])
  }
}

/// A provider that returns a `Shove` animator and a replaceable interactive transition.
private final class Vending: TransitionProvider {
  private let shove = Shove()
  var hand: (any InteractiveTransitioning)?

  func animationController(
    for operation: TransitionOperation, from: Screen, to: Screen
  ) -> (any AnimatedTransitioning)? { shove }

  func interactionController(for animator: any AnimatedTransitioning) -> (any InteractiveTransitioning)? { hand }
}
