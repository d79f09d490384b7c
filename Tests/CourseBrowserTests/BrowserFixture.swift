import BundledDatabase
import CourseKit
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TestSupport
import Testing
import TextCanvas

@testable import CourseBrowser
@testable import CoursePages

extension Browser {
  /// Scrolls through the open text, each page after it is credited, until its end is credited too.
  ///
  /// - Returns: The time at the end.
  func readToTheEnd(from time: Double) throws -> Double {
    let text = try #require(page as? ReadingScreen)
    var time = time
    while true {
      _ = stage.tick(at: time)
      let isEnd = text.endIsInView
      time = max(time, text.account.fullyCreditedAt ?? time) + 0.02
      _ = stage.tick(at: time)
      if isEnd { return time }
      handle(.key(KeyEvent(.character(" "))), at: time)
      time += 0.2
    }
  }
}

/// A browser on the bundled course in its own database. Its clock only advances when a test passes a time.
@MainActor struct BrowserFixture {
  let browser: Browser
  private let folder: TemporaryFolder
  private let size: CellSize

  /// Creates a fixture.
  ///
  /// - Parameters:
  ///   - original: A database to copy instead of that of the bundled course.
  ///   - other: A fixture whose database is used again, as in a second session.
  ///   - now: Returns the current time.
  init(
    _ columns: Int = 80, _ rows: Int = 24, opening place: PlaceName? = nil, motion: MotionPreference = .full,
    symbols: Symbols = .unicode, isEmpty: Bool = false, settings: Settings = Settings(),
    colours: ColourDepth = .none, on original: Data? = nil, after other: BrowserFixture? = nil,
    now: @escaping @Sendable () -> Timestamp = { Timestamp("2026-11-20T10:00:00Z")! }
  ) throws {
    folder = try other?.folder ?? TemporaryFolder()
    let path = folder.file("waymark.sqlite")
    if let original {
      try folder.write(original, to: "waymark.sqlite")
    } else if !isEmpty, other == nil {
      _ = try BundledDatabase.copy(into: folder)
    }
    let library = try CourseLibrary(databaseAt: path, now: now)
    let navigation = try NavigationService(
      databaseAt: path, learner: "ada", session: .browser, timeZone: TimeZone(identifier: "UTC")!, now: now)
    size = CellSize(columns: columns, rows: rows)
    var options = settings
    options.motion = motion
    browser = Browser(
      navigation: navigation, library: library,
      appearance: Appearance(theme: Theme(colourDepth: colours, pageAppearance: .dark), symbols: symbols), size: size,
      options: options, now: now)
    browser.stage.onIssue = { Issue.record("\($0)") }
    try browser.begin(at: place)
  }

  /// Creates a fixture with all colours, in which steps to neighbours and other tabs are animated.
  static func inColour(
    _ columns: Int = 80, _ rows: Int = 24, opening place: PlaceName? = nil, motion: MotionPreference = .full
  ) throws -> BrowserFixture {
    try BrowserFixture(columns, rows, opening: place, motion: motion, colours: .truecolor)
  }

  /// Lets a key for a neighbour slide the pages over the full width, like a gesture.
  func slidesFullWidth() {
    browser.transitions.override = { choice, _, _ in
      choice.kind == .siblingSlide ? PageSlideTransition(towardsRight: choice.direction == .right) : nil
    }
  }

  /// Returns the rows of the screen at a time.
  func screen(at time: Double) -> [String] { surface(at: time).textRows }

  /// Returns the screen at a time, with styles.
  func surface(at time: Double) -> Surface { frame(at: time).surface }

  /// Returns the screen at a time, and the render tree from which it is composed.
  func frame(at time: Double) -> (tree: RenderNode, surface: Surface) {
    var compositor = Compositor(fading: .ramp(.faint), levels: .four)
    let tree = browser.stage.tick(at: time)
    return (tree, compositor.compose(tree, size: size).surface)
  }

  /// Returns the rows of the screen at a time, after the terminal was resized, without trailing spaces.
  func rows(at time: Double, of size: CellSize) -> [String] {
    var compositor = Compositor(fading: .ramp(.faint), levels: .four)
    return compositor.compose(browser.stage.tick(at: time), size: size).surface.textRows
      .map(\.withoutTrailingBlanks)
  }

  /// Returns the screen at a time as one text, without trailing spaces and trailing empty rows.
  func text(at time: Double) -> String {
    var rows = screen(at: time).map(\.withoutTrailingBlanks)
    while rows.last == "" { rows.removeLast() }
    return rows.joined(separator: "\n")
  }

  /// Returns the style of the first visible occurrence of a word.
  func style(of word: String, at time: Double) -> Style? {
    var compositor = Compositor(fading: browser.appearance.theme.fading, levels: .four)
    let surface = compositor.compose(browser.stage.tick(at: time), size: size).surface
    for (row, text) in surface.textRows.enumerated() {
      guard let range = text.range(of: word) else { continue }
      return surface[String(text[..<range.lowerBound]).displayWidth, row].style
    }
    return nil
  }

  func press(_ key: Key, _ modifiers: KeyModifiers = [], at time: Double) {
    browser.pressAfterReading(KeyEvent(key, modifiers: modifiers), at: time)
  }

  func press(_ character: Character, at time: Double) { press(.character(character), at: time) }

  /// Types letters and draws the next frame.
  func type(_ text: String, at time: Double) {
    for character in text { press(character, at: time) }
    _ = browser.stage.tick(at: time)
  }

  func mouse(_ action: MouseEvent.Action, _ column: Int, _ row: Int, at time: Double) {
    browser.handle(.mouse(MouseEvent(action, at: CellPoint(column: column, row: row))), at: time)
  }

  /// Navigates between two goals in another session at another time.
  func walk(_ steps: Int, at time: String) throws {
    let now = try #require(Timestamp(time))
    let service = try NavigationService(
      databaseAt: folder.file("waymark.sqlite"), learner: "ada", timeZone: TimeZone(identifier: "UTC")!,
      now: { now })
    try service.perform(.open("english-for-business/meetings"))
    for step in 1..<steps { try service.perform(step % 2 == 1 ? .next : .previous) }
  }

  // MARK: - Contents of the database

  /// The paths of the bookmarks, the newest first.
  var marks: [String] {
    get throws { try browser.navigation.notes.bookmarks().map(\.path.description) }
  }

  /// The number of steps in the history.
  var steps: Int {
    get throws { try browser.navigation.history.page(limit: 1000).rows.count }
  }

  var lastStep: HistoryRow {
    get throws { try #require(try browser.navigation.history.page(limit: 1).rows.first) }
  }
}

extension StringProtocol {
  /// The text without spaces at both ends.
  var trimmed: String { trimmingCharacters(in: .whitespaces) }
}

extension Browser {
  /// Presses a key after the result of the last key was drawn.
  func pressAfterReading(_ key: KeyEvent, at time: Double) {
    if let page = page as? StepScreen, !page.isResultDrawn { _ = stage.tick(at: time) }
    handle(.key(key), at: time)
  }
}
