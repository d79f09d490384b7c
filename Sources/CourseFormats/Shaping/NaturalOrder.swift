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

  /// Returns paths in the order of ``pathPrecedes(_:_:)``. Each path is split only once.
  static func sorted(_ paths: [String]) -> [String] {
    let parts = paths.map { path in
      (path: path, names: path.split(separator: "/").map { (name: String($0), components: components(of: String($0))) })
    }
    return parts.sorted { left, right in
      for (one, other) in zip(left.names, right.names) where one.name != other.name {
        for (first, second) in zip(one.components, other.components) where first != second { return first < second }
        return one.components.count == other.components.count
          ? one.name < other.name : one.components.count < other.components.count
      }
      return left.names.count < right.names.count
    }.map(\.path)
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
