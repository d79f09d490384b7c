extension Formula {
  /// Returns formulas side by side, in the one form that the readers make.
  ///
  /// Rows within are flat, three dots are one sign, and brackets that belong together become
  /// ``fenced(open:_:close:)``; a bracket without a partner, as in `[0, 1)`, stays a sign. One formula is itself.
  public static func joined(_ parts: [Formula]) -> Formula {
    let flat = parts.flatMap { part -> [Formula] in if case .row(let inner) = part { inner } else { [part] } }
    let paired = paired(withDots(flat))
    return paired.count == 1 ? paired[0] : .row(paired)
  }

  /// Brackets that stand within others in one row are paired this deep; those within are left as signs.
  private static let pairingDepth = 8

  private static func withDots(_ parts: [Formula]) -> [Formula] {
    var result: [Formula] = []
    var dots = 0
    for part in parts {
      result.append(part)
      dots = part == .symbol(".") ? dots + 1 : 0
      if dots == 3 {
        result.removeLast(3)
        result.append(.symbol("…"))
        dots = 0
      }
    }
    return result
  }

  private static func paired(_ parts: [Formula]) -> [Formula] {
    var levels: [(open: String, parts: [Formula])] = [("", [])]
    func leave() {
      let (open, inner) = levels.removeLast()
      levels[levels.count - 1].parts += [.symbol(open)] + inner
    }
    for part in parts {
      if case .symbol(let sign) = part, Brackets.closing[sign] != nil {
        if levels.count > pairingDepth { leave() }
        levels.append((sign, []))
      } else if let close = part.closingBracket {
        if Brackets.closing[levels[levels.count - 1].open] == close {
          let (open, inner) = levels.removeLast()
          let fenced = Formula.fenced(open: open, joined(inner), close: close)
          levels[levels.count - 1].parts.append(part.withBase(fenced))
        } else {
          if levels.count > 1 { leave() }
          levels[levels.count - 1].parts.append(part)
        }
      } else {
        levels[levels.count - 1].parts.append(part)
      }
    }
    while levels.count > 1 { leave() }
    return levels[0].parts
  }

  /// The closing bracket that this is, with an index or an exponent or without.
  private var closingBracket: String? {
    switch self {
    case .symbol(let sign): Brackets.closingSigns.contains(sign) ? sign : nil
    case .scripts(let base, _, _): if case .symbol = base { base.closingBracket } else { nil }
    default: nil
    }
  }

  private func withBase(_ base: Formula) -> Formula {
    if case .scripts(_, let sub, let sup) = self { .scripts(base, sub: sub, sup: sup) } else { base }
  }
}

/// The brackets that are pairs by their shape.
enum Brackets {
  static let closing = ["(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"]
  static let closingSigns = Set(closing.values)
}
