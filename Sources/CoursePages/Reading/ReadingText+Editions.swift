package import LearningModel

extension ReadingText.Point {
  /// How many blocks before and behind are looked for where the block itself was edited.
  private static let reach = 20

  /// Returns the point of an edited text at which the words of this point stand.
  ///
  /// The block is found by its words, wherever it has moved; one that was edited by its nearest neighbour that was not.
  /// Where everything around was edited, the point stays as many blocks behind the beginning.
  ///
  /// - Parameters:
  ///   - old: The blocks of the text that this is a point of.
  ///   - new: The blocks of the edited one.
  package func followed(from old: [Block], to new: [Block]) -> ReadingText.Point {
    // Who is at the beginning has not begun: they see what is new there.
    guard self != ReadingText.Point() else { return self }
    for distance in 0...Self.reach {
      for known in Set([block - distance, block + distance]).sorted() where old.indices.contains(known) {
        // What the text says twice is no place in it.
        guard let found = new.firstIndex(of: old[known]), found == new.lastIndex(of: old[known]) else { continue }
        return ReadingText.Point(block: max(0, min(found + block - known, new.count - 1)), offset: offset)
      }
    }
    return ReadingText.Point(block: max(0, min(block, new.count - 1)), offset: offset)
  }
}
