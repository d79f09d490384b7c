import FrameReference
import TerminalIO
import TextCanvas

/// Compares the encoder's bytes with the least possible number of bytes, on small random frames.
struct SearchComparison {
  let seed: UInt64
  let count: Int

  func table() -> Table {
    let features = OutputFeatures(hasLinks: false)
    var digest = Digest()
    var total = 0
    var least = 0
    var plainTotal = 0
    var worst = 1.0
    var longer = 0
    for number in 0..<count {
      let pair = FramePair(seed: seed &* 1_000_003 &+ UInt64(number), columns: 40, rows: 6)
      digest.add(pair.shown)
      digest.add(pair.wanted.surface)
      let encoder = FrameEncoder(size: pair.shown.size, features: features)
      var plain = PlainDifference(size: pair.shown.size)
      for surface in pair.begin {
        _ = encoder.encode(Frame(surface: surface))
        _ = plain.encode(surface)
      }
      let length = encoder.encode(Frame(surface: pair.wanted.surface)).count
      let plainLength = plain.encode(pair.wanted.surface).count
      let shortest = ExactSearch(from: pair.shown, to: pair.wanted.surface).length()
      total += length
      plainTotal += plainLength
      least += shortest
      if shortest > 0 { worst = max(worst, Double(length) / Double(shortest)) }
      if length > plainLength { longer += 1 }
    }
    var table = Table(
      "Renderer: bytes of an arbitrary frame",
      note: "\(count.grouped) seeded pairs of 40 × 6 cells, without hints. Inputs \(digest). The search tries every "
        + "position of the cursor × every style, row by row.",
      columns: ["what", "bytes", "exact search", "ratio", "plain difference"])
    let ratio = Double(total) / Double(least)
    table.add(
      "all frames", total.grouped, least.grouped, ratio.asRatio, plainTotal.grouped, target: "≤ 1.05 ×",
      isMet: ratio <= 1.05)
    table.add("the worst frame", "", "", worst.asRatio, "")
    table.add(
      "frames longer than the plain difference", "\(longer)", "", "", "", target: "none", isMet: longer == 0)
    return table
  }
}
