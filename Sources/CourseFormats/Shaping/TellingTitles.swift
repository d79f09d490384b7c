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
