import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Builds and runs the programs of the documentation pages.
@Suite struct ProgramsOnPagesTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test(arguments: [("KeysExample", "TerminalIO"), ("StageExample", "ScreenKit")])
  func `the page of a library shows a tested program of at most 25 lines`(program: String, module: String) throws {
    let source = try String(
      contentsOf: Self.package.appending(path: "Tests/System/\(program)/main.swift"), encoding: .utf8)
    let page = try String(
      contentsOf: Self.package.appending(path: "Sources/\(module)/Documentation.docc/\(module).md"), encoding: .utf8)

    #expect(page.contains("\n```swift\n\(source)```\n"))
    #expect(source.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 25)
  }

  @Test func `the example program on the TerminalIO page shows keys and exits on Ctrl-D`() throws {
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    let before = terminal.settings
    try terminal.launch(product("KeysExample"))
    try terminal.waitFor("Type text; Ctrl-D ends.")

    terminal.type("x")
    terminal.press(.up, control: true)
    try terminal.waitFor("x Ctrl-Up")
    terminal.type("\u{4}")

    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.settings == before)
    #expect(!terminal.emulator.showsAlternateScreen)
  }

  @Test func `the example program on the ScreenKit page pushes a page and exits on q`() throws {
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    let before = terminal.settings
    try terminal.launch(product("StageExample"))
    try terminal.waitFor("Page I. Enter opens the next one, q quits.")

    terminal.type("\r")
    try terminal.waitUntil("the next page alone") {
      terminal.emulator.lines[0].hasPrefix("Page II. Enter opens the next one, q quits. ")
    }
    terminal.type("q")

    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.settings == before)
    #expect(!terminal.emulator.showsAlternateScreen)
  }
}
