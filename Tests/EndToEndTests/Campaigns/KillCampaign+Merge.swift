import Foundation
import GRDB
import TerminalHarness
import Testing

extension KillCampaign {
  /// Kills an import of a learner's history at a random time, and repeats it.
  func killMerge() throws {
    let sessions = 100
    let file = try home.write(history(sessions), to: "history.json")
    let before = try mergedSteps()
    let start = ContinuousClock.now
    let program = try home.start(["learners", "import", file])
    program.closeInput()

    let killed = kill(program.processIdentifier, within: 1.2 * mergeSeconds) { usleep(useconds_t($0 * 1e6)) }
    let ending = try program.waitForExit()
    if !killed.wasRunning { mergeSeconds = start.duration(to: .now) / .seconds(1) }

    try #require(ending == (killed.wasRunning ? .signalled(9) : .exited(0)), "\(Answer(ending, program))")
    try expectOrder("merge, inside a write: \(killed.isInside)")
    let added = try mergedSteps() - before
    try #require(
      added == 2 * sessions || added == 0 && killed.wasRunning, "the history is stored completely or not at all")
    note("merge", isInside: killed.isInside, isWritten: added > 0)
    let again = try home.waymark("learners", "import", file)
    try #require(again.code == 0, "\(again)")
    try #require(mergedSteps() == before + 2 * sessions)
  }

  private func mergedSteps() throws -> Int {
    try read { database in
      try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM navigationEvent JOIN learner ON learner.id = learner WHERE learner.name = 'merged'")
        ?? 0
    }
  }

  /// The file of the learner `merged` with a number of new sessions of two steps each.
  private func history(_ count: Int) -> String {
    let time = #""2026-01-01T00:00:00.000Z""#
    func uuid() -> String { "\"\(UUID().uuidString.lowercased())\"" }
    var (sessions, steps): ([String], [String]) = ([], [])
    for _ in 0..<count {
      let session = uuid()
      sessions.append(
        """
        {"activeMs":0,"endedAt":\(time),"lastInputAt":\(time),"name":"shell","replica":"other","startedAt":\(time),\
        "timeZone":"GMT","uuid":\(session)}
        """)
      for sequence in 1...2 {
        let origin = #""operation":"open","from":{"kind":"root"},"transition":{"kind":"crossFade","reason":"noMatch"}"#
        steps.append(
          """
          {"activeMs":0,"animated":false,"at":\(time),"cause":"shell","leftAt":\(time),"sequence":\(sequence),\
          "session":\(session),"stack":[],"to":{"kind":"root"},"uuid":\(uuid()),\
          \(sequence == 1 ? #""operation":"resume""# : origin)}
          """)
      }
    }
    return """
      {"format":"waymark-learner","version":2,"uuid":"00000000-0000-4000-8000-000000000001","name":"merged",\
      "createdAt":\(time),"nodes":[],"sessions":[\(sessions.joined(separator: ","))],\
      "steps":[\(steps.joined(separator: ","))],"activities":[],"bookmarks":[],"positions":[],"quizzes":[],"passages":[],\
      "changes":[],"erased":{"sessions":[],"spans":[]},"settings":{}}
      """
  }
}
