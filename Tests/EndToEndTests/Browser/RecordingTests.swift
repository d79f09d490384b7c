import Foundation
import TerminalHarness
import Testing

/// Recordings of a session as an asciicast.
@Suite struct RecordingTests {
  private static let player = "/usr/bin/asciinema"
  private static let hasPlayer = FileManager.default.isExecutableFile(atPath: player)

  /// Records a short session. Returns the home with the recording, and the last screen before the end.
  private func record() throws -> (home: HomeFixture, screen: String) {
    let home = try HomeFixture.withBundledCourse()
    let session = try BrowserSession(
      in: home, ["english-for-business/negotiating", "--record", home.path("session.cast")])
    session.expect(ExpectedScreens.goal)
    session.press(.down, .enter)
    try session.waitForPage("Opening offers")
    let screen = session.terminal.text
    try session.quit()
    return (home, screen)
  }

  @Test func `a recording is an asciicast with the same screens`() throws {
    let (home, screen) = try record()

    let lines = try String(contentsOfFile: home.path("session.cast"), encoding: .utf8).lines
    let header = try #require(lines[0].json as? [String: Any])
    #expect(header["version"] as? Int == 2)
    #expect(header["width"] as? Int == 80 && header["height"] as? Int == 24)
    let events = try lines.dropFirst().map { try #require($0.json as? [Any]) }
    let times = events.compactMap { $0[0] as? Double }
    #expect(times.count == events.count && times == times.sorted())
    let emulator = Emulator(columns: 80, rows: 24)
    var screens: [String] = []
    for event in events where event[1] as? String == "o" {
      emulator.feed(try #require(event[2] as? String))
      screens.append(emulator.text)
    }
    #expect(screens.contains(screen))
    #expect(!emulator.showsAlternateScreen && emulator.showsCursor)
    #expect(emulator.privateModes == [7, 25])
  }

  @Test(.enabled(if: SmallDisk.isPossible, "this user cannot mount a disk"))
  func `a recording on a full disk is usable, and the error is reported`() throws {
    let home = try HomeFixture.withBundledCourse()
    let database = home.database.path
    let disk = try SmallDisk(in: home, megabytes: 1)
    home.environment["WAYMARK_DATABASE"] = database
    try disk.fill(leaving: 4096)

    let session = try BrowserSession(
      in: home, ["english-for-business/negotiating", "--record", disk.path + "/session.cast"])
    session.expect(ExpectedScreens.goal)
    session.press(.down, .enter)
    try session.waitForPage("Opening offers")
    session.type("q")

    #expect(try session.terminal.waitForExit(within: BrowserSession.timeout) == .exited(74))
    session.expectRestored()
    // The terminal breaks the line anywhere, so the texts are compared without blanks.
    let message =
      "Could not finish the recording at '\(disk.path)/session.cast': No space left on device. The file contains the "
      + "earlier output. Free some disk space and record again."
    #expect(session.output.filter { $0 != " " }.contains(message.filter { $0 != " " }), "\(session.output)")
    let recording = try String(contentsOfFile: disk.path + "/session.cast", encoding: .utf8)
    #expect(recording.hasSuffix("\n"))
    #expect(recording.lines.allSatisfy { $0.json != nil } && recording.lines.count >= 1)
  }

  @Test(.enabled(if: hasPlayer, "asciinema is not installed"))
  func `asciinema plays a recording`() throws {
    let (home, screen) = try record()

    // The player needs a terminal, but its output goes to a file: a terminal would convert the line feeds.
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    try terminal.launch(
      Self.player, ["cat", home.path("session.cast")], environment: home.environment,
      redirecting: [1: home.path("played")])
    #expect(try terminal.waitForExit(within: BrowserSession.timeout) == .exited(0), "\(terminal.text)")
    let played = try String(contentsOfFile: home.path("played"), encoding: .utf8)
    let emulator = Emulator(columns: 80, rows: 24)
    // Only the output before the browser leaves the alternate screen.
    emulator.feed(played.split(separator: "\u{1B}[?1049l")[0].utf8)
    #expect(emulator.text == screen)
  }
}
