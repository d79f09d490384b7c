/// A block of a text as a learner reads it: what tells it from other blocks, and how many characters it has.
///
/// Both depend on its words alone, so a block keeps them when the text around it is edited, when it is marked up
/// otherwise, and in every width.
public struct TextPassage: Hashable, Sendable {
  /// Sixteen hexadecimal digits; of two blocks of one text that say the same, each has its own.
  public let digest: String
  /// Its characters that are not blank, as Unicode scalars. Of what is closed until it is asked for
  /// only the summary counts, of tabs the first.
  public let length: Int

  /// Returns the passages of a text, one a block. One without words has the length 0.
  public static func passages(of blocks: [Block]) -> [TextPassage] {
    var seen: [UInt64: UInt64] = [:]
    return blocks.map { block in
      var text = words(of: block)
      let (hash, length) = text.withUTF8(measure)
      let before = seen[hash, default: 0]
      seen[hash] = before + 1
      let digits = String(before == 0 ? hash : fold(hash, before), radix: 16)
      return TextPassage(digest: String(repeating: "0", count: 16 - digits.count) + digits, length: length)
    }
  }

  /// Returns the words of a block as a passage has them: of what is closed until it is asked for the summary alone.
  public static func words(of block: Block) -> String { block.closed.plainText }

  /// Source: Fowler, Noll and Vo, FNV-1a with 64 bits.
  private static func measure(_ bytes: UnsafeBufferPointer<UInt8>) -> (hash: UInt64, length: Int) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var length = 0
    for byte in bytes {
      hash = fold(hash, UInt64(byte))
      // Neither a blank nor the rest of a character that has begun.
      if byte > 0x20, byte & 0xC0 != 0x80 { length += 1 }
    }
    return (hash, length)
  }

  private static func fold(_ hash: UInt64, _ byte: UInt64) -> UInt64 { (hash ^ byte) &* 0x100_0000_01b3 }
}

extension Block {
  /// This block with the summaries alone of what is closed until it is asked for, and of tabs with the first.
  fileprivate var closed: Block {
    switch self {
    case .details(let summary, _): .paragraph(summary)
    case .tabs(let all):
      .quote(
        [.paragraph(all.map(\.label).reduce([]) { $0 + [.text(" ")] + $1 })]
          + (all.first?.blocks ?? []).map(\.closed))
    default: mapParts(line: { $0 }, blocks: { $0.map(\.closed) })
    }
  }
}
