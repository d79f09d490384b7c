import LearningModel
import LearningStore
import TestSupport

/// How long it takes to walk the tree, in a small one and in a large one.
struct TreeSpeed {
  private static let count = 2_000
  let databases: Databases
  let small: String
  let large: String
  let seed: UInt64

  private typealias Question = (name: String, kinds: String, ask: (StoreSnapshot, NodeID) throws -> Int)

  private let questions: [Question] = [
    ("children of a node", "kind = 'lesson'", { try $0.children(of: .node($1)).count }),
    ("ancestors of a node", "kind = 'activity'", { try $0.ancestors(of: $1).count }),
    (
      "its breadcrumb: path and titles", "kind = 'activity'",
      { try $0.chain(to: $1).count + $0.path(of: $1).slugs.count }
    ),
  ]

  func table() throws -> Table {
    var table = Table(
      "Store: the tree",
      note:
        "\(Self.count.grouped) seeded nodes, all inside one open read; processor time, with the kernel's, ours and the "
        + "raw statements by turns. Flat: the median among 1,000,000 nodes is at most 1.5 × that among 10,000.",
      columns: ["what", "nodes", "median", "99 %", "raw median", "ratio", "of the small tree's"])
    for question in questions {
      var first: Double?
      for (name, path) in [("11,111", small), ("999,990", large)] {
        let (ours, raw) = try measure(question, in: path)
        let ratio = ours.median / raw.median
        let growth = first.map { ours.median / $0 }
        first = first ?? ours.median
        table.add(
          question.name, name, ours.median.asTime, ours.p99.asTime, raw.median.asTime, ratio.asRatio,
          growth?.asRatio ?? "", target: growth == nil ? "≤ 1.5 ×" : "≤ 1.5 ×, flat",
          isMet: ratio <= 1.5 && growth ?? 1 <= 1.5)
      }
    }
    return table
  }

  private func measure(_ question: Question, in base: String) throws -> (ours: Samples, raw: Samples) {
    let all = try Shell.numbers("SELECT id FROM contentNode WHERE \(question.kinds)", in: base)
    var random = SplitMix64(seed: seed)
    let nodes = (0..<Self.count).map { _ in NodeID(rawValue: all[random.below(all.count)]) }
    let recorded = Statements()
    let path = try databases.copy(base)
    try recorded.record { mark in
      let store = try LearningStore.open(at: path)
      try store.read { snapshot in
        for node in nodes {
          mark()
          _ = try question.ask(snapshot, node)
        }
        // What ends the transaction is in no piece.
        mark()
      }
    }
    let store = try LearningStore.open(at: path)
    let replay = try recorded.replay(on: path)
    try replay.runPreparation()
    var ours = Samples(reserving: nodes.count)
    var raw = Samples(reserving: nodes.count)
    var found = 0
    try store.read { snapshot in
      // Once to warm both caches, then for the record.
      for round in 0..<3 {
        for (number, node) in nodes.enumerated() {
          var one = Samples()
          var other = Samples()
          try one.measure(.process) { found += try question.ask(snapshot, node) }
          // Another node, since the memory of the processor holds what this one needs.
          try other.measure(.process) { found += try replay.run(piece: (number + nodes.count / 2) % nodes.count) }
          guard round > 0 else { continue }
          ours.add(nanoseconds: one.median)
          raw.add(nanoseconds: other.median)
        }
      }
    }
    precondition(found > 0)
    return (ours, raw)
  }
}
