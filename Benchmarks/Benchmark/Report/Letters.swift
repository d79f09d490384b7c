/// How long letters took, with what had been typed by then.
struct Letters {
  /// How many of the slowest are named.
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

  /// Such as `34.1 ms “brai” (3)`, the slowest first: the number is that of the word.
  var slowest: String {
    all.sorted { $0.nanoseconds > $1.nanoseconds }.prefix(Self.named)
      .map { "\($0.nanoseconds.asTime) “\($0.typed)” (\($0.round))" }.joined(separator: ", ")
  }
}

extension Table {
  /// Adds a row of letters, with how long they took and which took longest.
  mutating func add(_ name: String, _ letters: Letters, target: String = "", isMet: Bool? = nil) {
    let samples = letters.samples
    add(
      name, "\(samples.count)", samples.median.asTime, samples.p99.asTime, samples.quantile(1).asTime,
      letters.slowest, target: target, isMet: isMet)
  }
}
