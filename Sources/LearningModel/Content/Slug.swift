/// Creates slugs, which are the components of paths.
package enum Slug {
  /// The maximum length of a slug in characters.
  package static let maximumLength = 60

  /// Returns the slug of a title: its letters and digits in lower case, with a hyphen in place of everything between
  /// them.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - fallback: The text to use if the title contains no letters and digits, such as the node's key.
  /// - Returns: A text of 1 to ``maximumLength`` characters.
  package static func make(from title: String, fallback: String) -> String {
    let slug = slugged(title)
    if !slug.isEmpty { return slug }
    let spare = slugged(fallback)
    return spare.isEmpty ? "untitled" : spare
  }

  /// Returns a generator of unique slugs for siblings with equal titles: `opening`, `opening-2`, `opening-3`.
  ///
  /// - Parameter taken: The slugs that must not be returned.
  package static func names(taken: Set<String> = []) -> UniqueNames {
    UniqueNames(usedNames: taken, numberedFrom: 2)
  }

  private static func slugged(_ text: String) -> String {
    var slug = ""
    var length = 0
    var gap = false
    for character in text.lowercased() {
      // An apostrophe is part of a word: “don't” becomes “dont”.
      if character == "'" || character == "’" { continue }
      guard character.isLetter || character.isNumber else {
        gap = true
        continue
      }
      if gap, length > 0 {
        slug.append("-")
        length += 1
      }
      gap = false
      guard length < maximumLength else { break }
      slug.append(character)
      length += 1
    }
    while slug.last == "-" { slug.removeLast() }
    return slug
  }
}

/// Creates the anchors of headings, which are the destinations of links.
package enum Anchor {
  /// Returns the anchor of a heading: its letters and digits in lower case, `-` and `_`, with spaces replaced by
  /// hyphens. All other characters are removed.
  ///
  /// The stored form of a text omits anchors that equal the result of this function, so the rule must never change.
  ///
  /// - Returns: The anchor, which is empty if the heading contains none of these characters.
  ///
  /// Source: the rules of mdBook and GitHub, so that links that were written for them work.
  package static func make(from text: String) -> String {
    var anchor = ""
    for scalar in text.lowercased().unicodeScalars {
      if scalar.isASCII {
        // The properties of a scalar take longer to look up than all other work here.
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": anchor.unicodeScalars.append(scalar)
        case " ", "\t", "\n", "\r", "\u{B}", "\u{C}": anchor.append("-")
        default: break
        }
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-" || scalar == "_"
      {
        anchor.unicodeScalars.append(scalar)
      } else if scalar.properties.isWhitespace {
        anchor.append("-")
      }
    }
    return anchor
  }

  /// A generator of unique anchors for headings with equal texts: `why`, `why-1`, `why-2`.
  package static var names: UniqueNames { UniqueNames(numberedFrom: 1) }

  /// Returns the anchor, or the first of `anchor-1`, `anchor-2`, … that was not returned before. An empty anchor
  /// becomes `section`.
  package static func unique(_ anchor: String, among names: inout UniqueNames) -> String {
    names.makeUnique(anchor.isEmpty ? "section" : anchor)
  }
}

/// Makes names unique by appending numbers, for example the slugs of siblings and the anchors of a text.
///
/// The last number of each name is stored, so that `n` equal names take a time proportional to `n`, not to its square.
package struct UniqueNames: Sendable {
  /// The names that cannot be returned any more.
  package private(set) var usedNames: Set<String>
  private let firstNumber: Int
  private var nextNumbers: [String: Int] = [:]

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - usedNames: The names that must not be returned.
  ///   - firstNumber: The number that is appended when a name is requested for the second time.
  package init(usedNames: Set<String> = [], numberedFrom firstNumber: Int) {
    self.usedNames = usedNames
    self.firstNumber = firstNumber
  }

  /// Returns the name, or the name with the first number for which it was not returned before.
  package mutating func makeUnique(_ name: String) -> String {
    var result = name
    while !usedNames.insert(result).inserted {
      let number = nextNumbers[name] ?? firstNumber
      nextNumbers[name] = number + 1
      result = "\(name)-\(number)"
    }
    return result
  }
}
