import BundledDatabase
import CourseKit
import Foundation
import LearningModel
import NavigationKit
import Synchronization
import TestSupport

@testable import LinearBrowser

/// A linear browser on a database of its own, whose time advances by a second a line, and as it is told.
final class LinearFixture {
  let browser: LinearBrowser
  let library: CourseLibrary
  let navigation: NavigationService
  let folder: TemporaryFolder
  private let clock = Clock()

  private final class Clock: Sendable {
    let moment = Mutex(Timestamp("2026-11-20T10:00:00Z")!)
    var now: Timestamp { moment.withLock { $0 } }
  }

  init(hasCourse: Bool = true, reason: LinearReason = .flag, opening place: PlaceName? = nil) throws {
    folder = try TemporaryFolder()
    let path = hasCourse ? try BundledDatabase.copy(into: folder) : folder.file("waymark.sqlite")
    let clock = clock
    library = try CourseLibrary(databaseAt: path, now: { clock.now })
    navigation = try NavigationService(
      databaseAt: path, learner: "ada", session: .browser, timeZone: TimeZone(identifier: "UTC")!,
      now: { clock.now })
    browser = LinearBrowser(navigation: navigation, library: library, reason: reason, now: { clock.now })
    beginning = try browser.begin(at: place)
  }

  /// The first screen.
  let beginning: [String]

  func wait(seconds: Int) {
    clock.moment.withLock { $0 = $0.advanced(byMilliseconds: Int64(seconds) * 1000) }
  }

  /// Types a line, a second after the one before.
  @discardableResult
  func type(_ line: String) -> [String] {
    wait(seconds: 1)
    return browser.answer(to: line)
  }
}

/// A conversation as a file: lines that begin with `> ` are typed, `(90 seconds later)` lets time pass, all others are
/// what is said.
struct Transcript {
  let text: String

  init(named name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
    text = try String(contentsOf: file, encoding: .utf8)
  }

  /// The same conversation, held anew with whoever answers.
  func held(with fixture: LinearFixture) -> String {
    var lines = fixture.beginning
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line == ">" || line.hasPrefix("> ") {
        let typed = String(line.dropFirst(2)).replacing("FIXTURES", with: Self.fixtures)
        lines += [line] + fixture.type(typed).map { $0.replacing(Self.fixtures, with: "FIXTURES") }
      } else if let seconds = line.wholeMatch(of: /\((\d+) seconds later\)/)?.1 {
        fixture.wait(seconds: Int(seconds)!)
        lines.append(line)
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let fixtures = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures").path
}
