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
    let sitting = try BrowserSession(in: home, [Self.place], variables: ["EDITOR": path])
    try sitting.waitForPage("Who speaks first?")
    sitting.type("e")
    try sitting.wait(for: "Tab in your editor")
    sitting.type("\t")
    try sitting.wait(for: "isig icanon echo")
    let hadTerminal = !sitting.terminal.emulator.showsAlternateScreen
    sitting.terminal.resize(columns: 60, rows: 18)
    sitting.type("Count to ten\r")

    try sitting.wait(for: "Noted.")
    #expect(hadTerminal)
    #expect(sitting.terminal.emulator.showsAlternateScreen && sitting.terminal.emulator.keyboardFlags == [1])
    try sitting.quit()
    #expect(try home.waymark("notes", "--format", "csv").output.contains("Count to ten"))
  }

  @Test func `a failing editor is reported and no note is written`() throws {
    let home = try HomeFixture.walked()
    let path = try editor("exit 1", in: home)
    let sitting = try BrowserSession(in: home, [Self.place], variables: ["EDITOR": path])
    try sitting.waitForPage("Who speaks first?")
    sitting.type("e")
    try sitting.wait(for: "Tab in your editor")
    sitting.type("\t")

    try sitting.wait(for: "it failed.")
    sitting.press(.escape)
    try sitting.settle()
    try sitting.quit()
    #expect(try home.waymark("notes", "--format", "jsonl").output.isEmpty)
  }
}
