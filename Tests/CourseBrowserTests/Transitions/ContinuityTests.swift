import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Random actions without waiting for any animation to end.
///
/// For every event (a key, each move of a drag, a scroll, a click) six frames are compared: two before it, one directly
/// before and one directly after it at the same time, and two later ones. At the time of the event nothing may move,
/// appear or disappear. Between frames nothing may move further than its velocity and one cell, or fade by more than
/// its speed and one of four opacity levels.
@MainActor @Suite struct ContinuityTests {
  /// The possible actions.
  private enum InputAction: CaseIterable {
    case open, up, next, previous, back, forward, goOn, first, second, third, down, layout
    case info, help, palette, marks
    case drag, wheel, click, resize

    /// The key of the action, or `nil` for mouse actions and resizes.
    var key: Key? {
      switch self {
      case .open: .enter
      case .up: .left
      case .next: .character("n")
      case .previous: .character("p")
      case .back: .character("H")
      case .forward: .character("L")
      case .goOn: .character(".")
      case .first: .character("1")
      case .second: .character("2")
      case .third: .character("3")
      case .down: .down
      case .layout: .character("v")
      case .info: .character("i")
      case .help: .character("?")
      case .palette: .character(":")
      case .marks: .character("'")
      case .drag, .wheel, .click, .resize: nil
      }
    }
  }

  /// One event, and the distance of the pointer in columns.
  private struct Move {
    let name: String
    let time: Double
    var columns = 0
    var isJudged = true
    /// Whether the event shows a tab, which reads its rows again, or an overlay, which hides the page as it grows.
    var isTab = false
    let act: () -> Void
  }

  @Test(arguments: seeds, [0, 1.0 / 60])
  func `after random actions there are no jumps, and the pages match the log`(
    seed: UInt64, headStart: Double
  ) throws {
    var random = SplitMix64(seed: seed)
    let fixture = try BrowserFixture.inColour(opening: "english-for-business/negotiating")
    let browser = fixture.browser
    browser.stage.headStart = headStart
    var issues: [ScreenIssue] = []
    browser.stage.onIssue = { issues.append($0) }
    let layers = browser.screen.layer.sublayers.count
    var time = 1.0
    var actions: [String] = []
    for _ in 0..<40 {
      time += Double.random(in: 0.01...0.3, using: &random)
      for move in moves(of: InputAction.allCases.randomElement(using: &random)!, on: fixture, at: time, using: &random)
      {
        time = move.time
        let first = [2, 1].map { ScreenState(browser, at: move.time - Double($0) * Self.frame) }
        let before = ScreenState(browser, at: move.time)
        move.act()
        actions.append(move.name + " at \(move.time)")
        guard move.isJudged else { continue }
        let after = ScreenState(browser, at: move.time)
        let last = [1, 2].map { ScreenState(browser, at: move.time + Double($0) * Self.frame) }
        time += 2 * Self.frame
        let change = move.isTab ? nil : after.change(from: before, columns: move.columns, headStart: headStart)
        let jump = ScreenState.jump(
          in: first + [before, after] + last, columns: move.columns, headStart: headStart, isSideways: move.isTab)
        guard change == nil, jump == nil else {
          Issue.record("\(actions.suffix(4).joined(separator: ", ")): \(change ?? jump ?? "")")
          return
        }
      }
    }

    if browser.overlay != nil { fixture.press(.escape, at: time + 0.5) }
    fixture.press(.character("1"), at: time + 1)
    fixture.press(.escape, at: time + 2)
    _ = fixture.screen(at: time + 5)
    let place = try browser.navigation.currentPlace()
    #expect(browser.stack.screens.compactMap { ($0 as? PageScreen)?.place }.last == place.place)
    #expect(browser.page?.title == place.title)
    #expect(browser.stack.layer.sublayers.count == 1 && browser.tabs.layer.sublayers.count == 1)
    #expect(browser.screen.layer.sublayers.count == layers)
    #expect(browser.flight == nil && browser.tabFlight == nil && browser.hand == nil)
    #expect(issues.map(\.description) == [])
  }

  private nonisolated static let seeds = Tier.seeds(Array(0..<5) + [6, 11, 13, 14, 33, 184], long: 0..<200)

  /// Seconds between two compared frames.
  private static let frame = 1.0 / 240
  /// Seconds between two events of one gesture, so that each has its own frames.
  private static let pause = 0.02

  // MARK: - Actions

  /// Returns the events of an action, the first at the given time.
  private func moves(
    of action: InputAction, on fixture: BrowserFixture, at time: Double, using random: inout SplitMix64
  ) -> [Move] {
    if let key = action.key {
      // In Find and in overlays with a text field, letters would change the entries.
      let isTyping = fixture.browser.tabs.selectedIndex == 1 || fixture.browser.overlay is PromptScreen
      let pressed = isTyping ? [Key.escape, .enter, .down].randomElement(using: &random)! : key
      return [press(pressed, on: fixture, at: time)]
    }
    let row = Int.random(in: 6..<20, using: &random)
    switch action {
    case .click:
      return [MouseEvent.Action.press(.left), .release(.left)].map { action in
        Move(name: "click", time: time, isJudged: fixture.hasStandingCards) {
          fixture.mouse(action, 30, row, at: time)
        }
      }
    case .resize:
      let size = CellSize(
        columns: Int.random(in: 70...130, using: &random), rows: Int.random(in: 20...40, using: &random))
      return [Move(name: "resize", time: time, isJudged: false) { fixture.browser.stage.resize(to: size, at: time) }]
    case .wheel:
      return (0..<Int.random(in: 1...8, using: &random)).map { step in
        let columns = Bool.random(using: &random) ? -2 : -1
        let time = time + Double(step) * Self.pause
        // One column of scrolling is 0.06 of the transition.
        return Move(name: "wheel \(columns)", time: time, columns: 5 * -columns) {
          fixture.mouse(.scroll(columns: columns, rows: 0), 30, row, at: time)
        }
      }
    default:
      return drag(row: row, on: fixture, at: time, using: &random)
    }
  }

  private func press(_ key: Key, on fixture: BrowserFixture, at time: Double, in occasion: String = "") -> Move {
    let covers = [InputAction.second, .third, .info, .help, .palette, .marks].map(\.key).contains(key)
    // Rows make space for the frame at once, and a text scrolls by lines; cards stay in place.
    let scrolls = key == .down && !fixture.hasStandingCards
    return Move(
      name: "\(key)" + occasion, time: time, isTab: covers || scrolls || fixture.browser.overlay != nil
    ) {
      fixture.press(key, at: time)
    }
  }

  private func drag(
    row: Int, on fixture: BrowserFixture, at time: Double, using random: inout SplitMix64
  ) -> [Move] {
    let start = Bool.random(using: &random) ? 0 : 40
    var direction = start == 0 || Bool.random(using: &random) ? 1 : -1
    var moves = [
      Move(name: "press", time: time, isJudged: fixture.hasStandingCards) {
        fixture.mouse(.press(.left), start, row, at: time)
      }
    ]
    var column = start
    var now = time
    let key = InputAction.allCases.randomElement(using: &random)?.key
    let turn = Int.random(in: 3...20, using: &random)
    for step in 0..<Int.random(in: 2...12, using: &random) {
      now += Self.pause
      // Sometimes a key is pressed during the drag, and sometimes the drag reverses.
      if step == 6, let key, fixture.browser.tabs.selectedIndex != 1 {
        moves.append(press(key, on: fixture, at: now, in: " in a drag"))
        now += Self.pause
      }
      if step == turn { direction = -direction }
      let (old, later) = (column, now)
      column = max(0, min(79, column + direction * Int.random(in: 1...4, using: &random)))
      let new = column
      // A new transition has progress 0 where the button was pressed.
      let columns = max(abs(new - old), step < 4 ? abs(new - start) : 0)
      moves.append(
        Move(name: "drag to \(new)", time: later, columns: columns) {
          fixture.mouse(.drag(.left), new, row, at: later)
        })
    }
    let (end, last) = (column, now + Self.pause)
    moves.append(Move(name: "release", time: last) { fixture.mouse(.release(.left), end, row, at: last) })
    return moves
  }
}

extension BrowserFixture {
  /// Whether the page shows cards that stay in place when another one is selected. Rows make space for the frame at
  /// once, and texts scroll by rows.
  fileprivate var hasStandingCards: Bool {
    guard browser.tabs.selectedIndex == 0, browser.overlay == nil, let list = browser.page as? ListScreen else {
      return false
    }
    return list.layout == .cards && list.list.contentHeight <= list.list.height
      && !list.isChangingLayout
  }
}
