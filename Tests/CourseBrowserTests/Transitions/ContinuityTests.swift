import CourseLibrary
import Foundation
import LearningModel
import NavigationService
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser

/// Somebody does one thing after another without waiting for anything to arrive.
@MainActor @Suite struct ContinuityTests {
  /// What can be done at any moment; each says whether it asks for another place or tab.
  private enum Act: CaseIterable {
    case open, up, next, previous, back, forward, goOn, first, second, third, down, layout
    case drag, wheel, click, resize

    /// The key of the act; `nil` where a mouse does it.
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
      case .drag, .wheel, .click, .resize: nil
      }
    }
  }

  /// What asks for another place or tab, and so begins a motion from what is seen: nothing may have moved when it begins.
  private static let moving: [Act] = [
    .open, .up, .next, .previous, .back, .forward, .goOn, .first, .second, .third, .layout,
  ]

  @Test(arguments: Array(0..<8) + [33]) func `what interrupts a motion begins with what is seen`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    var time = 1.0
    var trail: [String] = []
    for _ in 0..<40 {
      time += Double.random(in: 0.01...0.35, using: &random)
      let act = Self.moving.randomElement(using: &random)!
      let before = fixture.screen(at: time)
      let wasFinding = fixture.browser.tabs.selectedIndex == 1
      // In Find letters are typed.
      let key = wasFinding ? [Key.escape, .enter, .down][Int.random(in: 0..<3, using: &random)] : act.key!
      trail.append("\(key) at \(time)")
      fixture.press(key, at: time)
      let after = fixture.screen(at: time)
      if wasFinding, key == .down { continue }
      for title in titles {
        let (old, new) = (places(of: title, in: before), places(of: title, in: after))
        let isKept = old.allSatisfy { old in
          new.contains { abs($0.column - old.column) <= 1 && abs($0.row - old.row) <= 1 }
        }
        guard isKept else {
          let rows = (1..<22).map { "|\(before[$0])|\(after[$0])|" }.joined(separator: "\n")
          Issue.record("\(trail.suffix(4).joined(separator: ", ")): \(title) \(old) \(new)\n\(rows)")
          return
        }
      }
    }
  }

  @Test(arguments: Array(0..<12) + [36, 58, 83])
  func `whatever is done, no layer leaps, and the pages are those of the log`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let fixture = try BrowserFixture(opening: "english-for-business/negotiating")
    let browser = fixture.browser
    var issues: [ScreenIssue] = []
    browser.stage.onIssue = { issues.append($0) }
    let layers = browser.screen.layer.sublayers.count
    var time = 1.0
    var trail: [String] = []
    for _ in 0..<50 {
      time += Double.random(in: 0.01...0.3, using: &random)
      let first = places(at: time - Self.frame, in: browser)
      let before = places(at: time, in: browser)
      let act = Act.allCases.randomElement(using: &random)!
      trail.append("\(act) at \(time)")
      time = perform(act, on: fixture, at: time, using: &random)
      if act == .drag || act == .wheel || act == .resize || act == .down || act == .click { continue }
      let frames = [
        first, before, places(at: time, in: browser), places(at: time + Self.frame, in: browser),
        places(at: time + 2 * Self.frame, in: browser),
      ]
      time += 2 * Self.frame
      // A tab that is come back to is read again: what it lists has other rows then.
      let leap = leap(in: frames, sideways: [.second, .third].contains(act))
      #expect(leap == nil, "\(trail.suffix(4).joined(separator: ", ")): \(leap ?? "")")
      if leap != nil { return }
    }

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

  // MARK: - What is done

  /// Does one thing, which takes time where a hand does it.
  ///
  /// - Returns: When it is done.
  private func perform(
    _ act: Act, on fixture: BrowserFixture, at time: Double, using random: inout SplitMix64
  ) -> Double {
    if let key = act.key {
      // In Find letters are typed.
      fixture.press(fixture.browser.tabs.selectedIndex == 1 ? .escape : key, at: time)
      return time
    }
    let row = Int.random(in: 6..<20, using: &random)
    switch act {
    case .click:
      for action in [MouseEvent.Action.press(.left), .release(.left)] { fixture.mouse(action, 30, row, at: time) }
      return time
    case .resize:
      let size = CellSize(
        columns: Int.random(in: 70...130, using: &random), rows: Int.random(in: 20...40, using: &random))
      fixture.browser.stage.resize(to: size, at: time)
      return time
    case .wheel:
      for step in 0..<Int.random(in: 1...8, using: &random) {
        fixture.mouse(
          .scroll(columns: Bool.random(using: &random) ? -2 : -1, rows: 0), 30, row, at: time + Double(step) * 0.02)
      }
      return time + 0.2
    default:
      let start = Bool.random(using: &random) ? 0 : 40
      let way = start == 0 || Bool.random(using: &random) ? 1 : -1
      fixture.mouse(.press(.left), start, row, at: time)
      var column = start
      var now = time
      let key = Act.allCases.randomElement(using: &random)?.key
      for step in 0..<Int.random(in: 2...12, using: &random) {
        // Now and then a key comes in between.
        if step == 6, let key, fixture.browser.tabs.selectedIndex != 1 { fixture.press(key, at: now) }
        column = max(0, min(79, column + way * Int.random(in: 1...4, using: &random)))
        now += 0.01
        fixture.mouse(.drag(.left), column, row, at: now)
        _ = fixture.browser.stage.tick(at: now)
      }
      fixture.mouse(.release(.left), column, row, at: now + 0.01)
      return now + 0.01
    }
  }

  // MARK: - What is seen

  /// Seconds between two frames that are compared.
  private static let frame = 1.0 / 240

  /// Where each layer is seen, by its number; those that something covers are not.
  private func places(at time: Double, in browser: Browser) -> [RenderNode.ID: Point] {
    var places: [RenderNode.ID: Point] = [:]
    func add(_ node: RenderNode, _ origin: Point, _ opacity: Double) {
      let place = Point(
        x: origin.x + node.frame.x + node.transform.translation.x,
        y: origin.y + node.frame.y + node.transform.translation.y)
      guard opacity * node.opacity > 0.01 else { return }
      if node.fill != nil, opacity * node.opacity > 0.99 { places = [:] }
      if node.surface != nil { places[node.id] = place }
      for child in node.children { add(child, place, opacity * node.opacity) }
    }
    add(browser.stage.tick(at: time), .zero, 1)
    return places
  }

  /// A layer that goes further from one frame to the next than it goes before and after that, and two cells, which a page that is let go right before its place may need; `nil` where
  /// there is none.
  private func leap(in frames: [[RenderNode.ID: Point]], sideways: Bool) -> String? {
    for id in frames[1].keys {
      let way = frames.map { $0[id] }
      // One that has just come, or is about to go, has no speed to compare with.
      guard way[0] != nil, way[way.count - 1] != nil else { continue }
      let steps = zip(way, way.dropFirst()).map { old, new -> Double? in
        guard let old, let new else { return nil }
        return max(abs(new.x - old.x), sideways ? 0 : abs(new.y - old.y))
      }
      for index in 1..<steps.count - 1 {
        guard let step = steps[index] else { continue }
        let others = (steps[..<index] + steps[(index + 1)...]).compactMap { $0 }
        if step > (others.max() ?? 0) + 2 {
          return "layer \(id): \(way.map { $0.map { "\($0.x), \($0.y)" } ?? "-" })"
        }
      }
    }
    return nil
  }

  private let titles = [
    "English for Business", "Meetings", "Negotiating", "Writing", "Presenting", "Preparing", "Opening offers",
    "Counter-offers", "Closing the deal", "Three columns on one page", "Read the brief", "Who speaks first?",
  ]

  /// Where a title is seen, below the trail and above the last rows, where notices are said.
  private func places(of title: String, in screen: [String]) -> [CellPoint] {
    (1..<20).compactMap { row in
      screen[row].range(of: title).map {
        CellPoint(column: String(screen[row][..<$0.lowerBound]).displayWidth, row: row)
      }
    }
  }
}
