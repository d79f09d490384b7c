import GRDB

/// The words that the search index knows.
struct Vocabulary {
  let database: Database

  /// Whether the index has the word, or one that begins with it.
  func knows(_ word: String, orBeginning: Bool) throws -> Bool {
    let end = orBeginning ? word + "\u{10FFFF}" : word
    return try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT 1 FROM searchWord WHERE term >= ? AND term <= ? AND col <> 'scope' LIMIT 1"),
      arguments: [word, end]) != nil
  }

  /// The word of the index that is meant by one that it does not have: the nearest one, of equally near ones one that
  /// stands in a title, then the most frequent.
  func correction(of word: String) throws -> String? {
    let letters = Array(word.unicodeScalars)
    let tolerance = EditDistance.tolerance(of: letters)
    guard tolerance > 0 else { return nil }
    // Most slips come after the first letter; the others are looked for one possible first letter at a time.
    let beginning = String(Character(letters[0]))
    if let found = try best(for: letters, tolerance, in: [beginning]) { return found }
    return try best(for: letters, tolerance, in: otherBeginnings(of: letters))
  }

  private struct Candidate {
    let word: String
    let distance: Int
    var isInTitle: Bool
    var count: Int

    func isBetter(than other: Candidate) -> Bool {
      if distance != other.distance { return distance < other.distance }
      if isInTitle != other.isInTitle { return isInTitle }
      if count != other.count { return count > other.count }
      return word < other.word
    }
  }

  private func best(for letters: [Unicode.Scalar], _ tolerance: Int, in beginnings: [String]) throws -> String? {
    let statement = try database.cachedStatement(
      sql: "SELECT term, col, doc FROM searchWord WHERE term >= ? AND term < ?")
    var candidates: [String: Candidate] = [:]
    for beginning in beginnings {
      let rows = try Row.fetchCursor(statement, arguments: [beginning, beginning + "\u{10FFFF}"])
      while let row = try rows.next() {
        let column: String = row[1]
        guard column != "scope" else { continue }
        let term: String = row[0]
        let count: Int = row[2]
        if candidates[term] != nil {
          candidates[term]?.count += count
          if column == "title" { candidates[term]?.isInTitle = true }
        } else if let distance = EditDistance.between(letters, Array(term.unicodeScalars), limit: tolerance) {
          candidates[term] = Candidate(word: term, distance: distance, isInTitle: column == "title", count: count)
        }
      }
    }
    return candidates.values.min { $0.isBetter(than: $1) }?.word
  }

  /// How the words begin that have another first letter than a slip of them: the first letter left out, swapped with
  /// the second, replaced, or put in.
  private func otherBeginnings(of letters: [Unicode.Scalar]) throws -> [String] {
    func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return String(text)
    }
    let second = letters.dropFirst().prefix(2)
    var beginnings: Set = [text(second), text([letters[1], letters[0]])]
    for first in try firstLetters() where first != letters[0] {
      beginnings.insert(text([first] + second))
      beginnings.insert(text([first] + letters.prefix(2)))
    }
    // A beginning inside another one would be read twice.
    return beginnings.filter { beginning in
      !beginnings.contains { $0 != beginning && beginning.hasPrefix($0) }
    }.sorted()
  }

  /// The letters that words of the index begin with.
  private func firstLetters() throws -> [Unicode.Scalar] {
    let statement = try database.cachedStatement(sql: "SELECT term FROM searchWord WHERE term >= ? LIMIT 1")
    var letters: [Unicode.Scalar] = []
    var next = ""
    // An index of all the world's scripts would have thousands; the first few hundred are enough for a guess.
    while letters.count < 200, let term = try String.fetchOne(statement, arguments: [next]),
      let first = term.unicodeScalars.first, let following = Unicode.Scalar(first.value + 1)
    {
      letters.append(first)
      next = String(Character(following))
    }
    return letters
  }
}
