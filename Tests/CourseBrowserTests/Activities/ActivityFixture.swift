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

/// A browser with its own database, which contains a small course with one activity of each kind. The browser opens at
/// one of these activities.
@MainActor final class ActivityFixture {
  let browser: Browser
  let navigation: NavigationService
  private(set) var copied: [String] = []
  private let folder: TemporaryFolder
  private let size: CellSize

  /// Creates a fixture.
  ///
  /// - Parameters:
  ///   - activity: The slug of the activity.
  ///   - course: The files of another course, which contains `lab/goal/lesson`.
  ///   - other: A fixture whose database is used again, as in a second session.
  init(
    _ activity: String, _ columns: Int = 60, _ rows: Int = 20, motion: MotionPreference = .full,
    symbols: Symbols = .unicode, course files: [String: String] = ActivityFixture.course,
    after other: ActivityFixture? = nil
  ) throws {
    folder = try other?.folder ?? TemporaryFolder()
    let path = folder.file("waymark.sqlite")
    let library: CourseLibrary
    if other == nil {
      let course = URL(filePath: folder.file("course"))
      for (name, text) in files {
        let file = course.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }
      library = try CourseLibrary(databaseAt: path)
      try library.importCourse(from: files.count == 1 ? course.appending(path: files.keys.first!).path : course.path)
    } else {
      library = try CourseLibrary(databaseAt: path)
    }
    let moment = Timestamp("2026-11-20T10:00:00Z")!
    navigation = try NavigationService(
      databaseAt: path, learner: "ada", session: .browser, timeZone: TimeZone(identifier: "UTC")!, now: { moment })
    size = CellSize(columns: columns, rows: rows)
    var options = Settings()
    options.motion = motion
    browser = Browser(
      navigation: navigation, library: library,
      appearance: Appearance(theme: Theme(colourDepth: .none, pageAppearance: .dark), symbols: symbols), size: size,
      options: options,
      now: { moment })
    browser.stage.onIssue = { Issue.record("\($0)") }
    browser.onCopy = { [weak self] text in
      self?.copied.append(text)
      return text.utf8.count < 1000
    }
    try browser.begin(at: .text("lab/goal/lesson/" + activity))
    _ = browser.stage.tick(at: 0)
  }

  /// Returns the screen at a time, without trailing spaces and trailing empty rows.
  func screen(at time: Double) -> String { rows(at: time).joined(separator: "\n") }

  func rows(at time: Double) -> [String] {
    surface(at: time).textRows.map(\.withoutTrailingBlanks)
  }

  /// Returns the cells of a row.
  func cells(at time: Double, row: Int) -> [Cell] {
    let surface = surface(at: time)
    return (0..<surface.columns).map { surface[$0, row] }
  }

  private func surface(at time: Double) -> Surface {
    var compositor = Compositor(fading: .ramp(.faint), levels: .four)
    return compositor.compose(browser.stage.tick(at: time), size: size).surface
  }

  func press(_ keys: Key..., at time: Double) {
    for key in keys { browser.pressAfterReading(KeyEvent(key), at: time) }
  }

  func press(_ characters: String, at time: Double) {
    for character in characters { browser.pressAfterReading(KeyEvent(.character(character)), at: time) }
  }

  func click(column: Int, row: Int, at time: Double) {
    browser.handle(.mouse(MouseEvent(.press(.left), at: CellPoint(column: column, row: row))), at: time)
  }

  func wheel(rows: Int, at time: Double) {
    browser.handle(
      .mouse(MouseEvent(.scroll(columns: 0, rows: rows), at: CellPoint(column: 10, row: 10))), at: time)
  }

  func isDone(_ activity: String) throws -> Bool {
    try navigation.places.summary(of: .text("lab/goal/lesson/" + activity)).state == .done
  }

  func attempts(_ activity: String) throws -> [QuizAttempt] {
    try navigation.progress.quizAttempts(at: navigation.places.named(.text("lab/goal/lesson/" + activity)).place)
  }

  func grades(_ activity: String) throws -> [Int: Bool] {
    try navigation.progress.gradedCards(at: navigation.places.named(.text("lab/goal/lesson/" + activity)).place)
  }

  static let course = courseFiles("lab")
}

/// Returns the files of a course in the folder `Courses` by their relative paths.
func courseFiles(_ name: String) -> [String: String] {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Courses/\(name)").standardized
  let paths = try! FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") }
  return Dictionary(
    uniqueKeysWithValues: paths.map { ($0, try! String(contentsOf: folder.appending(path: $0), encoding: .utf8)) })
}

/// Compares a screen with the expected text.
func expect(_ screen: String, _ drawn: String, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(screen == drawn, sourceLocation: sourceLocation)
}
