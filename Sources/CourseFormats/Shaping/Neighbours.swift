/// Puts the entries of a flat source into goals of 8 to 12 neighbours, and names those.
enum Neighbours {
  /// Up to so many entries need no goals of their own.
  static let most = 12

  /// The ranges of entries that share a goal.
  ///
  /// What stands before the first entry with a number, and behind the last one, is front and back matter and stands
  /// apart. Where no entry has a number, `isMatter` says which are; those in the middle stay where they are.
  static func groups(of titles: [String], isMatter: (Int) -> Bool = { _ in false }) -> [Range<Int>] {
    guard titles.count > most else { return titles.isEmpty ? [] : [titles.indices] }
    let numbered = titles.indices.filter { number(of: titles[$0]) != nil }
    let body: Range<Int>
    // A few years or versions among titles are no numbering.
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

  /// Equal parts of at most twelve.
  private static func even(_ range: Range<Int>) -> [Range<Int>] {
    let count = (range.count + most - 1) / most
    return (0..<count).map { index in
      range.lowerBound + range.count * index / count..<range.lowerBound + range.count * (index + 1) / count
    }
  }

  /// What a goal of such neighbours is called: `1 – 10` by their numbers, else by its first and last title.
  static func name(of titles: some BidirectionalCollection<String>) -> String {
    guard let first = titles.first, let last = titles.last else { return "" }
    if titles.count == 1 { return first }
    if let one = number(of: first), let other = number(of: last) { return "\(one) – \(other)" }
    return "\(shortened(first)) – \(shortened(last))"
  }

  /// The number that a title begins with, also behind one word: `3`, `IV`, `Chapter 3`; `nil` where there is none.
  static func number(of title: String) -> String? {
    let words = title.split(whereSeparator: { $0 == " " || $0 == "\t" }).prefix(2)
    for (index, word) in words.enumerated() {
      let bare = word.prefix { $0.isLetter || $0.isNumber || $0 == "." }
      let stem = bare.last == "." ? bare.dropLast() : bare
      let isNumber = stem.first.map { ("0"..."9").contains($0) } == true && stem.allSatisfy { $0.isNumber || $0 == "." }
      // A lone "I" or "C" begins many a title that is not numbered; behind "Chapter" it is a number.
      let isRoman =
        !stem.isEmpty && stem.allSatisfy { "IVXLC".contains($0) } && (index == 1 || title == stem || bare != stem)
      if isNumber || isRoman { return index == 0 ? String(stem) : "\(words[0]) \(stem)" }
      if word.contains(where: { !$0.isLetter }) { return nil }
    }
    return nil
  }

  /// The title up to the word that ends within 30 characters.
  private static func shortened(_ title: String) -> String {
    guard title.count > 30 else { return title }
    let head = title.prefix(29)
    let words = head.lastIndex(of: " ").map { head[..<$0] } ?? head
    return words + "…"
  }
}

/// Titles that tell siblings apart.
enum TellingTitles {
  /// The titles of siblings, with the name in place of a title that most of them have.
  ///
  /// - Parameters:
  ///   - titles: What they would be called.
  ///   - names: What their files or folders are called, as titles.
  static func titles(_ titles: [String], names: [String]) -> [String] {
    var counts: [String: Int] = [:]
    for title in titles { counts[title.lowercased(), default: 0] += 1 }
    guard let common = counts.first(where: { $0.value > 1 && $0.value * 2 > titles.count })?.key else { return titles }
    return zip(titles, names).map { title, name in title.lowercased() == common ? name : title }
  }
}
