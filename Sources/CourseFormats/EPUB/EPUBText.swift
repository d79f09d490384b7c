import LearningModel

/// The text of one entry, gathered from one page or from several that follow one another.
struct EPUBText {
  /// The entry's index in the outline.
  let entry: Int
  /// The page that it begins on.
  let path: String
  private(set) var parsed = ParsedText()
  /// The anchors of headings as they are in the text, by their names among those of all pages.
  private(set) var headings: [String: String] = [:]
  /// The anchors of headings that were taken off, because the entry's title says them.
  private(set) var titleAnchors: [String] = []
  private var names = Anchor.names

  init(entry: Int, path: String) {
    self.entry = entry
    self.path = path
  }

  /// Adds a part of a page.
  ///
  /// - Parameters:
  ///   - range: The blocks of it.
  ///   - anchors: The anchors in it, and those behind its last block where it is the page's end.
  mutating func append(_ page: EPUBPage, _ range: Range<Int>, anchors: ArraySlice<(name: String, index: Int)>) {
    let shift = parsed.blocks.count - range.lowerBound
    var renamed: [Int: String] = [:]
    for index in range {
      var block = page.blocks[index]
      if case .heading(let level, let words, let anchor) = block {
        // Two pages may have the same anchors.
        let name = Anchor.unique(anchor, among: &names)
        block = .heading(level: level, text: words, anchor: name)
        renamed[index] = name
      }
      parsed.blocks.append(LocatedBlock(block: block, line: nil))
    }
    for anchor in anchors {
      let name = page.path + "#" + anchor.name
      parsed.anchors[name] = anchor.index + shift
      headings[name] = renamed[anchor.index]
    }
    parsed.footnotes.append(page.footnotes)
  }

  /// Takes off the headings that it begins with and that say nothing but its title.
  ///
  /// - Parameters:
  ///   - title: The entry's title.
  ///   - mayBeEmpty: Whether a text that is nothing else goes too, for there is more below the entry.
  mutating func takeTitle(_ title: String, mayBeEmpty: Bool) {
    let said = title.spokenWords
    var count = 0
    for located in parsed.blocks {
      guard case .heading(_, let words, _) = located.block, words.plainText.spokenWords.isSaid(by: said) else { break }
      count += 1
    }
    guard count > 0, count < parsed.blocks.count || mayBeEmpty else { return }
    titleAnchors = parsed.anchors.filter { $0.value < count }.map(\.key).sorted()
    for anchor in titleAnchors { headings[anchor] = nil }
    parsed.blocks.removeFirst(count)
    parsed.anchors = parsed.anchors.mapValues { max(0, $0 - count) }
  }
}

extension String {
  /// Its words in lower case, without marks.
  fileprivate var spokenWords: [String] {
    lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}

extension [String] {
  /// Whether a title says all of it: its words follow one another there, or it says the title behind a number.
  fileprivate func isSaid(by title: [String]) -> Bool {
    if isEmpty { return true }
    if count <= title.count {
      return (0...title.count - count).contains { Array(title[$0..<$0 + count]) == self }
    }
    let front = dropLast(title.count)
    return !title.isEmpty && Array(suffix(title.count)) == title && front.allSatisfy { $0.contains(where: \.isNumber) }
  }
}
