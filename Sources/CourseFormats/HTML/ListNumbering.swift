/// The numbers of the items of a numbered list.
///
/// Source: WHATWG HTML, 4.4.5 (`start`, `reversed`, `type`) and 4.4.8 (`value`); CSS Lists 3, `list-style-type`.
struct ListNumbering {
  /// The number of the first item if it has no number of its own, at least 0.
  let start: Int
  private let style: Style
  private let step: Int
  private var next: Int
  private var count = 0

  private enum Style: Equatable {
    case decimal
    case letters(isUppercase: Bool)
    case roman(isUppercase: Bool)
  }

  /// The maximum absolute value of a number. It prevents overflows.
  private static let maximum = 999_999_999

  init(_ list: HTMLNode) {
    let isReversed = list.attribute("reversed") != nil
    let count = isReversed ? list.children.count { $0.name == "li" } : 0
    let written = list.attribute("start").flatMap { Int($0) } ?? (isReversed ? count : 1)
    next = min(max(written, -Self.maximum), Self.maximum)
    start = max(next, 0)
    step = isReversed ? -1 : 1
    style = Self.style(of: list) ?? .decimal
  }

  /// Returns the number of the next item if it does not follow from its position, otherwise `nil`.
  mutating func number(of item: HTMLNode) -> String? {
    if let value = item.attribute("value").flatMap({ Int($0) }) {
      next = min(max(value, -Self.maximum), Self.maximum)
    }
    let number = Self.text(of: next, in: Self.style(of: item) ?? style)
    let expected = String(start + count)
    next += step
    count += 1
    return number == expected ? nil : number
  }

  private static func style(of node: HTMLNode) -> Style? {
    switch node.attribute("type") {
    case "a": return .letters(isUppercase: false)
    case "A": return .letters(isUppercase: true)
    case "i": return .roman(isUppercase: false)
    case "I": return .roman(isUppercase: true)
    case "1": return .decimal
    default: break
    }
    guard let css = node.attribute("style")?.lowercased(), css.contains("list-style") else { return nil }
    for (name, style) in styles where css.contains(name) { return style }
    return nil
  }

  private static let styles: [(String, Style)] = [
    ("lower-alpha", .letters(isUppercase: false)), ("lower-latin", .letters(isUppercase: false)),
    ("upper-alpha", .letters(isUppercase: true)), ("upper-latin", .letters(isUppercase: true)),
    ("lower-roman", .roman(isUppercase: false)), ("upper-roman", .roman(isUppercase: true)),
  ]

  private static func text(of number: Int, in style: Style) -> String {
    switch style {
    case .letters(let isUppercase) where number > 0: letters(number, isUppercase: isUppercase)
    case .roman(let isUppercase) where (1..<4_000).contains(number): roman(number, isUppercase: isUppercase)
    default: String(number)
    }
  }

  /// Returns a number in letters: `a` to `z`, then `aa`, `ab` and so on.
  private static func letters(_ number: Int, isUppercase: Bool) -> String {
    var (rest, letters) = (number, "")
    while rest > 0 {
      rest -= 1
      letters = String(UnicodeScalar(UInt8(ascii: isUppercase ? "A" : "a") + UInt8(rest % 26))) + letters
      rest /= 26
    }
    return letters
  }

  private static func roman(_ number: Int, isUppercase: Bool) -> String {
    let values = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1]
    let digits = ["m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"]
    var (rest, letters) = (number, "")
    for (value, digit) in zip(values, digits) {
      while rest >= value {
        letters += digit
        rest -= value
      }
    }
    return isUppercase ? letters.uppercased() : letters
  }
}
