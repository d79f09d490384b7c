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

  /// Returns the notice at a time, as one line.
  private func notice(from start: Double, to end: Double) -> String {
    text(from: start, to: end).split(separator: "\n").suffix(5).dropLast(2).map(\.trimmed).joined(separator: " ")
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
    #expect(notice.first?.contains(Self.words) == true, "\(notice)")
    #expect(!done.contains(Self.words))
    #expect(done.contains("Read the brief"))
    #expect(try fixture.steps == steps + 1)
    #expect(try fixture.lastStep.operation == .push)
  }

  @Test func `keys that are typed before the notice act on the page of the step`() throws {
    try begin()
    fixture.press(.enter, at: 1)
    fixture.press("m", at: 1.1)
    fixture.press("n", at: 1.2)
    _ = text(from: 1.2, to: 1.4)
    try end()
    _ = text(from: 1.4, to: 3)

    #expect(try fixture.lastStep.operation == .next)
    #expect(try fixture.marks == ["english-for-business/negotiating/opening-offers/read-the-brief"])
  }

  @Test func `keys and clicks are ignored and counted while the notice is shown`() throws {
    try begin()
    fixture.press(.enter, at: 1)
    fixture.press("m", at: 1.1)
    _ = text(from: 1.1, to: 2)
    for key in "nn" { fixture.press(key, at: 2) }
    fixture.mouse(.press(.left), 5, 23, at: 2.1)
    let during = notice(from: 2.1, to: 8)
    try end()
    let after = notice(from: 8, to: 9)

    #expect(during.hasSuffix(Self.words + " Ignored 4 inputs."))
    #expect(after.hasSuffix("Ignored 4 inputs while another program was using the database."))
    #expect(try fixture.lastStep.operation == .push)
    #expect(try fixture.marks.isEmpty)
  }

  @Test func `Ctrl-C quits while a step waits`() throws {
    try begin()
    fixture.press(.enter, at: 1)
    fixture.press(.character("c"), .control, at: 2)
    try end()

    #expect(fixture.browser.isFinished)
  }

  @Test func `the notice is shown during the whole wait, and again after another notice`() throws {
    try begin()
    fixture.press("m", at: 1)
    let notices = (0..<9).map { text(from: 2 + Double($0), to: 3 + Double($0)).contains(Self.words) }
    try end()
    _ = text(from: 11, to: 12)
    try begin()
    fixture.press("m", at: 12)
    _ = text(from: 12, to: 13)
    fixture.press("Q", at: 13)
    let other = text(from: 13, to: 13.5)
    let again = text(from: 13.5, to: 18)
    try end()

    #expect(notices == Array(repeating: true, count: 9))
    #expect(other.contains("Q does nothing here.") && !other.contains(Self.words))
    #expect(again.contains(Self.words))
  }

  @Test func `a step that waits for ten seconds is abandoned, and a notice names it`() throws {
    let steps = try fixture.steps

    try begin()
    fixture.press(.enter, at: 1)
    fixture.press("m", at: 1.1)
    let late = notice(from: 1, to: 11.5)
    try end()

    #expect(
      late.hasSuffix(
        "Could not open “Read the brief”: another program is keeping the database busy. Try again when it has finished. "
          + "Ignored 1 input."))
    #expect(try fixture.steps == steps)
    fixture.press(.enter, at: 12)
    #expect(try fixture.steps == steps + 1)
    #expect(try fixture.marks.isEmpty)
  }

  @Test func `the notice names all changes that were not recorded`() throws {
    try begin()
    fixture.press("m", at: 1)
    fixture.press(.enter, at: 1.1)
    let late = notice(from: 1.1, to: 11.5)
    try end()

    #expect(
      late.hasSuffix(
        "Could not change the bookmark of “Read the brief” or open “Read the brief”: another program is keeping the "
          + "database busy. Try again when it has finished."))
  }

  @Test func `a wait is measured in time, not in attempts`() throws {
    try begin()
    fixture.press(.enter, at: 1)
    _ = fixture.screen(at: 6)
    let notice = fixture.text(at: 6.5)
    _ = fixture.screen(at: 11.5)
    let late = fixture.text(at: 12)
    try end()

    #expect(notice.contains(Self.words))
    #expect(late.contains("Could not open “Read the brief”"))
  }

  @Test func `a card that cannot be saved soon keeps its question`() throws {
    fixture.press(.enter, at: 1)
    _ = text(from: 1, to: 2)
    fixture.press("}", at: 2)
    fixture.press("c", at: 3)
    fixture.type("What is on the slip?", at: 4)
    try begin()
    let start = ContinuousClock.now
    fixture.press(.enter, at: 5)
    // Otherwise, the busy timeout of the database is ten seconds.
    #expect(ContinuousClock.now - start < .seconds(9))
    let screen = text(from: 5, to: 6)
    try end()
    fixture.press(.enter, at: 7)

    #expect(screen.contains("Question What is on the slip?"))
    #expect(screen.contains("Could not write to the database: another program is keeping it busy."))
    #expect(fixture.browser.overlay == nil)
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
