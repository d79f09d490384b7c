import CourseBrowser
import CourseKit
import CoursePages
import Foundation
import LearningModel
import NavigationKit
import ScreenKit
import TerminalIO
import TestSupport
import TextCanvas

/// The frames of the browser on the bundled course, at 60 frames per second of simulated time.
@MainActor final class BrowserFrames {
  private let browser: Browser
  private let meter: ByteMeter
  private var now = 0.0

  init(folder: TemporaryFolder, library: CourseLibrary, size: CellSize, features: OutputFeatures) throws {
    // Each browser has a learner of its own. The names have equal lengths, because the first page shows them.
    let learner = "learner of \(size.columns) " + (features.repeatsCharacters ? "repeats" : "columns")
    let moment = Timestamp("2026-11-20T10:00:00Z")!
    let navigation = try NavigationService(
      databaseAt: folder.file("waymark.sqlite"), learner: learner, session: .browser,
      timeZone: TimeZone(identifier: "UTC")!, now: { moment })
    let theme = Theme(colourDepth: .truecolor, pageAppearance: .dark)
    browser = Browser(
      navigation: navigation, library: library, appearance: Appearance(theme: theme, symbols: .unicode), size: size,
      now: { moment })
    meter = ByteMeter(size: size, fading: theme.fading, features: features)
    try browser.begin()
    settle()
  }

  /// Draws frames until nothing moves, for at most three seconds.
  private func settle() {
    let end = now + 3
    while let due = browser.stage.nextFrameTime, due < end {
      now = max(due, now + 1 / 60)
      meter.draw(browser.stage.tick(at: now))
    }
    now = max(now, browser.stage.now)
  }

  /// Presses a key repeatedly and returns the frames that follow.
  func press(_ key: Key, times: Int = 1) throws -> [ByteMeter.Count] {
    meter.reset()
    for _ in 0..<times {
      browser.handle(.key(KeyEvent(key)), at: now)
      settle()
    }
    try meter.check("\(key)")
    return meter.counts
  }

  /// Pastes a text and draws the frames that follow.
  func paste(_ text: String) throws {
    meter.reset()
    browser.handle(.paste(text), at: now)
    settle()
    try meter.check("a pasted text")
  }

  /// Types into Find and returns one count per key.
  func find(_ word: String) throws -> [ByteMeter.Count] {
    _ = try press(.character("/"))
    let counts = try word.map { letter in
      try press(.character(letter)).reduce(into: ByteMeter.Count(ours: 0, plain: 0)) { sum, frame in
        sum = ByteMeter.Count(
          ours: sum.ours + frame.ours, plain: sum.plain + frame.plain, profile: sum.profile + frame.profile)
      }
    }
    _ = try press(.escape)
    return counts
  }

  /// Opens the first text of the course.
  func read() throws {
    for _ in 0..<4 { _ = try press(.enter) }
  }
}
