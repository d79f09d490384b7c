import CourseKit
import GRDB
import LearningModel
import NavigationKit
import Testing
import TextCanvas

@testable import CourseBrowser

/// The browser while another process, such as an import, holds the write lock for a long time.
@MainActor @Suite struct WaitingTests {
  private let fixture: BrowserFixture
  private let importing: DatabaseQueue

  init() throws {
    fixture = try BrowserFixture(opening: "english-for-business/negotiating/opening-offers")
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    importing = try DatabaseQueue(path: fixture.browser.library.path, configuration: configuration)
  }

  private func begin() throws { try importing.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") } }
  private func end() throws { try importing.inDatabase { try $0.execute(sql: "ROLLBACK") } }

  /// Returns the screen at a time, after drawing all frames before it.
  private func text(from start: Double, to end: Double) -> String {
    for frame in stride(from: start, to: end, by: 1.0 / 60) { _ = fixture.screen(at: frame) }
    return fixture.text(at: end)
  }

  private static let words = "Waiting: another program is using the database, perhaps an import."

  @Test func `a blocked step waits, and a notice appears after half a second`() throws {
    let before = fixture.text(at: 1)
    let steps = try fixture.steps

    try begin()
    fixture.press(.enter, at: 1)
    let soon = text(from: 1, to: 1.45)
    let later = text(from: 1.45, to: 1.6)
    try end()
    let done = text(from: 1.6, to: 3)

    #expect(soon == before)
    let notice = zip(later.split(separator: "\n"), before.split(separator: "\n")).filter { $0 != $1 }.map(\.0)
    #expect(notice.count == 1 && notice.first?.contains(Self.words) == true, "\(notice)")
    #expect(!done.contains(Self.words))
    #expect(done.contains("Read the brief"))
    #expect(try fixture.steps == steps + 1)
    #expect(try fixture.lastStep.operation == .push)
  }

  @Test func `commands that are given during the wait are performed in order afterwards`() throws {
    let place = try fixture.lastStep.to.path

    try begin()
    fixture.press(.enter, at: 1)
    fixture.press("m", at: 1.1)
    fixture.press("n", at: 1.2)
    _ = text(from: 1.2, to: 1.4)
    try end()
    _ = text(from: 1.4, to: 3)

    #expect(try fixture.lastStep.operation == .next)
    let paths = try fixture.marks
    #expect(paths.count == 1 && paths[0].hasPrefix(place.description + "/"), "\(paths)")
  }

  @Test func `a write that fails for ten seconds is abandoned with a notice`() throws {
    let steps = try fixture.steps

    try begin()
    fixture.press(.enter, at: 1)
    let late = text(from: 1, to: 11.5)
    try end()

    #expect(late.contains("Could not write to the database: another program is keeping it busy."))
    #expect(try fixture.steps == steps)
    fixture.press(.enter, at: 12)
    #expect(try fixture.steps == steps + 1)
  }

  @Test func `pending writes are performed when the browser closes`() throws {
    try begin()
    fixture.press(.enter, at: 1)
    let steps = try fixture.steps
    try end()

    fixture.browser.close()

    #expect(try fixture.steps == steps + 1)
  }
}
