import GRDB
import LearningModel

/// One rule of the logs, and the rows that break it.
struct LogCheck {
  /// What is wrong where rows are found; the number of them stands in front.
  let words: String
  /// Finds the rows that break the rule.
  let sql: String

  /// Returns what is wrong; `nil` where nothing is.
  func problem(in database: Database) throws -> String? {
    let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM (\(sql))") ?? 0
    return count == 0 ? nil : "\(count) \(words)"
  }

  /// Every rule. To add one: its row here, and a test that breaks it.
  static let rules = [
    LogCheck(
      words: "session(s) with a hole in the sequence of their steps.",
      sql: "SELECT 1 FROM navigationEvent GROUP BY session HAVING max(sequence) <> count(*) OR min(sequence) <> 1"),
    LogCheck(
      words: "step(s) that do not begin where the step before ended.",
      sql: """
        SELECT 1 FROM navigationEvent AS event
        JOIN navigationEvent AS before ON before.session = event.session AND before.sequence = event.sequence - 1
        WHERE event.fromNode IS NOT before.toNode OR event.fromKind IS NOT before.toKind
        """),
    LogCheck(
      words: "step(s) whose stack does not end in the place that they led to.",
      sql: "SELECT 1 FROM navigationEvent WHERE json_extract(stack, '$[#-1]') IS NOT toNode"),
    LogCheck(
      words: "visit(s) that were never left although another followed or the session has ended.",
      sql: """
        SELECT 1 FROM navigationEvent AS event JOIN session ON session.id = event.session
        WHERE event.leftAt IS NULL AND (session.endedAt IS NOT NULL OR EXISTS (
          SELECT 1 FROM navigationEvent WHERE session = event.session AND sequence = event.sequence + 1))
        """),
    LogCheck(
      // It may be ahead where the latest step has been erased, or has come again as part of a longer session. A step that
      // says a time which had not come yet does not count.
      words: "step(s) whose clock is behind the time of their learner.",
      sql: """
        SELECT 1 FROM (
          SELECT clock, max(at) FILTER (WHERE at <= clock) OVER steps AS latest, lag(clock) OVER steps AS before
          FROM navigationEvent WINDOW steps AS (PARTITION BY learner ORDER BY id))
        WHERE clock < latest OR clock < before
        """),
    LogCheck(
      words: "step(s) or thing(s) done of a learner in somebody else's session.",
      sql: """
        SELECT 1 FROM navigationEvent AS event JOIN session ON session.id = event.session
        WHERE session.learner <> event.learner
        UNION ALL
        SELECT 1 FROM activityEvent AS event JOIN session ON session.id = event.session
        WHERE session.learner <> event.learner
        """),
    LogCheck(
      words: "open stack(s) in which a place is not the parent of the next, or was removed.",
      sql: """
        SELECT 1 FROM stackEntry AS entry
        JOIN contentNode AS node ON node.id = entry.node
        LEFT JOIN stackEntry AS below ON below.session = entry.session AND below.depth = entry.depth - 1
        WHERE node.parent IS NOT below.node OR node.removedInRevision IS NOT NULL
        """),
  ]
}
