/// Brackets, and what stands in rows and columns.
extension LineWriter {
  func fenced(_ open: String, _ inner: Formula, _ close: String) -> String {
    let content = if case .table(let table) = inner { rows(of: table) } else { line(inner) }
    let isTable = if case .table = inner { true } else { false }
    switch (open, close) {
    // Their signs in ASCII would read as an index.
    case ("⌊", "⌋") where isASCII: return "floor(" + content + ")"
    case ("⌈", "⌉") where isASCII: return "ceil(" + content + ")"
    case ("", let close) where !isTable && !close.isEmpty:
      return (isAtom(inner) ? content : "(" + content + ")") + spell(close)
    case (let open, "") where !open.isEmpty:
      guard let partner = Brackets.closing[open] else { return spell(open) + "(" + content + ")" }
      return spell(open) + content + spell(partner)
    case ("", let close):
      let partner = Brackets.closing.first { $0.value == close }?.key
      return partner.map { spell($0) + content + spell(close) } ?? "(" + content + ")" + spell(close)
    default:
      return spell(open) + content + spell(close)
    }
  }

  /// The cells of a row with commas between them, the rows with semicolons.
  func rows(of table: Formula.Table) -> String {
    table.rows.map { cells in
      switch table.layout {
      case .aligned, .gathered: return line(.joined(cells.flatMap(\.parts).withoutFinalComma))
      case .matrix, .array, .cases:
        return cells.map { cell in
          let parts = cell.parts.withoutFinalComma
          let line = row(parts)
          return Formula.roles(of: parts).contains(.punctuation) ? "(" + line + ")" : line
        }.joined(separator: ", ")
      }
    }.joined(separator: "; ")
  }
}

extension [Formula] {
  /// Without the comma at the end, where another comes anyway.
  fileprivate var withoutFinalComma: [Formula] {
    var parts = self
    while case .space? = parts.last { parts.removeLast() }
    if parts.last == .symbol(",") || parts.last == .symbol(";") { parts.removeLast() }
    return parts
  }
}
