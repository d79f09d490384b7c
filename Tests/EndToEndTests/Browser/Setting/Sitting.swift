import Foundation
import TerminalHarness
import TestSupport
import Testing

/// Somebody in front of a terminal, with the browser open in it.
///
/// Every wait has a deadline that is far away: tests share their machine, and how fast the browser is is asked only where
/// it promises something.
final class Sitting {
  /// Seconds until something that does not happen is taken for something that never will.
  static let patience = harnessPatience

  let home: Home
  let terminal: PseudoTerminal
  /// The terminal's settings before the browser came.
  let settings: TerminalSettings

  /// Opens the browser.
  ///
  /// - Parameters:
  ///   - arguments: What is typed after `waymark`.
  ///   - variables: What is in the environment beside the home's own.
  ///   - redirecting: Standard descriptors that are files instead of the terminal, by number.
  ///   - shell: A script for `bash` that opens the browser as `"$0" "$@"`, where not nobody but a shell is around it.
  init(
    in home: Home, _ arguments: [String] = [], columns: Int = 80, rows: Int = 24, personality: Personality = .modern,
    variables: [String: String] = [:], redirecting: [Int32: String] = [:], shell: String? = nil
  ) throws {
    self.home = home
    terminal = try PseudoTerminal(columns: columns, rows: rows, personality: personality)
    settings = terminal.settings
    // A crash that a test asks for is meant: nobody wants its backtrace, which takes seconds to make.
    let environment = home.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { given, _ in given }
    try terminal.launch(
      shell == nil ? BuiltProgram.path : "/bin/bash",
      (shell.map { ["-c", $0, BuiltProgram.path] } ?? []) + arguments,
      environment: environment.merging(variables) { _, given in given },
      directory: home.folder, redirecting: redirecting)
  }

  // MARK: - What is done

  /// Types text.
  func type(_ text: String) { terminal.type(text) }

  /// Presses keys that have a name, one after the other.
  func press(_ keys: NamedKey...) {
    for key in keys { terminal.press(key) }
  }

  /// Presses a key that has a name together with another.
  func press(_ key: NamedKey, alt: Bool) { terminal.press(key, alt: alt) }

  /// Waits until the browser rests.
  func settle() throws { try terminal.waitUntilQuiet() }

  /// Leaves with `q`, and expects the terminal to be as it was before.
  func quit(_ location: SourceLocation = #_sourceLocation) throws {
    type("q")
    #expect(try terminal.waitForExit(within: Self.patience) == .exited(0), sourceLocation: location)
    expectRestored(location)
  }

  // MARK: - What is seen

  /// The rows of the screen without trailing blanks, times of the day named `HH:MM`.
  var rows: [String] {
    terminal.text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.withoutTimes }
  }

  /// Waits until the screen contains a text.
  func wait(for text: String) throws { try terminal.waitFor(text, within: Self.patience) }

  /// Waits until a page with this title is on show, and stands still.
  func waitForPage(_ title: String) throws {
    let row = terminal.emulator.rows < 18 || terminal.emulator.columns < 60 ? [1] : [2, 1]
    try terminal.waitUntil("the page '\(title)'", within: Self.patience) {
      row.contains { rows[$0].trimmingPrefix { $0 == " " }.hasPrefix(title) }
    }
    try settle()
  }

  /// Expects the screen to show these rows, now or soon.
  ///
  /// - Parameters:
  ///   - picture: The rows, as they are seen. Blanks at their ends do not count.
  ///   - first: The first row, from 1.
  func expect(_ picture: String, from first: Int = 1, _ location: SourceLocation = #_sourceLocation) {
    let wanted = picture.split(separator: "\n", omittingEmptySubsequences: false).map { $0.withoutTrailingBlanks }
    let isShown = { self.rows(first, wanted.count) == wanted }
    try? terminal.waitUntil("the picture", within: Self.patience, isShown)
    #expect(
      isShown(),
      "shown:\n\(rows(first, wanted.count).joined(separator: "\n"))\nexpected:\n\(wanted.joined(separator: "\n"))",
      sourceLocation: location)
  }

  private func rows(_ first: Int, _ count: Int) -> [String] { Array(rows.dropFirst(first - 1).prefix(count)) }

  /// What was said on the terminal, as one line.
  var said: String { terminal.text.split(separator: "\n").joined() }

  /// Expects that nothing but words was written to the terminal, and that its settings are as they were.
  func expectUntouched(_ location: SourceLocation = #_sourceLocation) {
    #expect(terminal.settings == settings, sourceLocation: location)
    #expect(!terminal.output.contains(0x1B), sourceLocation: location)
  }

  /// Expects the terminal to be as it was before the browser came.
  func expectRestored(_ location: SourceLocation = #_sourceLocation) {
    #expect(terminal.settings == settings, sourceLocation: location)
    #expect(!terminal.emulator.showsAlternateScreen, sourceLocation: location)
    #expect(terminal.emulator.showsCursor, sourceLocation: location)
    // 7 (wrap) and 25 (cursor) are on in every fresh terminal.
    #expect(terminal.emulator.privateModes == [7, 25], sourceLocation: location)
    #expect(terminal.emulator.keyboardFlags == [], sourceLocation: location)
  }
}

extension StringProtocol {
  /// This row without the blanks at its end.
  var withoutTrailingBlanks: String { String(self).withoutTrailingBlanks }

  /// This row with `HH:MM` for each time of the day, and without the blanks at its end.
  fileprivate var withoutTimes: String {
    let row = String(self).withoutTrailingBlanks
    // Few rows have one, and each row is looked at many times.
    return row.byteOffsets(of: ":").isEmpty ? row : row.replacing(/\b[0-2]\d:[0-5]\d\b/, with: "HH:MM")
  }
}

extension Sitting {
  /// The steps of the browser in the history, oldest first.
  static func steps(in home: Home, session: String = "browser") throws -> [LoggedStep] {
    let answer = try home.waymark("history", "--format", "json", "--session", session)
    guard answer.code == 0 else { throw Unexpected(answer: answer) }
    return try JSONDecoder().decode([LoggedStep].self, from: Data(answer.output.utf8)).reversed()
  }
}

/// One row of `waymark history --format json`, as far as these tests look at it.
struct LoggedStep: Decodable, Hashable, CustomStringConvertible {
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
