import GRDB
import LearningModel

// How much there is to do at each place of a course, and how much of it learners have done: worked out anew when the
// course changes.

extension StoreTransaction {
  /// How many letters of text are read in a second, where the author gives no time: about 200 words in a minute.
  static let lettersReadInASecond = 20

  /// Works out the totals of every living place of a course.
  func addUpTotals(of course: NodeID) throws {
    try database.execute(
      sql: "DELETE FROM placeTotal WHERE node IN (SELECT id FROM contentNode WHERE course = ?)",
      arguments: [course.rawValue])

    var parts: [Int64: Part] = [:]
    var order: [Int64] = []
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT contentNode.id, contentNode.parent, kind = 'activity', minutes, ifnull(letters, 0)
          FROM contentNode LEFT JOIN activityContent ON activityContent.node = contentNode.id
          WHERE course = ? AND living = 1
          """), arguments: [course.rawValue])
    while let row = try rows.next() {
      parts[row[0]] = Part(parent: row[1], isActivity: row[2], minutes: row[3], letters: row[4])
      order.append(row[0])
    }

    for id in order {
      guard let parent = parts[id]?.parent, let part = parts[id], part.isActivity else { continue }
      if let minutes = part.minutes {
        parts[parent]?.secondsGiven += minutes * 60
      } else {
        parts[parent]?.withoutTime += 1
      }
    }
    for id in order {
      guard let part = parts[id], part.isActivity else { continue }
      let seconds = part.minutes.map { $0 * 60 } ?? part.parent.flatMap { parts[$0] }?.share ?? part.estimate
      var above: Int64? = id
      while let place = above {
        parts[place]?.activities += 1
        parts[place]?.seconds += seconds
        above = parts[place]?.parent
      }
    }

    let insert = try database.cachedStatement(
      sql: "INSERT INTO placeTotal (node, activities, seconds) VALUES (?, ?, ?)")
    for id in order {
      try insert.execute(arguments: [id, parts[id]?.activities, parts[id]?.seconds])
    }
  }

  /// Works out, from what learners have begun and done, the sums over the living places of a course.
  func addUpProgress(in course: NodeID) throws {
    try database.execute(
      sql: "DELETE FROM placeProgress WHERE node IN (SELECT id FROM contentNode WHERE course = ?)",
      arguments: [course.rawValue])
    try database.execute(
      sql: """
        INSERT INTO placeProgress (learner, node, begun, done, secondsDone)
        WITH RECURSIVE sum (learner, node, isDone, seconds) AS (
          SELECT progress.learner, progress.node, progress.doneAt IS NOT NULL, placeTotal.seconds
          FROM contentNode
          JOIN progress ON progress.node = contentNode.id
          JOIN placeTotal ON placeTotal.node = contentNode.id
          WHERE contentNode.course = ? AND contentNode.living = 1 AND contentNode.kind = 'activity'
          UNION ALL
          SELECT sum.learner, contentNode.parent, sum.isDone, sum.seconds
          FROM sum JOIN contentNode ON contentNode.id = sum.node WHERE contentNode.parent IS NOT NULL
        )
        SELECT learner, node, count(*), sum(isDone), sum(isDone * seconds) FROM sum GROUP BY learner, node
        """, arguments: [course.rawValue])
  }
}

/// What is known of a place while its course is added up.
private struct Part {
  let parent: Int64?
  let isActivity: Bool
  let minutes: Int?
  let letters: Int
  var secondsGiven = 0
  var withoutTime = 0
  var activities = 0
  var seconds = 0

  /// How long each of a lesson's activities takes that have no time of their own, where the lesson has one.
  var share: Int? {
    minutes.map { max(0, $0 * 60 - secondsGiven) / max(1, withoutTime) }
  }

  /// How long an activity takes by the length of its text, in seconds: a minute at least.
  var estimate: Int {
    max(60, letters / StoreTransaction.lettersReadInASecond)
  }
}
