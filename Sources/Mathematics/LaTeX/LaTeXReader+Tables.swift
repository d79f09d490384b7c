extension LaTeXReader {
  /// Reads rows of cells up to what ends them, which is not passed.
  mutating func rows(until end: End) throws -> [[Formula]] {
    try nested { reader in
      var rows: [[Formula]] = [[]]
      while true {
        rows[rows.count - 1].append(try .joined(reader.row(until: end)))
        if reader.next == nil || reader.next == "}" { break }
        if reader.pass("&") { continue }
        let command = reader.command
        if command == "end" { break }
        reader.position += command.count + 1
        reader.passRowOptions()
        rows.append([])
      }
      while rows.count > 1, rows[rows.count - 1].allSatisfy(\.isEmpty) { rows.removeLast() }
      return rows
    }
  }

  /// Passes what may stand behind the end of a row: a star, and a distance.
  private mutating func passRowOptions() {
    if next == "*" { position += 1 }
    guard next == "[", let end = characters[position...].firstIndex(of: "]") else { return }
    let distance = characters[position + 1..<end]
    if distance.last?.isLetter == true, distance.allSatisfy({ $0.isLetter || $0.isNumber || "-. ".contains($0) }) {
      position = end + 1
    }
  }

  /// Reads from behind `\begin` to the end of the environment; one that is not known is kept as it is written.
  mutating func environment() throws -> Formula {
    let start = position - "\\begin".count
    let name = try rawArgument()
    let plain = name.last == "*" ? String(name.dropLast()) : name
    if let brackets = LaTeXNames.matrices[plain] {
      if name != plain { passBrackets() }
      return try fenced(brackets.open, .matrix, brackets.close, name)
    }
    switch plain {
    case "cases", "dcases": return try fenced("{", .cases, "", name)
    case "rcases": return try fenced("", .cases, "}", name)
    case "array", "subarray":
      passBrackets()
      let columns = try rawArgument().filter("lcr".contains)
      return try fenced("", columns.allSatisfy { $0 == "c" } ? .matrix : .array(columns), "", name)
    case _ where LaTeXNames.alignments.contains(plain):
      if plain.hasPrefix("alignat") || plain == "alignedat" { _ = try rawArgument() }
      passBrackets()
      return try fenced("", .aligned, "", name)
    case _ where LaTeXNames.gatherings.contains(plain):
      passBrackets()
      let table = try fenced("", .gathered, "", name)
      if case .table(let table) = table, table.rows.count == 1, table.rows[0].count == 1 { return table.rows[0][0] }
      return table
    default: return try unknownEnvironment(from: start)
    }
  }

  private mutating func fenced(
    _ open: String, _ layout: Formula.Table.Layout, _ close: String, _ name: String
  ) throws -> Formula {
    let rows = try rows(until: .cell)
    guard command == "end", next != nil else { throw Unbalanced() }
    position += "\\end".count
    guard try rawArgument() == name else { throw Unbalanced() }
    let table = Formula.table(.init(layout, rows))
    return open.isEmpty && close.isEmpty ? table : .fenced(open: open, table, close: close)
  }

  /// Passes how an environment stands in its line, as in `\begin{aligned}[t]`.
  private mutating func passBrackets() {
    guard position + 2 < characters.count, next == "[", characters[position + 2] == "]" else { return }
    if "tbclr".contains(characters[position + 1]) { position += 3 }
  }

  private mutating func unknownEnvironment(from start: Int) throws -> Formula {
    var level = 1
    while next != nil {
      if next == "\\" {
        let name = command
        position += name.count + 1
        if name == "begin" { level += 1 }
        if name == "end" { level -= 1 }
        if level == 0 {
          _ = try rawArgument()
          return .source(String(characters[start..<position]))
        }
      } else {
        position += 1
      }
    }
    throw Unbalanced()
  }
}
