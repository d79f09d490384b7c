import Foundation
import TerminalHarness
import TestSupport
import Testing

/// A browser session in a pseudo-terminal.
///
/// All waits have a long timeout, since tests share their machine. Only tests of a promised speed measure time.
final class BrowserSession {
  /// The timeout of a wait in seconds.
  static let timeout = harnessTimeout

  let home: HomeFixture
  let terminal: PseudoTerminal
  /// The terminal's settings before the browser was started.
  let settings: TerminalSettings

  /// Opens the browser.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of `waymark`.
  ///   - variables: Environment variables in addition to those of the home.
  ///   - redirecting: Standard descriptors that are redirected to files, by number.
  ///   - shell: A script for `bash` that starts the browser as `"$0" "$@"`. If `nil`, the browser is started without a
  ///     shell.
  init(
    in home: HomeFixture, _ arguments: [String] = [], columns: Int = 80, rows: Int = 24,
    personality: Personality = .modern,
    variables: [String: String] = [:], redirecting: [Int32: String] = [:], shell: String? = nil
  ) throws {
    self.home = home
    terminal = try PseudoTerminal(columns: columns, rows: rows, personality: personality)
    settings = terminal.settings
    // Some tests cause a crash. Its backtrace would take seconds.
    let environment = home.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { given, _ in given }
    try terminal.launch(
      shell == nil ? BuiltProgram.path : "/bin/bash",
      (shell.map { ["-c", $0, BuiltProgram.path] } ?? []) + arguments,
      environment: environment.merging(variables) { _, given in given },
      directory: home.folder, redirecting: redirecting)
  }

  // MARK: - Input

  /// Types text.
  func type(_ text: String) { terminal.type(text) }

  /// Presses named keys one after the other.
  func press(_ keys: NamedKey...) {
    for key in keys { terminal.press(key) }
  }

  /// Presses a named key, optionally with Alt.
  func press(_ key: NamedKey, alt: Bool) { terminal.press(key, alt: alt) }

  /// Waits until the browser is idle.
  func settle() throws { try terminal.waitUntilQuiet() }

  /// Quits with `q`, and expects the terminal to be restored.
  func quit(_ location: SourceLocation = #_sourceLocation) throws {
    type("q")
    #expect(try terminal.waitForExit(within: Self.timeout) == .exited(0), sourceLocation: location)
    expectRestored(location)
  }

  // MARK: - Output

  /// The rows of the screen without trailing blanks. Times of day are replaced by `HH:MM`.
  var rows: [String] {
    terminal.text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.withoutTimes }
  }

  /// Waits until the screen contains a text.
  func wait(for text: String) throws { try terminal.waitFor(text, within: Self.timeout) }

  /// Waits until the page with a title is displayed and the browser is idle.
  func waitForPage(_ title: String) throws {
    let row = terminal.emulator.rows < 18 || terminal.emulator.columns < 60 ? [1] : [2, 1]
    try terminal.waitUntil("the page '\(title)'", within: Self.timeout) {
      row.contains { rows[$0].trimmingPrefix { $0 == " " }.hasPrefix(title) }
    }
    try settle()
  }

  /// Expects the screen to show rows, now or soon.
  ///
  /// - Parameters:
  ///   - picture: The expected rows. Blanks at the end of a row are ignored.
  ///   - first: The number of the first row, counted from 1.
  func expect(_ picture: String, from first: Int = 1, _ location: SourceLocation = #_sourceLocation) {
    let expected = picture.split(separator: "\n", omittingEmptySubsequences: false).map { $0.withoutTrailingBlanks }
    let isShown = { self.rows(first, expected.count) == expected }
    try? terminal.waitUntil("the picture", within: Self.timeout, isShown)
    #expect(
      isShown(),
      "shown:\n\(rows(first, expected.count).joined(separator: "\n"))\nexpected:\n\(expected.joined(separator: "\n"))",
      sourceLocation: location)
  }

  private func rows(_ first: Int, _ count: Int) -> [String] { Array(rows.dropFirst(first - 1).prefix(count)) }

  /// The text on the screen as one line.
  var output: String { terminal.text.split(separator: "\n").joined() }

  /// Expects that no escape sequence was written and that the terminal's settings are unchanged.
  func expectUntouched(_ location: SourceLocation = #_sourceLocation) {
    #expect(terminal.settings == settings, sourceLocation: location)
    #expect(!terminal.output.contains(0x1B), sourceLocation: location)
  }

  /// Expects the terminal to have the same settings and modes as before the browser was started.
  func expectRestored(_ location: SourceLocation = #_sourceLocation) {
    #expect(terminal.settings == settings, sourceLocation: location)
    #expect(!terminal.emulator.showsAlternateScreen, sourceLocation: location)
    #expect(terminal.emulator.showsCursor, sourceLocation: location)
    // The modes 7 (wrap) and 25 (cursor) are set in a new terminal.
    #expect(terminal.emulator.privateModes == [7, 25], sourceLocation: location)
    #expect(terminal.emulator.keyboardFlags == [], sourceLocation: location)
  }
}

extension StringProtocol {
  /// The row without trailing blanks.
  var withoutTrailingBlanks: String { String(self).withoutTrailingBlanks }

  /// The row with `HH:MM` in place of times of day, and without trailing blanks.
  fileprivate var withoutTimes: String {
    let row = String(self).withoutTrailingBlanks
    // Most rows have no colon. The check avoids the costly search in these rows.
    return row.byteOffsets(of: ":").isEmpty ? row : row.replacing(/\b[0-2]\d:[0-5]\d\b/, with: "HH:MM")
  }
}

extension BrowserSession {
  /// The navigation events of a session, oldest first.
  static func steps(in home: HomeFixture, session: String = "browser") throws -> [StoredEvent] {
    let answer = try home.waymark("history", "--format", "json", "--session", session)
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
    return try JSONDecoder().decode([StoredEvent].self, from: Data(answer.output.utf8)).reversed()
  }
}

/// The members of a row of `waymark history --format json` that the tests use.
struct StoredEvent: Decodable, Hashable, CustomStringConvertible {
  struct Transition: Decodable, Hashable {
    let kind: String
    let direction: String?
    let reason: String
  }
  struct Place: Decodable, Hashable { let path: String }

  let session: Int
  let operation: String
  let traversal: Bool
  let transition: Transition?
  let to: Place
  let stack: [String]
  let at: String
  let leftAt: String?

  var description: String {
    let motion = transition.map { "\($0.kind) \($0.direction ?? "-") \($0.reason)" } ?? "at once"
    return "\(operation)\(traversal ? " (traversal)" : "") to \(to.path), \(motion)"
  }
}
