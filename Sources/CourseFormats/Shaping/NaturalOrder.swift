/// The natural order of names: `2` precedes `10`, and letters are compared without case.
enum NaturalOrder {
  /// Returns whether a name precedes another one. The order is a strict total order.
  static func precedes(_ left: String, _ right: String) -> Bool {
    let (first, second) = (components(of: left), components(of: right))
    for (one, other) in zip(first, second) where one != other { return one < other }
    return first.count == second.count ? left < right : first.count < second.count
  }

  /// Compares paths component by component.
  static func pathPrecedes(_ left: String, _ right: String) -> Bool {
    let (first, second) = (left.split(separator: "/"), right.split(separator: "/"))
    for (one, other) in zip(first, second) where one != other { return precedes(String(one), String(other)) }
    return first.count < second.count
  }

  private enum Component: Comparable {
    /// A number of any length: the number of digits without leading zeros, and these digits.
    case number(length: Int, digits: String)
    case letters(String)
  }

  private static func components(of name: String) -> [Component] {
    var pieces: [Component] = []
    var rest = name.lowercased()[...]
    while let first = rest.first {
      let isNumber = isDigit(first)
      let run = rest.prefix { isDigit($0) == isNumber }
      rest = rest[run.endIndex...]
      if isNumber {
        let digits = run.drop { $0 == "0" }
        pieces.append(.number(length: digits.count, digits: String(digits)))
      } else {
        pieces.append(.letters(String(run)))
      }
    }
    return pieces
  }

  private static func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character)
  }
}
