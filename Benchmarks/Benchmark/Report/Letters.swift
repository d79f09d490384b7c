/// The times of typed letters, with the text typed so far.
struct Letters {
  /// The number of slowest letters that are listed.
  private static let named = 5

  private(set) var samples = Samples()
  private var all: [(nanoseconds: Double, typed: String, round: Int)] = []

  mutating func add(_ nanoseconds: Double, _ typed: String, in round: Int) {
    samples.add(nanoseconds: nanoseconds)
    all.append((nanoseconds, typed, round))
  }

  mutating func add(_ other: Letters) {
    for letter in other.all { add(letter.nanoseconds, letter.typed, in: letter.round) }
  }

  /// The slowest letters, such as `34.1 ms “brai” (3)`, where 3 is the number of the word.
  var slowest: String {
    all.sorted { $0.nanoseconds > $1.nanoseconds }.prefix(Self.named)
      .map { "\($0.nanoseconds.asTime) “\($0.typed)” (\($0.round))" }.joined(separator: ", ")
  }
}

extension Table {
  /// Adds a row with the times of letters and the slowest of them.
  mutating func add(_ name: String, _ letters: Letters, target: String = "", isMet: Bool? = nil) {
    let samples = letters.samples
    add(
      name, "\(samples.count)", samples.median.asTime, samples.p99.asTime, samples.quantile(1).asTime,
      letters.slowest, target: target, isMet: isMet)
  }
}
