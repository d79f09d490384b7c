import Foundation
import LearningStore

/// The time of the database during an import of a large course: its rows and its search index.
struct ImportSpeed {
  let databases: Databases
  let course: GrownCourse
  let language: Words
  let seed: UInt64
  /// A description of unusual texts, for the title of the table.
  var kind = ""

  /// Writing the rows takes one second, which a busy disk doubles occasionally. Writing the index takes many seconds,
  /// so fewer rounds are enough.
  private static let rounds = 9
  private static let indexRounds = 3

  func table() throws -> Table {
    let source = try course.grow(key: "large", position: 0, from: language, seed: seed)
    let rows = Statements()
    let index = Statements()
    let recorded = databases.new()
    do {
      try rows.record { beginSegment in
        let store = try LearningStore.open(at: recorded)
        beginSegment()
        try source.write(to: store)
      }
    }
    try index.record { beginSegment in
      let store = try LearningStore.open(at: recorded)
      beginSegment()
      try store.indexSearch()
    }

    // Wall-clock time, because the checkpointer works concurrently.
    _ = Machine.goFirst(true)
    defer { _ = Machine.goFirst(false) }
    var times: (rows: Samples, index: Samples) = (Samples(), Samples())
    var raw: (rows: Samples, index: Samples) = (Samples(), Samples())
    for round in 0..<Self.rounds {
      let store = try LearningStore.open(at: databases.new())
      try times.rows.measure(.wall) { try source.write(to: store) }
      let path = databases.new()
      _ = try LearningStore.open(at: path)
      let rowReplay = try rows.replay(on: path)
      try raw.rows.measure(.wall) { try rowReplay.run(piece: 0) }

      guard round < Self.indexRounds else { continue }
      try times.index.measure(.wall) { _ = try store.indexSearch() }
      let indexReplay = try index.replay(on: path)
      // The replay uses the settings of the store's own connection, which are among the statements recorded when it was
      // opened.
      try indexReplay.runPreparation()
      try raw.index.measure(.wall) { try indexReplay.run(piece: 0) }
    }

    var table = Table(
      "Store: an import of \(course.count.grouped) nodes\(kind)",
      note:
        "Activities of \(course.words) words; inputs \(source.digest). \(Self.rounds) rounds of the rows, "
        + "\(Self.indexRounds) of the index, Waymark and the raw statements alternately; elapsed time without reading "
        + "the source.",
      columns: ["what", "median", "raw median", "ratio", "statements"])
    for (name, ours, theirs, statements) in [
      ("rows", times.rows, raw.rows, rows.count), ("search index", times.index, raw.index, index.count),
    ] {
      let ratio = ours.median / theirs.median
      table.add(
        name, ours.median.asTime, theirs.median.asTime, ratio.asRatio, statements.grouped, target: "≤ 1.3 ×",
        isMet: ratio <= 1.3)
    }
    let both = (times.rows.median + times.index.median) / (raw.rows.median + raw.index.median)
    table.add(
      "both", (times.rows.median + times.index.median).asTime, (raw.rows.median + raw.index.median).asTime,
      both.asRatio, "", target: "≤ 1.3 ×", isMet: both <= 1.3)
    return table
  }
}
