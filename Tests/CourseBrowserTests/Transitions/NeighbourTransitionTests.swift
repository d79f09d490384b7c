import NavigationKit
import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// Steps to neighbours and to other tabs by key.
@MainActor @Suite struct NeighbourTransitionTests {
  nonisolated private static let goal = "english-for-business/negotiating"
  nonisolated private static let lesson = goal + "/opening-offers"
  nonisolated private static let text = lesson + "/who-speaks-first"

  nonisolated private static let steps: [(place: String, key: Character)] = [
    (goal, "n"), (goal, "p"), (lesson, "n"), (text, "n"), (goal, "3"), (goal, "2"),
  ]

  @Test(arguments: steps, [(80, 24), (120, 36), (200, 60)])
  func `the header stays, and the old body disappears before the new one appears`(
    step: (place: String, key: Character), size: (columns: Int, rows: Int)
  ) throws {
    let fixture = try BrowserFixture.inColour(size.columns, size.rows, opening: .text(step.place))
    let metrics = PageMetrics(size: CellSize(columns: size.columns, rows: size.rows))
    let headerRows = 0..<metrics.bodyTop
    // Rows of the side pane are ignored.
    func rows(at time: Double) -> [String] {
      fixture.screen(at: time).map { String($0.prefix(metrics.firstColumn + metrics.width)) }
    }
    let before = rows(at: 1)
    fixture.press(step.key, at: 1)
    let frames = (0...48).map { rows(at: 1 + Double($0) / 240) }
    let after = rows(at: 3)

    let headers = frames.map { Array($0[headerRows]) }
    #expect(headers.allSatisfy { $0 == Array(before[headerRows]) || $0 == Array(after[headerRows]) })
    let changes = zip(headers, headers.dropFirst()).count { $0 != $1 }
    #expect(changes == 1, "the header changes in one step")
    let middle = try #require(headers.firstIndex { $0 == Array(after[headerRows]) })
    #expect((17...22).contains(middle), "in the middle of 160 ms")
    let limit = Int(NeighbourTransition.distance)
    for (number, frame) in frames.enumerated() {
      let isOld = number < middle
      let reference = (isOld ? before : after)[metrics.bodyTop..<metrics.bodyEnd]
      for (row, text) in zip(frame[metrics.bodyTop..<metrics.bodyEnd], reference) where !row.allSatisfy({ $0 == " " }) {
        let isShifted = (-limit...limit).contains { row.trimmed == text.shifted(by: $0, isOld: isOld) }
        #expect(isShifted, "frame \(number): '\(row)' from '\(text)'")
      }
    }
    #expect(frames.last?.dropLast(2) == after.dropLast(2))
  }

  @Test(arguments: [ColourDepth.indexed, .ansi, .none], ["n", "p", "2", "3"])
  func `without true colour, neighbours and tabs change at once`(colours: ColourDepth, key: Character) throws {
    let fixture = try BrowserFixture(opening: .text(Self.goal), colours: colours)
    _ = fixture.screen(at: 1)
    fixture.press(key, at: 1)
    let first = fixture.screen(at: 1)
    // The preview of a list is read when the selection has not changed for a while.
    let second = fixture.screen(at: 1.001 + SidePanePresenter.paneDelay)

    #expect(first.prefix(5) == second.prefix(5))
    #expect(second == fixture.screen(at: 3))
  }

  @Test func `a held key shows each header, and the last page is complete 160 ms after the last press`() throws {
    let fixture = try BrowserFixture.inColour(opening: .text(Self.lesson + "/read-the-brief"))
    var titles: [String] = []
    for frame in 0...60 {
      let time = 1 + Double(frame) / 240
      if frame % 8 == 0, frame < 48 { fixture.press("n", at: time) }
      let title = fixture.screen(at: time)[2].trimmed
      if title != titles.last { titles.append(title) }
    }
    let last = fixture.screen(at: 1 + 40.0 / 240 + 0.165)

    #expect(last == fixture.screen(at: 5))
    #expect(titles.count >= 3 && !titles.contains(""), "\(titles)")
  }

  @Test(arguments: [0.01, 0.03, 0.05, 0.07])
  func `a step that is reversed while the old body is visible returns from its offset`(pause: Double) throws {
    let fixture = try BrowserFixture.inColour(opening: .text(Self.goal))
    let before = fixture.screen(at: 1)
    fixture.press("n", at: 1)
    let interrupted = fixture.screen(at: 1 + pause)
    fixture.press("p", at: 1 + pause)

    #expect(fixture.screen(at: 1 + pause).dropLast(2) == interrupted.dropLast(2))
    // The amount is never cut at the left edge.
    let columns = (0...24).map { frame in
      fixture.screen(at: 1 + pause + Double(frame) / 240).lazy.compactMap { $0.column(of: "about 25 min") }.first ?? -1
    }
    let end = before.lazy.compactMap { $0.column(of: "about 25 min") }.first ?? 0
    #expect(columns.allSatisfy { end - Int(NeighbourTransition.distance)...end ~= $0 }, "\(columns)")
    #expect(fixture.screen(at: 1 + pause + 0.1).dropLast(2) == before.dropLast(2))
  }
}

extension String {
  /// Returns the visible part of a row that was moved by a number of columns.
  fileprivate func shifted(by columns: Int, isOld: Bool) -> String {
    columns < 0 ? String(dropFirst(-columns)).trimmed : String(dropLast(columns)).trimmed
  }

  fileprivate func column(of word: String) -> Int? {
    firstRange(of: word).map { distance(from: startIndex, to: $0.lowerBound) }
  }
}
