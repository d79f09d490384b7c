import TerminalHarness
import Testing

/// Terminals that are too small for the browser.
@Suite struct SizeTests {
  @Test func `in fewer cells, the browser asks for more space and continues when it fits`() throws {
    let session = try BrowserSession(
      in: .withBundledCourse(), ["english-for-business/negotiating"], columns: 18, rows: 5)
    session.expect("Too small: 18 x 5,\nneeds 20 x 6\n\nQuit with q, and\nuse --linear.")

    session.terminal.resize(columns: 80, rows: 24)
    session.expect(ExpectedScreens.goal)
    session.terminal.resize(columns: 19, rows: 24)
    session.expect("Too small: 19 x 24,\nneeds 20 x 6\n\nQuit with q, and\nuse --linear.\n")

    try session.quit()
  }
}
