/// At which moments programs were killed, counted.
struct KillTally: CustomStringConvertible {
  /// Where a program was with its last write.
  enum Moment: String, CaseIterable {
    /// Nothing of it is in the database, and the write lock was free.
    case before
    /// The program held the write lock.
    case inside
    /// The write lock was free again, and all of it is in the database.
    case after
  }

  private var counts: [String: [Moment: Int]] = [:]

  /// How many there were.
  var total: Int { counts.values.flatMap(\.values).reduce(0, +) }

  mutating func count(_ program: String, _ moment: Moment) {
    counts[program, default: [:]][moment, default: 0] += 1
  }

  var description: String {
    counts.sorted { $0.key < $1.key }.map { program, moments in
      let words = Moment.allCases.map { "\(moments[$0] ?? 0) \($0)" }
      return "\(program): \(words.joined(separator: ", "))"
    }.joined(separator: "; ")
  }
}
