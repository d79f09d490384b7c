/// Makes the anchors of headings, what a link names to reach one.
public enum Anchor {
  /// Returns the anchor of a heading's text: letters and digits in lower case, spaces as hyphens, `-` and `_` kept, and
  /// nothing else.
  ///
  /// The stored form of a text leaves an anchor out where it is what this function returns, so the rule never changes.
  ///
  /// - Returns: Possibly an empty text, where the heading has no letter and no digit.
  ///
  /// Source: what mdBook and GitHub do, so that links written for them lead on.
  public static func make(from text: String) -> String {
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

  /// Returns the anchor, or the first of `anchor-1`, `anchor-2`, … that is not taken, and takes it.
  public static func unique(_ anchor: String, among taken: inout Set<String>) -> String {
    let wanted = anchor.isEmpty ? "section" : anchor
    var result = wanted
    var number = 1
    while !taken.insert(result).inserted {
      result = "\(wanted)-\(number)"
      number += 1
    }
    return result
  }
}
