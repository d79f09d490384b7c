/// How many rows a batch of a long work has, so that it takes some ten milliseconds: half, or half as much again, as long
/// as one is not in its window.
struct PieceSize {
  private(set) var rows: Int
  private let most: Int

  init(from rows: Int, to most: Int) {
    self.rows = min(rows, most)
    self.most = most
  }

  /// Takes note of how long a batch of this size took.
  mutating func adapt(to time: Duration) {
    if time > .milliseconds(14) {
      rows = max(20, rows / 2)
    } else if time < .milliseconds(6) {
      rows = min(most, rows * 3 / 2)
    }
  }
}
