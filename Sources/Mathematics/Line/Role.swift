/// The role of a formula in a row, which determines spaces and parentheses.
enum Role: Equatable {
  case operand, fence, number, name, big, relation, punctuation, opening, closing, postfix, slash, dots, source
  /// An operator. A binary operator has values on both sides; a unary operator only after it.
  case sum, product, unary
  /// A bar that is neither an opening nor a closing bracket.
  case bar
  case text(startsApart: Bool, endsApart: Bool)
  case narrowSpace, wideSpace

  /// Whether a value ends here, so that a following operator is binary.
  var endsValue: Bool {
    switch self {
    case .operand, .fence, .number, .name, .closing, .postfix, .dots, .source, .text: true
    default: false
    }
  }

  /// Whether a value may begin here.
  var startsValue: Bool {
    switch self {
    case .operand, .fence, .number, .name, .big, .opening, .dots, .source, .text, .unary, .sum, .product: true
    default: false
    }
  }

  /// Whether a space is needed next to the formula, so that it is not read together with an adjacent value.
  var bindsToValue: Bool { self != .narrowSpace && (startsValue || endsValue) && self != .sum && self != .unary }

  /// Whether a fraction after this role needs no parentheses.
  var allowsFractionAtRight: Bool {
    switch self {
    case .relation, .punctuation, .opening, .sum, .unary, .bar, .wideSpace, .text(_, endsApart: true): true
    default: false
    }
  }

  /// Whether a fraction before this role needs no parentheses.
  var allowsFractionAtLeft: Bool {
    switch self {
    case .relation, .punctuation, .closing, .sum, .bar, .wideSpace, .text(startsApart: true, _): true
    default: false
    }
  }
}

extension Formula {
  /// The role of the formula independent of its neighbours.
  var role: Role {
    switch self {
    case .identifier(let name): name.count > 1 ? .name : .operand
    case .number: .number
    case .symbol(let sign): Self.role(sign)
    case .text(let text):
      .text(startsApart: text.first?.isWhitespace == true, endsApart: text.last?.isWhitespace == true)
    case .scripts(let base, _, _), .limits(let base, _, _):
      switch base.role {
      case .number, .text, .narrowSpace, .wideSpace, .postfix, .dots, .source, .slash, .bar, .punctuation,
        .opening:
        .operand
      case .closing: .closing
      case let role: role
      }
    case .styled(_, let letter): letter.role
    case .fenced(let open, _, _): "([{".contains(open) ? .fence : .operand
    case .space(let space): space == .quad || space == .doubleQuad ? .wideSpace : .narrowSpace
    case .source: .source
    case .fraction, .root, .accent, .table, .row: .operand
    }
  }

  private static let dots: Set<String> = ["…", "⋯", "⋮", "⋱"]
  private static let additiveOperators: Set<String> = ["+", "−", "±", "∓"]

  private static func role(_ sign: String) -> Role {
    if sign == "/" { return .slash }
    if sign == "|" || sign == "‖" { return .bar }
    if dots.contains(sign) { return .dots }
    return switch Symbols.kind(sign) {
    case .letter, .ordinary: .operand
    case .binary: additiveOperators.contains(sign) ? .sum : .product
    case .relation: .relation
    case .punctuation: .punctuation
    case .opening: .opening
    case .closing: .closing
    case .postfix: .postfix
    case .largeOperator, .integral: .big
    }
  }

  /// Returns the roles of the formulas in a row. Operators without a value on both sides become unary, and bars
  /// become opening or closing brackets.
  ///
  /// Source: Knuth, "The TeXbook", appendix G, rules 5 and 6 (binary operators that become ordinary).
  static func roles(of elements: [Formula]) -> [Role] {
    var roles = elements.map(\.role)
    let bars = roles.count { $0 == .bar }
    var openBars = 0
    var last: Role?
    for index in roles.indices where roles[index] != .narrowSpace {
      let following = roles[(index + 1)...].first { $0 != .narrowSpace }
      switch roles[index] {
      case .sum, .product:
        let hasRight = following.map { $0.startsValue || $0 == .bar } ?? false
        if !(last?.endsValue == true && hasRight) { roles[index] = .unary }
      case .bar:
        if last?.endsValue == true, openBars > 0 {
          roles[index] = .closing
          openBars -= 1
        } else if last?.endsValue != true && following != nil || bars % 2 == 0 {
          roles[index] = .opening
          openBars += 1
        }
      default: break
      }
      last = roles[index]
    }
    return roles
  }
}
