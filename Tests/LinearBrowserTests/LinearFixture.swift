import BundledDatabase
import CourseKit
import Foundation
import LearningModel
import NavigationKit
import Synchronization
import TestSupport

@testable import LinearBrowser

/// A linear browser with a database and a clock of its own. Each typed line advances the clock by one second.
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

  /// The lines of the first screen.
  let beginning: [String]

  func wait(seconds: Int) {
    clock.moment.withLock { $0 = $0.advanced(byMilliseconds: Int64(seconds) * 1000) }
  }

  /// Types a line, one second after the preceding one, and returns the answer.
  @discardableResult
  func type(_ line: String) -> [String] {
    wait(seconds: 1)
    return browser.answer(to: line)
  }
}

/// A recorded session. Lines that begin with `> ` are typed, `(90 seconds later)` advances the clock, and all other
/// lines are the output.
struct Transcript {
  let text: String

  init(named name: String) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
    text = try String(contentsOf: file, encoding: .utf8)
  }

  /// Replays the session and returns it with the current output.
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
