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
    let sitting = try BrowserSession(
      in: home, ["english-for-business"], columns: columns, rows: rows, personality: personality)
    try sitting.waitForPage("English for Business")
    sitting.terminal.readRate = Self.rate
    return sitting
  }

  @Test(arguments: [(80, 24, Personality.modern), (200, 60, .modern), (200, 60, .silent)])
  func `a key during a transition is answered at once`(columns: Int, rows: Int, personality: Personality) throws {
    let home = try HomeFixture.withBundledCourse()
    let sitting = try open(columns, rows, personality, in: home)
    let terminal = sitting.terminal
    // Only one row is read, since reading the whole screen would take longer than the answer.
    func said() -> String { terminal.emulator.cells(row: rows - 2).map(\.text).joined() }
    var counts: [Int] = []
    for round in 0..<6 {
      let (key, page) = round % 2 == 0 ? (NamedKey.enter, "Meetings") : (.left, "English for Business")
      let before = sitting.rows.prefix(rows - 2)
      sitting.press(key)
      try sitting.terminal.waitUntil("motion", within: BrowserSession.timeout) {
        sitting.rows.prefix(rows - 2) != before
      }

      // Alternates two keys, so that the previous answer is not taken for the new one.
      let (question, answer) = round % 2 == 0 ? ("y", "Copied") : ("m", "arked")
      let start = terminal.output.count
      sitting.type(question)
      try terminal.waitUntil("the answer", within: BrowserSession.timeout) { said().contains(answer) }
      counts.append(terminal.output.count - start)
      try sitting.waitForPage(page)
    }
    print("a key in mid-transition over 64 kB/s, \(columns) x \(rows): answered after \(counts) bytes")

    // The answer must follow at most the bytes that the line transfers in 0.15 s. Bytes are counted instead of time,
    // since the time depends on the machine.
    #expect(counts.sorted()[counts.count / 2] < 9_600)
    try sitting.quit()
  }

  @Test(arguments: [(80, 24, Personality.modern), (200, 60, .modern), (200, 60, .silent)])
  func `frames are not queued`(columns: Int, rows: Int, personality: Personality) throws {
    let home = try HomeFixture.withBundledCourse()
    let sitting = try open(columns, rows, personality, in: home)
    let start = sitting.terminal.output.count

    // Each key reverses or replaces the running transition.
    sitting.type("lhlhlnpn")
    try sitting.terminal.waitUntil("the last page", within: BrowserSession.timeout) {
      sitting.rows[2].contains("Negotiating") && sitting.rows[2].contains("0 of 14 done")
        && sitting.rows.contains { $0.contains("Closing the deal") }
    }
    let count = sitting.terminal.output.count - start

    print("eight steps at once over 64 kB/s, \(columns) x \(rows): there after \(count) bytes")
    // The line transfers this in two seconds. All frames of eight transitions would need several times as much.
    #expect(count < 128_000)
    try sitting.settle()
    try sitting.quit()
  }

  @Test func `on a slow connection, navigation reaches the same pages as on a fast one`() throws {
    let home = try HomeFixture.withBundledCourse()
    let sitting = try BrowserSession(in: home)
    sitting.terminal.readRate = Self.rate
    try sitting.waitForPage("Courses")

    sitting.type("l")
    sitting.expect(ExpectedScreens.course)
    sitting.type("jl")
    sitting.expect(ExpectedScreens.goal)
    sitting.type("jl")
    sitting.expect(ExpectedScreens.lesson)
    sitting.type("jl")
    sitting.expect(ExpectedScreens.reading)
    sitting.press(.escape)
    sitting.press(.escape)
    try sitting.waitForPage("Negotiating")
    try sitting.quit()
  }
}
