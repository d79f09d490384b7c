/// A name of a file or folder that may begin with a number, such as `02-opening-offers` or `02-opening-offers.md`.
struct NumberedName: Comparable {
  /// The number at the beginning, or `Int.max` if the name has no number, so that names without a number are sorted
  /// last.
  let number: Int
  /// The name without number and extension. If the name consists only of a number, the number is kept.
  let text: String
  let name: String

  init(_ name: String, isFolder: Bool) {
    self.name = name
    let stem = isFolder ? name : SourcePath.stem(of: name)
    let digits = stem.prefix { $0.isASCII && $0.isWholeNumber }
    let rest = stem.dropFirst(digits.count)
    let words = rest.drop { "-_. ".contains($0) }
    // A number must be followed by a separator: "3d-drawing" does not begin with a number.
    let isNumbered = !digits.isEmpty && (rest.isEmpty || words.count < rest.count)
    number = isNumbered ? Int(digits) ?? Int.max : Int.max
    self.text = isNumbered && !words.isEmpty ? String(words) : stem
  }

  /// Compares the numbers first and then the names.
  static func < (left: NumberedName, right: NumberedName) -> Bool {
    (left.number, left.name) < (right.number, right.name)
  }

  /// A title derived from the name.
  var title: String {
    let words = text.split { "-_ ".contains($0) }.joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// Returns the default key of a path: the names in it without numbers and extensions.
  static func key(of path: String, isFolder: Bool) -> String {
    let parts = path.split(separator: "/")
    return parts.enumerated().map { index, part in
      NumberedName(String(part), isFolder: isFolder || index < parts.count - 1).text
    }.joined(separator: "/")
  }
}
