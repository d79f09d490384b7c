import Foundation
import TerminalHarness
import Testing

/// A note that is written in the learner's own editor.
struct EditorTests {
  private static let place = "english-for-business/negotiating/opening-offers/who-speaks-first"

  private func editor(_ script: String, in home: Home) throws -> String {
    let path = home.folder.appending(path: "editor").path
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test func `an editor has the terminal as it was, and the browser takes it again in its new size`() throws {
    let home = try Home.walked()
    // It writes what it was told of the terminal, and waits for a line, as a shell would read it.
    let path = try editor(
      #"stty -a | tr ' ;' '\n\n' | grep -xE -- '-?(icanon|echo|isig)' | tr '\n' ' '; read line; echo "$line" >> "$1""#,
      in: home)
    let sitting = try Sitting(in: home, [Self.place], variables: ["EDITOR": path])
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

  @Test func `an editor that fails is named, and nothing is written`() throws {
    let home = try Home.walked()
    let path = try editor("exit 1", in: home)
    let sitting = try Sitting(in: home, [Self.place], variables: ["EDITOR": path])
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
