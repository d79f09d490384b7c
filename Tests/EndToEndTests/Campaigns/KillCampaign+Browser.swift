import Foundation
import GRDB
import TerminalHarness
import TestSupport
import Testing

extension KillCampaign {
  /// Opens a browser on the `walked` course.
  func browser(of learner: String) throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(columns: 100, rows: 30)
    try terminal.launch(
      BuiltProgram.path, ["browse", "walked", "--motion", "none", "--learner", learner],
      environment: home.environment, directory: home.folder)
    return terminal
  }

  /// Kills a browser during its start or after a key.
  func killBrowser() throws {
    let before = try newestBrowserSession()
    let terminal = try browser(of: "bea")
    var visibleID: Int64?
    if random.oneIn(4) {
      // The browser is killed while it starts.
    } else {
      try terminal.waitFor("Goal 2")
      var depth = 1
      for _ in 0..<random.below(5) { try press(terminal, &depth) }
      try terminal.waitUntilQuiet(for: 0.1)
      let current = try newestStep()
      try #require(terminal.text.contains(current.title), "the page on the screen is that of the newest event")
      visibleID = current.id
      try press(terminal, &depth)
    }

    let killed = kill(terminal.processIdentifier, within: visibleID == nil ? 0.4 : 0.04) { terminal.pump(for: $0) }
    let ending = try terminal.waitForExit()

    try #require(killed.wasRunning)
    try #require(ending == .signalled(9))
    try expectOrder("browser, inside a write: \(killed.isInside)")
    let newest = try newestStep()
    if let visibleID {
      try #require(visibleID <= newest.id, "a step that was visible on the screen is in the log")
      note("browser", isInside: killed.isInside, isWritten: newest.id > visibleID)
    } else {
      note("browser", isInside: killed.isInside, isWritten: try newestBrowserSession()?.id != before?.id)
    }
    if let session = try newestBrowserSession() {
      try #require(session.endedAt == session.lastInputAt, "the session of a killed process ends at its last input")
      try #require(newest.leftAt == max(newest.at, session.endedAt ?? 0))
    }
  }

  /// Opens a child or the parent, without leaving the range from the course to an activity.
  private func press(_ terminal: PseudoTerminal, _ depth: inout Int) throws {
    let isDown = depth == 1 || depth < 4 && !random.oneIn(3)
    terminal.press(isDown ? .enter : .escape)
    depth += isDown ? 1 : -1
    // A single Escape is only recognised if no input follows for a while.
    terminal.pump(for: 0.08)
  }

  private struct BrowserSession: Equatable {
    let id: Int64
    let lastInputAt: Int64
    let endedAt: Int64?
  }

  private func newestBrowserSession(of learner: String = "bea") throws -> BrowserSession? {
    try read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT session.id, lastInputAt, endedAt FROM session JOIN learner ON learner.id = session.learner
          WHERE learner.name = ? AND lockFile IS NOT NULL ORDER BY session.id DESC LIMIT 1
          """, arguments: [learner])
    }.map { BrowserSession(id: $0[0], lastInputAt: $0[1], endedAt: $0[2]) }
  }

  /// Returns the newest navigation event of the learner `bea`, with the id -1 if the learner has no events.
  private func newestStep() throws -> (id: Int64, title: String, at: Int64, leftAt: Int64?) {
    let row = try read { database in
      try Row.fetchOne(
        database,
        sql: """
          SELECT event.id, ifnull(title, 'Courses'), at, leftAt FROM navigationEvent AS event
          JOIN learner ON learner.id = event.learner AND learner.name = 'bea'
          LEFT JOIN contentNode AS node ON node.id = toNode ORDER BY event.id DESC LIMIT 1
          """)
    }
    return row.map { ($0[0], $0[1], $0[2], $0[3]) } ?? (-1, "", 0, nil)
  }

  /// Expects that no other process has closed the session of a running browser.
  func expectAlive(_ learner: String) throws {
    let session = try newestBrowserSession(of: learner)

    try #require(session != nil)
    try #require(session?.endedAt == nil)
  }
}
