import LearningModel
import TestSupport
import Testing

@testable import LearningStore

/// Tests that messages do not affect other learners' erasures or later changes.
struct ChangesByOthersTests {
  private let folder: TemporaryFolder
  private let store: LearningStore
  private let learners: [LearnerID]
  private static let start = Timestamp("2026-11-20T08:00:00Z")!

  init() throws {
    folder = try TemporaryFolder()
    store = try LearningStore.open(at: folder.file("waymark.sqlite"))
    learners = try store.write { transaction in
      try ["ada", "mia"].map { try transaction.makeLearner(named: $0, at: Self.start).id }
    }
  }

  @Test func `the erasures of a learner do not depend on those of another learner with the same session`() throws {
    let session = "20000000-0000-4000-8000-000000000000"
    let cuts = [
      LearnerRecord.Cut(session: session, step: 5, act: 3), LearnerRecord.Cut(session: session, step: 1, act: 9),
    ]

    try store.write { transaction in
      for (learner, cut) in zip(learners, cuts) { try transaction.erase(from: cut, of: learner) }
    }

    let erased = try store.read { snapshot in try learners.map { try snapshot.erased(of: $0).sessions } }
    #expect(erased == [[cuts[0]], [cuts[1]]])
  }

  @Test func `a reduced time is given to the change that had it, and not to a later one`() throws {
    try store.write { transaction in
      let ada = learners[0]
      func change() throws -> FactVersion {
        let fact = try transaction.snapshot.facts(of: ada)[0]
        return FactVersion(key: fact.key, stamp: fact.version.stamp, replica: fact.version.replica)
      }
      try transaction.recordChange(of: .setting, at: nil, named: "a", by: ada, at: Self.start)
      let first = try change()
      var reduced = first
      reduced.stamp = HybridTime.limited(first.stamp, at: Self.start.advanced(byMilliseconds: -3_600_000))
      #expect(reduced.stamp < first.stamp)

      try transaction.restamp([reduced], of: ada)
      #expect(try change() == reduced)

      // The next change has other random bits.
      let later = FactChange(stamp: first.stamp + 1, replica: first.replica)
      try transaction.setChange(later, of: .setting, at: nil, named: "a", by: ada)
      try transaction.restamp([reduced], of: ada)
      #expect(try change().stamp == later.stamp)
    }
  }
}
