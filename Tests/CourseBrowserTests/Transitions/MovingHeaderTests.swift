import NavigationKit
import Testing
import TextCanvas

/// The animation of a text's header as it shrinks and grows.
@MainActor @Suite struct MovingHeaderTests {
  private static let text = "english-for-business/negotiating/opening-offers/who-speaks-first"
  private static let summary = "The old advice is to wait."

  /// Returns the rows of title, summary and rule in each frame, or -1 if invisible.
  private func places(on fixture: BrowserFixture, from start: Double) -> [[Int]] {
    (0...40).map { frame in
      let rows = fixture.screen(at: start + Double(frame) / 240)
      return ["Who speaks first?", Self.summary, "────"].map { text in rows.firstIndex { $0.contains(text) } ?? -1 }
    }
  }

  @Test(arguments: [Key.down, .character(" ")])
  func `the summary moves with the title until the horizontal line covers it`(
    key: Key
  ) throws {
    let fixture = try BrowserFixture.inColour(opening: .text(Self.text))
    let before = fixture.screen(at: 2)
    fixture.press(key, at: 2)

    #expect(fixture.screen(at: 2).dropLast(2).dropFirst(3) == before.dropLast(2).dropFirst(3))
    let places = places(on: fixture, from: 2)
    #expect(places.first == [2, 3, 4] && places.last == [1, -1, 2])
    #expect(places.contains([1, 2, 3]), "\(places)")
    #expect(places.allSatisfy { $0[1] == $0[0] + 1 || $0[1] == -1 && $0[2] == $0[0] + 1 }, "\(places)")
  }

  @Test func `the summary reappears at the horizontal line`() throws {
    let fixture = try BrowserFixture.inColour(opening: .text(Self.text))
    fixture.press(.down, at: 1)
    _ = fixture.screen(at: 2)
    fixture.press(.up, at: 2)

    let places = places(on: fixture, from: 2)
    #expect(places.first == [1, -1, 2] && places.last == [2, 3, 4])
    #expect(places.allSatisfy { $0[1] == $0[0] + 1 || $0[1] == -1 && $0[2] == $0[0] + 1 }, "\(places)")
  }

  @Test(arguments: [0.005, 0.012, 0.02, 0.03, 0.05, 0.09])
  func `reversing the scroll direction reverses the header too`(later: Double) throws {
    let fixture = try BrowserFixture.inColour(opening: .text(Self.text))
    var time = 1.0
    for key in [Key.down, .up, .down, .down, .up, .up] {
      let before = fixture.screen(at: time)
      fixture.press(key, at: time)
      let after = fixture.screen(at: time)
      #expect(Array(after.dropLast(2)) == Array(before.dropLast(2)), "\(key)")
      time += later
    }
  }

  @Test func `the details of a scrolled text cover the breadcrumb and uncover it again`() throws {
    let fixture = try BrowserFixture.inColour(opening: .text(Self.text))
    fixture.press(" ", at: 1)
    let before = fixture.screen(at: 2)
    #expect(before[0].contains("Courses ›"))

    fixture.press("i", at: 2)
    let first = fixture.screen(at: 2)
    let opening = (0...40).map { fixture.screen(at: 2 + Double($0) / 240)[0].contains("Courses ›") }
    #expect(first.dropLast(2) == before.dropLast(2))
    #expect(opening[8] && !opening[40], "\(opening)")

    fixture.press(.escape, at: 3)
    let closing = (0...40).map { fixture.screen(at: 3 + Double($0) / 240)[0].contains("Courses ›") }
    #expect(!closing[0] && closing[36] && closing[40], "\(closing)")
    // The breadcrumb reappears before the panel is gone, and stays.
    #expect(closing.firstIndex(of: true).map { closing[$0...].allSatisfy { $0 } } == true)
  }
}
