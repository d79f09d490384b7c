import Foundation
import LearningModel
import LearningStore
import TestSupport

extension GrownCourse {
  /// The data that an import of the course writes.
  struct Import {
    var plan: CoursePlan
    /// The contents of activities, by their index in the plan.
    var contents: [(index: Int, content: StoredContent)]
    /// A digest of all words.
    var digest: Digest
  }

  /// Generates the course.
  func grow(key: String, position: Int, from language: Words, seed: UInt64) throws -> Import {
    var random = SplitMix64(seed: seed)
    var nodes: [PlannedNode] = []
    var contents: [(index: Int, content: StoredContent)] = []
    var digest = Digest()

    func add(_ kind: ContentKind, in parent: Int?, at position: Int) throws -> Int {
      let title = language.text(2 + random.below(3), &random).capitalized
      let number = nodes.count
      digest.add(title)
      nodes.append(
        PlannedNode(
          id: nil, parent: parent, key: parent == nil ? key : "node-\(number)", kind: kind, position: position,
          slug: parent == nil ? key : "place-\(number)", title: title,
          summary: kind == .activity ? "" : language.text(8, &random), minutes: 5,
          changes: [.placement, .description, .content]))
      if kind == .activity {
        let text = language.text(words, &random)
        digest.add(text)
        contents.append((number, try StoredContent(.reading([.paragraph([.text(text)])]))))
      }
      return number
    }

    let course = try add(.course, in: nil, at: position)
    for goal in 0..<goals {
      let goal = try add(.goal, in: course, at: goal)
      for lesson in 0..<lessons {
        let lesson = try add(.lesson, in: goal, at: lesson)
        for inner in 0..<innerLessons {
          let inner = try add(.lesson, in: lesson, at: inner)
          for activity in 0..<activities { _ = try add(.activity, in: inner, at: activity) }
        }
      }
    }
    var counts = DifferenceCounts()
    counts.added = nodes.count
    let plan = CoursePlan(
      key: key, base: nil, format: "waymark", sourceName: key, sourceDigest: "\(seed)", language: nil, nodes: nodes,
      removed: [], counts: counts)
    return Import(plan: plan, contents: contents, digest: digest)
  }
}

extension GrownCourse.Import {
  /// Writes the course to a database.
  func write(to store: LearningStore) throws {
    try store.importing { writer in
      for (index, content) in contents { try writer.stage(content, at: index) }
      _ = try writer.commit(plan, at: Timestamp(milliseconds: 1_700_000_000_000))
    }
  }
}
