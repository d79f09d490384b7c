import Foundation
import TerminalHarness
import Testing
import TestSupport
import TextCanvas

@testable import TerminalIO

@Suite struct AsciicastRecorderTests {
  /// A folder that is removed with its content after the test.
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func record(_ chunks: [[UInt8]], to path: String) throws {
    let recorder = try AsciicastRecorder(
      path: path, size: CellSize(columns: 80, rows: 24), environment: TerminalEnvironment(["TERM": "xterm"]), now: 10)
    for (index, chunk) in chunks.enumerated() {
      chunk.withUnsafeBytes { recorder.record($0[...], now: 10 + Double(index) * 0.25) }
    }
    recorder.recordResize(CellSize(columns: 100, rows: 30), now: 12)
    recorder.close()
  }

  @Test func `a recording has a header, one event per line and only complete characters`() throws {
    let path = folder.file("recording.cast")
    let accent = Array("é".utf8)

    try record([Array("a\u{1B}[m\"\\\r\n".utf8), Array("漢x".utf8) + [accent[0]], [accent[1]]], to: path)

    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    let header = try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any]
    #expect(header?["version"] as? Int == 2 && header?["width"] as? Int == 80 && header?["height"] as? Int == 24)
    #expect(header?["env"] as? [String: String] == ["TERM": "xterm"])
    #expect(
      Array(lines.dropFirst()) == [
        #"[0.000000, "o", "a\u001b[m\"\\\r\n"]"#,
        #"[0.250000, "o", "漢x"]"#,
        #"[0.500000, "o", "é"]"#,
        #"[2.000000, "r", "100x30"]"#,
      ])
  }

  @Test func `a recorded session shows the same screen when it is played`() throws {
    let path = folder.file("recording.cast")
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    try terminal.launch(product("TerminalTestProgram"), environment: ["GUEST_RECORD": path])
    try terminal.waitFor("events 0")
    terminal.type("b")
    try terminal.waitFor("events 1")
    let screen = terminal.text
    // The last screen content is written to the file after a short delay. The program is idle after that.
    try terminal.waitUntilQuiet()
    terminal.signal(SIGKILL)
    _ = try terminal.waitForExit()

    let judge = Emulator(columns: 60, rows: 12)
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst() {
      let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any]
      if let text = event?.last as? String, event?[1] as? String == "o" { judge.feed(text) }
    }

    #expect(judge.text == screen)
  }

  @Test func `asciinema can play a recording`() throws {
    let path = folder.file("recording.cast")
    try record([Array("hello from the recording\r\n".utf8)], to: path)
    let terminal = try PseudoTerminal(columns: 80, rows: 24)

    try terminal.launch(
      "/usr/bin/env", ["asciinema", "play", "-i", "0.1", path],
      environment: ["PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": FileManager.default.temporaryDirectory.path])

    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.text.contains("hello from the recording"))
  }
}
