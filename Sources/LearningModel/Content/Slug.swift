/// Makes slugs, the parts of a path, and tells siblings apart by them.
public enum Slug {
  /// The longest slug, in characters.
  public static let longest = 60

  /// Returns the slug of a title: its letters and digits in lower case, everything between them one hyphen.
  ///
  /// - Parameters:
  ///   - title: Any text.
  ///   - fallback: What is made into a slug where the title has no letter and no digit, such as the node's key.
  /// - Returns: At least one and at most ``longest`` characters.
  public static func make(from title: String, fallback: String) -> String {
    let slug = slugged(title)
    if !slug.isEmpty { return slug }
    let spare = slugged(fallback)
    return spare.isEmpty ? "untitled" : spare
  }

  /// The slugs of siblings, of which two may have one title: `opening`, `opening-2`, `opening-3`.
  ///
  /// - Parameter taken: Those that they cannot have.
  public static func names(taken: Set<String> = []) -> UniqueNames {
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
