import NavigationKit
import Testing
import TextCanvas

@MainActor @Suite struct InterruptionTests {
  @Test func `closing a page before it is open reverses it from its current position`() throws {
    let fixture = try BrowserFixture.inColour(opening: "english-for-business")
    fixture.press(.down, at: 0.1)
    _ = fixture.screen(at: 0.5)

    fixture.press(.enter, at: 1)
    var tops = stride(from: 1.0, through: 1.06, by: 0.01).map { top(of: fixture.screen(at: $0)) }
    fixture.press(.escape, at: 1.065)
    tops += stride(from: 1.07, through: 1.6, by: 0.01).map { top(of: fixture.screen(at: $0)) }

    // The frame of the card begins in row 8. It moves up and back without a jump.
    #expect(tops.first == 8)
    #expect(tops.last == 8)
    #expect((tops.min() ?? 8) < 6)
    #expect(zip(tops, tops.dropFirst()).allSatisfy { abs($0 - $1) <= 2 }, "\(tops)")
  }

  private func top(of screen: [String]) -> Int {
    screen.firstIndex { $0.contains("╭") } ?? -1
  }
}
