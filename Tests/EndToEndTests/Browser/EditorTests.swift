import Foundation
import TerminalHarness
import Testing

/// Writing a note in an external editor.
struct EditorTests {
  private static let place = "english-for-business/negotiating/opening-offers/who-speaks-first"

  private func editor(_ script: String, in home: HomeFixture) throws -> String {
    let path = home.folder.appending(path: "editor").path
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test func `an editor gets a restored terminal, and the browser adopts the new size afterwards`() throws {
    let home = try HomeFixture.walked()
    // The editor prints the terminal's modes, then waits for a line like a shell.
    let path = try editor(
      #"stty -a | tr ' ;' '\n\n' | grep -xE -- '-?(icanon|echo|isig)' | tr '\n' ' '; read line; echo "$line" >> "$1""#,
      in: home)
    let session = try BrowserSession(in: home, [Self.place], variables: ["EDITOR": path])
    try session.waitForPage("Who speaks first?")
    session.type("e")
    try session.wait(for: "Tab open editor")
    session.type("\t")
    try session.wait(for: "isig icanon echo")
    let hadTerminal = !session.terminal.emulator.showsAlternateScreen
    session.terminal.resize(columns: 60, rows: 18)
    session.type("Count to ten\r")

    try session.wait(for: "Note saved.")
    #expect(hadTerminal)
    #expect(session.terminal.emulator.showsAlternateScreen && session.terminal.emulator.keyboardFlags == [1])
    try session.quit()
    #expect(try home.waymark("notes", "--format", "csv").output.contains("Count to ten"))
  }

  @Test func `a failing editor is reported and no note is written`() throws {
    let home = try HomeFixture.walked()
    let path = try editor("exit 1", in: home)
    let session = try BrowserSession(in: home, [Self.place], variables: ["EDITOR": path])
    try session.waitForPage("Who speaks first?")
    session.type("e")
    try session.wait(for: "Tab open editor")
    session.type("\t")

    try session.wait(for: "it failed.")
    session.press(.escape)
    try session.settle()
    try session.quit()
    #expect(try home.waymark("notes", "--format", "jsonl").output.isEmpty)
  }
}
