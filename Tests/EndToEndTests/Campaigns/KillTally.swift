/// The number of kills at each stage of a program's last write.
struct KillTally: CustomStringConvertible {
  /// The stage of the last write.
  enum Stage: String, CaseIterable {
    /// The change is not in the database, and the write lock was free.
    case before
    /// The program held the write lock.
    case inside
    /// The whole change is in the database, and the write lock was free.
    case after
  }

  private var counts: [String: [Stage: Int]] = [:]

  /// The number of all kills.
  var total: Int { counts.values.flatMap(\.values).reduce(0, +) }

  mutating func count(_ program: String, _ stage: Stage) {
    counts[program, default: [:]][stage, default: 0] += 1
  }

  var description: String {
    counts.sorted { $0.key < $1.key }.map { program, stageCounts in
      let texts = Stage.allCases.map { "\(stageCounts[$0] ?? 0) \($0)" }
      return "\(program): \(texts.joined(separator: ", "))"
    }.joined(separator: "; ")
  }
}
