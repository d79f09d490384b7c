import ScreenKit
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

/// An action during an animation.
enum Interruption: Hashable, Sendable, CustomTestStringConvertible {
  /// The key, written as in a settings file.
  case key(String)
  case click
  case resize

  var testDescription: String {
    switch self {
    case .key(let name): name
    case .click: "a click"
    case .resize: "a resize"
    }
  }

  /// Whether the action types a letter in a text field.
  var isLetter: Bool { if case .key(let name) = self { name.count == 1 } else { false } }

  /// Performs the action and compares the six frames around it: two before, one directly before and one directly after
  /// it, and two later ones.
  ///
  /// - Returns: A description of the first jump, or `nil` if no content jumps.
  @MainActor func leap(on fixture: BrowserFixture, at time: Double) -> String? {
    let browser = fixture.browser
    let frame = 1.0 / 240
    let first = [2, 1].map { ScreenState(browser, at: time - Double($0) * frame) }
    let before = ScreenState(browser, at: time)
    switch self {
    case .key(let name): if let key = KeyEvent(name: name) { browser.handle(.key(key), at: time) }
    case .click:
      fixture.mouse(.press(.left), 30, 10, at: time)
      fixture.mouse(.release(.left), 30, 10, at: time)
    case .resize: browser.stage.resize(to: CellSize(columns: 80, rows: 27), at: time)
    }
    let after = ScreenState(browser, at: time)
    let last = [1, 2].map { ScreenState(browser, at: time + Double($0) * frame) }
    return after.change(from: before, columns: 0, headStart: 0)
      ?? ScreenState.jump(in: first + [before, after] + last, columns: 0, headStart: 0, isSideways: self == .resize)
  }
}
