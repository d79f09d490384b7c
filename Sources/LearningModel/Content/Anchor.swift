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

  /// The anchors of one text, in which two headings may be alike: `why`, `why-1`, `why-2`.
  public static var names: UniqueNames { UniqueNames(numberedFrom: 1) }

  /// Returns the anchor, or the first of `anchor-1`, `anchor-2`, … that is not taken, and takes it. An empty one becomes
  /// `section`.
  public static func unique(_ anchor: String, among names: inout UniqueNames) -> String {
    names.take(anchor.isEmpty ? "section" : anchor)
  }
}
