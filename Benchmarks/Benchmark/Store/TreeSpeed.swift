import LearningModel
import LearningStore
import TestSupport

/// The time of tree queries in a small tree and in a large one.
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
      "breadcrumb of a node: path and titles", "kind = 'activity'",
      {
        // The same computation as in the library, from the nodes of the course down.
        let chain = try $0.chain(to: $1)
        return PlacePath(slugs: chain.map(\.slug)).slugs.count + chain.map(\.title).count
      }
    ),
  ]

  func tables() throws -> [Table] {
    var times = Table(
      "Store: the tree",
      note:
        "\(Self.count.grouped) seeded nodes in one read transaction; processor time including the kernel. Waymark and "
        + "the raw statements run alternately.",
      columns: ["what", "nodes", "median", "99 %", "raw median", "ratio"])
    var growth = Table(
      "Store: the tree, from 11,111 nodes to 999,990",
      note:
        "The ratio of the time in the large tree to that in the small one. Pages are those of the raw statements: "
        + "requested, and missing in the connection's cache of 8 MB. "
        + "The B-tree of the large tree has one more level, and "
        + "most requested nodes are on pages that are not cached.",
      columns: ["what", "Waymark", "raw", "pages requested", "pages read"])
    for question in questions {
      let one = try measure(question, in: small)
      let other = try measure(question, in: large)
      for (nodes, result) in [("11,111", one), ("999,990", other)] {
        let ratio = result.ours.median / result.raw.median
        times.add(
          question.name, nodes, result.ours.median.asTime, result.ours.p99.asTime, result.raw.median.asTime,
          ratio.asRatio, target: "≤ 1.5 ×", isMet: ratio <= 1.5)
      }
      let ours = other.ours.median / one.ours.median
      growth.add(
        question.name, ours.asRatio, (other.raw.median / one.raw.median).asRatio,
        "\(one.asked.rounded(digits: 3)) → \(other.asked.rounded(digits: 3))",
        "\(one.missed.rounded(digits: 2)) → \(other.missed.rounded(digits: 3))", target: "≤ 1.5 ×", isMet: ours <= 1.5)
    }
    return [times, growth]
  }

  private struct Found {
    var ours: Samples
    var raw: Samples
    /// The mean number of pages per query.
    var asked: Double
    var missed: Double
  }

  private func measure(_ question: Question, in base: String) throws -> Found {
    let all = try Shell.numbers("SELECT id FROM contentNode WHERE \(question.kinds)", in: base)
    var random = SplitMix64(seed: seed)
    let nodes = (0..<Self.count).map { _ in NodeID(rawValue: all[random.below(all.count)]) }
    let recorded = Statements()
    let path = try databases.copy(base)
    try recorded.record { beginSegment in
      let store = try LearningStore.open(at: path)
      try store.read { snapshot in
        for node in nodes {
          beginSegment()
          _ = try question.ask(snapshot, node)
        }
        // The statement that ends the transaction is not part of any segment.
        beginSegment()
      }
    }
    let store = try LearningStore.open(at: path)
    let replay = try recorded.replay(on: path)
    try replay.runPreparation()
    var ours = Samples(reserving: nodes.count)
    var raw = Samples(reserving: nodes.count)
    var foundCount = 0
    try store.read { snapshot in
      // The first round warms both caches; the others are measured.
      for round in 0..<3 {
        if round == 1 { _ = replay.pages() }
        for (number, node) in nodes.enumerated() {
          var one = Samples()
          var other = Samples()
          try one.measure(.process) { foundCount += try question.ask(snapshot, node) }
          // Queries another node, because the data of this one is already in the processor's cache.
          try other.measure(.process) { foundCount += try replay.run(piece: (number + nodes.count / 2) % nodes.count) }
          guard round > 0 else { continue }
          ours.add(nanoseconds: one.median)
          raw.add(nanoseconds: other.median)
        }
      }
    }
    precondition(foundCount > 0)
    let (asked, missed) = replay.pages()
    let count = Double(2 * nodes.count)
    return Found(ours: ours, raw: raw, asked: Double(asked) / count, missed: Double(missed) / count)
  }
}
