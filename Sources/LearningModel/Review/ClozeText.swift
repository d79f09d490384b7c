/// Gaps in the front of a flashcard: `{{c1::Paris}} is the capital of {{c2::France::country}}`. Each number is a card of
/// its own. The text after the second `::` is a hint.
///
/// Source: Anki Manual, "Cloze Deletion".
enum ClozeText {
  private static let opening = "{{c"
  private static let closing = "}}"

  /// Returns the numbers of the gaps in a line, ascending.
  static func numbers(in line: [Inline]) -> [Int] {
    var numbers: Set<Int> = []
    var rest = Substring(line.plainText)
    while let start = rest.firstRange(of: opening) {
      rest = rest[start.upperBound...]
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let number = Int(digits), number > 0, rest.dropFirst(digits.count).hasPrefix("::"),
        rest.contains(closing)
      else { continue }
      numbers.insert(number)
    }
    return numbers.sorted()
  }

  /// Returns a line with the gaps of one number replaced by `[…]` or by `[hint]`. The texts of all other gaps are shown
  /// without markup.
  static func question(_ line: [Inline], gap number: Int) -> [Inline] {
    fill(line) { index, inner, hint in index == number ? [.strong([.text("[\(hint ?? "…")]")])] : inner }
  }

  /// Returns a line with the gaps of one number filled and emphasised.
  static func answer(_ line: [Inline], gap number: Int) -> [Inline] {
    fill(line) { index, inner, _ in index == number ? [.strong(inner)] : inner }
  }

  /// Returns a line with all gaps filled.
  static func plain(_ line: [Inline]) -> [Inline] { fill(line) { _, inner, _ in inner } }

  private struct Gap {
    let number: Int
    var inner: [Inline] = []
  }

  private static func fill(_ line: [Inline], with replace: (Int, [Inline], String?) -> [Inline]) -> [Inline] {
    var result: [Inline] = []
    var gap: Gap?
    func add(_ inline: Inline) {
      if case .text("") = inline { return }
      if gap == nil { result.append(inline) } else { gap?.inner.append(inline) }
    }
    for inline in line {
      switch inline {
      case .text(let text):
        var rest = Substring(text)
        while true {
          if let open = gap {
            guard let end = rest.firstRange(of: closing) else { break }
            add(.text(String(rest[..<end.lowerBound])))
            let (inner, hint) = splitHint(gap?.inner ?? [])
            gap = nil
            for filled in replace(open.number, inner, hint) { add(filled) }
            rest = rest[end.upperBound...]
          } else {
            guard let (start, number, end) = nextOpening(in: rest) else { break }
            add(.text(String(rest[..<start])))
            gap = Gap(number: number)
            rest = rest[end...]
          }
        }
        add(.text(String(rest)))
      default: add(inline.mapChildren { fill($0, with: replace) })
      }
    }
    // A gap without an end is plain text.
    if let open = gap { result += [.text("\(opening)\(open.number)::")] + open.inner }
    return result
  }

  private static func nextOpening(in text: Substring) -> (Substring.Index, Int, Substring.Index)? {
    var rest = text
    while let start = rest.firstRange(of: opening) {
      let after = rest[start.upperBound...]
      let digits = after.prefix { $0.isASCII && $0.isNumber }
      let behind = after.dropFirst(digits.count)
      if let number = Int(digits), number > 0, behind.hasPrefix("::") {
        return (start.lowerBound, number, behind.index(behind.startIndex, offsetBy: 2))
      }
      rest = after
    }
    return nil
  }

  private static func splitHint(_ inner: [Inline]) -> ([Inline], String?) {
    guard case .text(let last) = inner.last, let separator = last.ranges(of: "::").last else { return (inner, nil) }
    let text = String(last[..<separator.lowerBound])
    return (inner.dropLast() + (text.isEmpty ? [] : [.text(text)]), String(last[separator.upperBound...]))
  }
}
