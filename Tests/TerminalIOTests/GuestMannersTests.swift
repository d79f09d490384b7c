import Foundation
import TerminalHarness
import Testing

/// Where the products of the build are, beside the tests' own bundle.
func product(_ name: String) -> String {
  let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
  let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
  return folder.appendingPathComponent(name).path
}

@Suite struct `A guest on the terminal` {
  private func start(
    columns: Int = 60, rows: Int = 12, personality: Personality = .modern, environment: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: columns, rows: rows, personality: personality)
    try terminal.launch(product("TerminalGuest"), environment: environment)
    try terminal.waitFor("end")
    return terminal
  }

  @Test func `takes the screen, and gives it back on quitting`() throws {
    let terminal = try PseudoTerminal(columns: 60, rows: 12)
    let before = terminal.settings
    try terminal.launch(product("TerminalGuest"))
    try terminal.waitFor("events 0")
    #expect(terminal.emulator.showsAlternateScreen)
    #expect(terminal.settings != before)

    terminal.type("q")

    #expect(try terminal.waitForExit() == .exited(0))
    #expect(terminal.settings == before)
    #expect(terminal.text.hasPrefix("goodbye"))
    #expect(terminal.emulator.privateModes == [7, 25])
    #expect(terminal.emulator.keyboardFlags == [])
  }
}
