/// Groups the entries of a flat source into goals of at most 12 adjacent entries, and names these goals.
enum GoalGrouping {
  /// The maximum number of entries in a goal other than front and back matter. A source with at most this number of
  /// entries has only one goal.
  static let maximumEntries = 12

  /// Returns the ranges of entries that share a goal.
  ///
  /// Entries before the first numbered entry are front matter, and entries after the last numbered entry are back
  /// matter; front and back matter have separate goals. If most titles have no number, `isMatter` determines which
  /// entries at the beginning and at the end are front or back matter.
  static func groups(of titles: [String], isMatter: (Int) -> Bool = { _ in false }) -> [Range<Int>] {
    guard titles.count > maximumEntries else { return titles.isEmpty ? [] : [titles.indices] }
    let numbered = titles.indices.filter { number(of: titles[$0]) != nil }
    let body: Range<Int>
    // Titles are treated as numbered only if most of them have a number. A few years or versions in titles are not a
    // numbering.
    if let first = numbered.first, let last = numbered.last, numbered.count * 2 > titles.count {
      body = first..<last + 1
    } else {
      let first = titles.indices.first { !isMatter($0) } ?? 0
      let last = titles.indices.last { !isMatter($0) } ?? titles.count - 1
      body = first..<last + 1
    }
    let groups = [0..<body.lowerBound] + even(body) + [body.upperBound..<titles.count]
    return groups.filter { !$0.isEmpty }
  }

  /// Splits a range into parts of nearly equal size, each with at most ``maximumEntries`` entries.
  private static func even(_ range: Range<Int>) -> [Range<Int>] {
    let count = (range.count + maximumEntries - 1) / maximumEntries
    return (0..<count).map { index in
      range.lowerBound + range.count * index / count..<range.lowerBound + range.count * (index + 1) / count
    }
  }

  /// Returns the name of a goal for adjacent entries: their numbers, such as `1 – 10`, otherwise the first and the last
  /// title.
  static func name(of titles: some BidirectionalCollection<String>) -> String {
    guard let first = titles.first, let last = titles.last else { return "" }
    if titles.count == 1 { return first }
    if let one = number(of: first), let other = number(of: last) { return "\(one) – \(other)" }
    return "\(shortened(first)) – \(shortened(last))"
  }

  /// Returns the number at the beginning of a title, possibly after one word: `3`, `IV`, `Chapter 3`. Returns `nil` if
  /// there is no number.
  static func number(of title: String) -> String? {
    let words = title.split(whereSeparator: { $0 == " " || $0 == "\t" }).prefix(2)
    for (index, word) in words.enumerated() {
      let bare = word.prefix { $0.isLetter || $0.isNumber || $0 == "." }
      let stem = bare.last == "." ? bare.dropLast() : bare
      let isNumber = stem.first.map { ("0"..."9").contains($0) } == true && stem.allSatisfy { $0.isNumber || $0 == "." }
      // A single "I" or "C" at the beginning is often a word. It is treated as a number only after a word such as
      // "Chapter".
      let isRoman =
        !stem.isEmpty && stem.allSatisfy { "IVXLC".contains($0) } && (index == 1 || title == stem || bare != stem)
      if isNumber || isRoman { return index == 0 ? String(stem) : "\(words[0]) \(stem)" }
      if word.contains(where: { !$0.isLetter }) { return nil }
    }
    return nil
  }

  /// Returns the title, cut after a complete word if it is longer than 30 characters.
  private static func shortened(_ title: String) -> String {
    guard title.count > 30 else { return title }
    let head = title.prefix(29)
    let words = head.lastIndex(of: " ").map { head[..<$0] } ?? head
    return words + "…"
  }
}

/// Makes the titles of siblings distinguishable.
enum DistinctTitles {
  /// Returns the titles of siblings. A title that most siblings share is replaced by the sibling's name.
  ///
  /// - Parameters:
  ///   - titles: The original titles.
  ///   - names: The names of the siblings' files or folders, formatted as titles.
  static func titles(_ titles: [String], names: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for title in titles { counts[title.lowercased(), default: 0] += 1 }
    guard let common = counts.first(where: { $0.value > 1 && $0.value * 2 > titles.count })?.key else { return titles }
    return zip(titles, names).map { title, name in title.lowercased() == common ? name : title }
  }
}
