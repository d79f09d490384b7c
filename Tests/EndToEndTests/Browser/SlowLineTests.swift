import Foundation
import TerminalHarness
import Testing

/// The browser over a line of 64 kB a second. A pseudo-terminal buffers 17 kB, so a program without flow control would
/// answer late.
@Suite(.serialized) struct SlowLineTests {
  private static let rate = 64_000

  private func open(_ columns: Int, _ rows: Int, _ personality: Personality, in home: HomeFixture) throws
    -> BrowserSession
  {
    let session = try BrowserSession(
      in: home, ["english-for-business"], columns: columns, rows: rows, personality: personality)
    try session.waitForPage("English for Business")
    session.terminal.readRate = Self.rate
    return session
  }

  @Test(arguments: [(80, 24, Personality.modern), (200, 60, .modern), (200, 60, .silent)])
  func `a key during a transition is answered at once`(columns: Int, rows: Int, personality: Personality) throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try open(columns, rows, personality, in: home)
    let terminal = session.terminal
    // Only one row is read, since reading the whole screen would take longer than the answer.
    func messageRow() -> String { terminal.emulator.cells(row: rows - 3).map(\.text).joined() }
    var counts: [Int] = []
    for round in 0..<6 {
      let (key, page) = round % 2 == 0 ? (NamedKey.enter, "Meetings") : (.left, "English for Business")
      let before = session.rows.prefix(rows - 2)
      session.press(key)
      try session.terminal.waitUntil("motion", within: BrowserSession.timeout) {
        session.rows.prefix(rows - 2) != before
      }

      // Alternates two keys, so that the previous answer is not taken for the new one.
      let (question, answer) = round % 2 == 0 ? ("y", "Copied") : ("m", "ookmark")
      let start = terminal.output.count
      session.type(question)
      try terminal.waitUntil("the answer", within: BrowserSession.timeout) { messageRow().contains(answer) }
      counts.append(terminal.output.count - start)
      try session.waitForPage(page)
    }
    print("a key in mid-transition over 64 kB/s, \(columns) x \(rows): answered after \(counts) bytes")

    // The answer must follow at most the bytes that the line transfers in 0.15 s. Bytes are counted instead of time,
    // since the time depends on the machine.
    #expect(counts.sorted()[counts.count / 2] < 9_600)
    try session.quit()
  }

  @Test(arguments: [(80, 24, Personality.modern), (200, 60, .modern), (200, 60, .silent)])
  func `frames are not queued`(columns: Int, rows: Int, personality: Personality) throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try open(columns, rows, personality, in: home)
    let start = session.terminal.output.count

    // Each key reverses or replaces the running transition.
    session.type("lhlhlnpn")
    try session.terminal.waitUntil("the last page", within: BrowserSession.timeout) {
      session.rows[2].contains("Negotiating") && session.rows[2].contains("0 of 14 done")
        && session.rows.contains { $0.contains("Closing the deal") }
    }
    let count = session.terminal.output.count - start

    print("eight steps at once over 64 kB/s, \(columns) x \(rows): there after \(count) bytes")
    // The line transfers this in two seconds. All frames of eight transitions would need several times as much.
    #expect(count < 128_000)
    try session.settle()
    try session.quit()
  }

  @Test func `on a slow connection, navigation reaches the same pages as on a fast one`() throws {
    let home = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(in: home)
    session.terminal.readRate = Self.rate
    try session.wait(for: "+ Add a course")

    session.type("l")
    session.expect(ExpectedScreens.course)
    session.type("jl")
    session.expect(ExpectedScreens.goal)
    session.type("jl")
    session.expect(ExpectedScreens.lesson)
    session.type("jl")
    session.expect(ExpectedScreens.reading)
    session.press(.escape)
    session.press(.escape)
    try session.waitForPage("Negotiating")
    try session.quit()
  }
}
