/// Makes slugs, the parts of a path, and tells siblings apart by them.
package enum Slug {
  /// The longest slug, in characters.
  package static let longest = 60

  /// Returns the slug of a title: its letters and digits in lower case, everything between them one hyphen.
  ///
  /// - Parameters:
  ///   - title: Any text.
  ///   - fallback: What is made into a slug where the title has no letter and no digit, such as the node's key.
  /// - Returns: At least one and at most ``longest`` characters.
  package static func make(from title: String, fallback: String) -> String {
    let slug = slugged(title)
    if !slug.isEmpty { return slug }
    let spare = slugged(fallback)
    return spare.isEmpty ? "untitled" : spare
  }

  /// The slugs of siblings, of which two may have one title: `opening`, `opening-2`, `opening-3`.
  ///
  /// - Parameter taken: Those that they cannot have.
  package static func names(taken: Set<String> = []) -> UniqueNames {
    UniqueNames(taken: taken, numberedFrom: 2)
  }

  private static func slugged(_ text: String) -> String {
    var slug = ""
    var length = 0
    var gap = false
    for character in text.lowercased() {
      // An apostrophe is inside a word: "don't" is "dont".
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
      guard length < longest else { break }
      slug.append(character)
      length += 1
    }
    while slug.last == "-" { slug.removeLast() }
    return slug
  }
}

/// Makes the anchors of headings, what a link names to reach one.
package enum Anchor {
  /// Returns the anchor of a heading's text: letters and digits in lower case, spaces as hyphens, `-` and `_` kept, and
  /// nothing else.
  ///
  /// The stored form of a text leaves an anchor out where it is what this function returns, so the rule never changes.
  ///
  /// - Returns: Possibly an empty text, where the heading has no letter and no digit.
  ///
  /// Source: what mdBook and GitHub do, so that links written for them lead on.
  package static func make(from text: String) -> String {
    var anchor = ""
    for scalar in text.lowercased().unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-" || scalar == "_" {
        anchor.unicodeScalars.append(scalar)
      } else if scalar.properties.isWhitespace {
        anchor.append("-")
      }
    }
    return anchor
  }

  /// The anchors of one text, in which two headings may be alike: `why`, `why-1`, `why-2`.
  package static var names: UniqueNames { UniqueNames(numberedFrom: 1) }

  /// Returns the anchor, or the first of `anchor-1`, `anchor-2`, … that is not taken, and takes it. An empty one becomes
  /// `section`.
  package static func unique(_ anchor: String, among names: inout UniqueNames) -> String {
    names.take(anchor.isEmpty ? "section" : anchor)
  }
}

/// Gives each name that is asked for once, and a number behind it from then on: the slugs of siblings, the anchors of a text.
///
/// It remembers the last number of each name, so that ten thousand equal headings are ten thousand questions and not fifty
/// million.
package struct UniqueNames: Sendable {
  /// Everything that cannot be given any more.
  package private(set) var taken: Set<String>
  private let firstNumber: Int
  private var nextNumbers: [String: Int] = [:]

  /// Takes note of names that are given already.
  ///
  /// - Parameters:
  ///   - taken: Those names.
  ///   - firstNumber: What stands behind a name that is asked for a second time.
  package init(taken: Set<String> = [], numberedFrom firstNumber: Int) {
    self.taken = taken
    self.firstNumber = firstNumber
  }

  /// Returns the name, or the first of `name-1`, `name-2`, … that is not taken, and takes it.
  package mutating func take(_ name: String) -> String {
    var result = name
    while !taken.insert(result).inserted {
      let number = nextNumbers[name] ?? firstNumber
      nextNumbers[name] = number + 1
      result = "\(name)-\(number)"
    }
    return result
  }
}
