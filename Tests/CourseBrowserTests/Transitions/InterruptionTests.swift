import NavigationKit
import Testing
import TextCanvas

@MainActor @Suite struct InterruptionTests {
  @Test func `a page that is gone back from before it is open goes back from where it is seen`() throws {
    let fixture = try BrowserFixture(opening: "english-for-business")
    fixture.press(.down, at: 0.1)
    _ = fixture.screen(at: 0.5)

    fixture.press(.enter, at: 1)
    var tops = stride(from: 1.0, through: 1.06, by: 0.01).map { top(of: fixture.screen(at: $0)) }
    fixture.press(.escape, at: 1.065)
    tops += stride(from: 1.07, through: 1.6, by: 0.01).map { top(of: fixture.screen(at: $0)) }

    // The card's frame begins in row 8; moving up and back it never leaps.
    #expect(tops.first == 8)
    #expect(tops.last == 8)
    #expect((tops.min() ?? 8) < 6)
    #expect(zip(tops, tops.dropFirst()).allSatisfy { abs($0 - $1) <= 2 }, "\(tops)")
  }

  private func top(of screen: [String]) -> Int {
    screen.firstIndex { $0.contains("╭") } ?? -1
  }
}
