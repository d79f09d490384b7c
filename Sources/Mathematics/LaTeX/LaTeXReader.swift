extension Formula {
  /// Parses LaTeX without the delimiters around the formula.
  ///
  /// Parsing never fails. An unknown command becomes ``source(_:)``. The whole text becomes ``source(_:)`` if its
  /// braces, its environments or its `\left` and `\right` are unbalanced, if it is nested more than 24 levels deep,
  /// or if it is longer than ``maximumSourceLength``.
  ///
  /// Source: Knuth, "The TeXbook", chapters 16 to 18; American Mathematical Society, "User's Guide for the amsmath
  /// Package".
  public init(latex: String) {
    guard latex.utf8.count <= Self.maximumSourceLength else {
      self = .source(latex.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      return
    }
    var reader = LaTeXReader(latex)
    do {
      self = try reader.document()
    } catch {
      let text = latex.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      self = .source(text)
    }
  }

  /// The maximum length in bytes of a formula that is parsed. A longer formula would not fit on a page, and the time
  /// for some kinds of output is more than linear in the length.
  public static let maximumSourceLength = 8_192
}

/// A recursive descent parser for LaTeX.
struct LaTeXReader {
  /// The token that ends a sequence of formulas.
  enum End {
    case brace, bracket, right
    /// The end of a cell. The end of a row, of an environment or of the text also ends a cell.
    case cell
    /// The end of a cell in braces. The end of a row or of the group also ends a cell.
    case cellInBraces

    var isCell: Bool { self == .cell || self == .cellInBraces }
  }

  /// The error for a text that cannot be parsed as a formula.
  struct Unbalanced: Error {}

  static let maximumNesting = 24

  let characters: [Character]
  var position = 0
  var depth = 0

  init(_ text: String) {
    // A combining mark is separated from a special character such as a brace, so that the special character is
    // recognised.
    characters = text.flatMap { character -> [Character] in
      guard let first = character.unicodeScalars.first, character.unicodeScalars.count > 1 else { return [character] }
      guard Character(first).isWhitespace || "{}\\&^_$[]%~".unicodeScalars.contains(first), character != "\r\n" else {
        return [character]
      }
      return [Character(first), Character(String(String.UnicodeScalarView(character.unicodeScalars.dropFirst())))]
    }
  }

  var next: Character? { position < characters.count ? characters[position] : nil }

  mutating func skipSpaces() {
    while let character = next, character.isWhitespace || character.isControl { position += 1 }
  }

  /// Consumes an expected character, or throws.
  mutating func expect(_ character: Character) throws {
    guard next == character else { throw Unbalanced() }
    position += 1
  }

  /// Consumes a character if it is the next one, and returns whether it was.
  mutating func skip(_ character: Character) -> Bool {
    guard next == character else { return false }
    position += 1
    return true
  }

  /// Calls `read` one nesting level deeper, or throws at the maximum depth.
  mutating func nested<Value>(_ read: (inout LaTeXReader) throws -> Value) throws -> Value {
    guard depth < Self.maximumNesting else { throw Unbalanced() }
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  /// The name of the command at the current backslash; empty at the end of the text.
  var command: String {
    var end = position + 1
    guard end < characters.count else { return "" }
    guard characters[end].isCommandLetter else { return String(characters[end]) }
    while end < characters.count, characters[end].isCommandLetter { end += 1 }
    return String(characters[position + 1..<end])
  }

  /// Reads the whole text. If it contains rows and columns outside an environment, they become aligned equations.
  mutating func document() throws -> Formula {
    let rows = try rows(until: .cell)
    guard next == nil else { throw Unbalanced() }
    return rows.count == 1 && rows[0].count == 1 ? rows[0][0] : .table(.init(.aligned, rows))
  }

  /// Reads adjacent formulas up to the end token. The end token is not consumed.
  mutating func row(until end: End) throws -> [Formula] {
    var elements: [Formula] = []
    while true {
      skipSpaces()
      guard let character = next else {
        guard end == .cell else { throw Unbalanced() }
        return elements
      }
      switch character {
      case "}":
        guard end == .brace || end == .cellInBraces else { throw Unbalanced() }
        return elements
      case "]" where end == .bracket:
        return elements
      case "&":
        guard end.isCell else { throw Unbalanced() }
        return elements
      case "^", "_", "'", "’":
        try readScripts(onto: &elements)
      case "\\":
        let command = command
        switch command {
        case "\\", "cr", "newline", "end":
          guard end.isCell else { throw Unbalanced() }
          return elements
        case "right":
          guard end == .right else { throw Unbalanced() }
          return elements
        case "limits", "nolimits":
          try readScripts(onto: &elements)
        case "over", "atop", "choose":
          position += command.count + 1
          return try [infixFraction(command, Formula.joined(elements), until: end)]
        default:
          if let style = LaTeXNames.declarations[command] {
            position += command.count + 1
            let remaining = try nested { try Formula.joined($0.row(until: end)) }
            return elements + (style.map(remaining.styled) ?? remaining.upright).elements
          }
          try elements += nested { try $0.commandElements() }
        }
      default:
        try elements.append(simple())
      }
    }
  }

  private mutating func infixFraction(_ command: String, _ above: Formula, until end: End) throws -> Formula {
    let below = try nested { try Formula.joined($0.row(until: end)) }
    let fraction = Formula.fraction(above, over: below, hasBar: command == "over")
    return command == "choose" ? .fenced(open: "(", fraction, close: ")") : fraction
  }

  /// Reads subscripts, superscripts and primes, and attaches them to the last formula.
  private mutating func readScripts(onto elements: inout [Formula]) throws {
    var sub: Formula?
    var sup: Formula?
    var primes = 0
    var asLimits: Bool?
    while true {
      skipSpaces()
      if skip("'") || skip("’") {
        primes += 1
      } else if skip("_") {
        guard sub == nil else { throw Unbalanced() }
        sub = try argument()
      } else if skip("^") {
        guard sup == nil else { throw Unbalanced() }
        sup = try argument()
      } else if next == "\\", command == "limits" || command == "nolimits" {
        asLimits = command == "limits"
        position += command.count + 1
      } else {
        break
      }
    }
    if primes > 0 {
      sup = .joined(Array(repeating: .symbol("′"), count: primes) + (sup?.elements ?? []))
    }
    var base = elements.last ?? .empty
    if case .space = base { base = .empty } else if !elements.isEmpty { elements.removeLast() }
    elements.append(.scripted(base, sub: sub, sup: sup, asLimits: asLimits))
  }

  /// Reads a group, a number, a letter or a symbol.
  private mutating func simple() throws -> Formula {
    guard let character = next else { throw Unbalanced() }
    switch character {
    case "{": return try group()
    case "0"..."9": return number()
    case "." where position + 1 < characters.count && characters[position + 1].isDigit: return number()
    case "~":
      position += 1
      return .space(.word)
    default:
      position += 1
      return .letterOrSign(character)
    }
  }

  private mutating func group() throws -> Formula {
    try nested { reader in
      try reader.expect("{")
      let elements = try reader.row(until: .brace)
      try reader.expect("}")
      return .joined(elements)
    }
  }

  /// Reads a number with a decimal point or with commas between groups of three digits, such as `1,000`.
  private mutating func number() -> Formula {
    let start = position
    func digits(_ from: Int) -> Int {
      characters[from...].prefix(while: \.isDigit).count
    }
    position += digits(position)
    if (1...3).contains(position - start) {
      while next == ",", digits(position + 1) == 3 { position += 4 }
    }
    if next == ".", digits(position + 1) > 0 { position += 1 + digits(position + 1) }
    return .number(String(characters[start..<position]))
  }

  /// Reads the argument of a command or a script: a group or a single token.
  mutating func argument() throws -> Formula {
    skipSpaces()
    guard let character = next else { throw Unbalanced() }
    switch character {
    case "{": return try group()
    case "}", "&", "^", "_": throw Unbalanced()
    case "\\":
      let command = command
      guard
        !["right", "end", "\\", "cr", "newline", "limits", "nolimits", "over", "atop", "choose"].contains(command),
        LaTeXNames.declarations[command] == nil
      else { throw Unbalanced() }
      return try nested { try .joined($0.commandElements()) }
    case "0"..."9":
      position += 1
      return .number(String(character))
    default:
      return try simple()
    }
  }

  /// Reads the source of an argument without its braces.
  mutating func rawArgument() throws -> String {
    skipSpaces()
    guard next == "{" else {
      guard let character = next, character != "}" else { throw Unbalanced() }
      let length = character == "\\" ? command.count + 1 : 1
      position += length
      return String(characters[position - length..<position])
    }
    let start = position + 1
    var level = 0
    while let character = next {
      position += 1
      switch character {
      case "\\": position = min(position + 1, characters.count)
      case "{": level += 1
      case "}":
        level -= 1
        if level == 0 { return String(characters[start..<position - 1]) }
      default: break
      }
    }
    throw Unbalanced()
  }
}

extension Character {
  var isCommandLetter: Bool { isASCII && isLetter }
  var isDigit: Bool { ("0"..."9").contains(self) }
  var isControl: Bool { unicodeScalars.allSatisfy { $0.properties.generalCategory == .control } }
}

extension LaTeXReader {
  /// Reads rows of cells up to the end token. The end token is not consumed.
  mutating func rows(until end: End) throws -> [[Formula]] {
    try nested { reader in
      var rows: [[Formula]] = [[]]
      while true {
        rows[rows.count - 1].append(try .joined(reader.row(until: end)))
        if reader.next == nil || reader.next == "}" { break }
        if reader.skip("&") { continue }
        let command = reader.command
        if command == "end" { break }
        reader.position += command.count + 1
        reader.skipRowOptions()
        rows.append([])
      }
      while rows.count > 1, rows[rows.count - 1].allSatisfy(\.isEmpty) { rows.removeLast() }
      return rows
    }
  }

  /// Skips the options that can follow the end of a row: a star and a distance.
  private mutating func skipRowOptions() {
    if next == "*" { position += 1 }
    guard next == "[", let end = characters[position...].firstIndex(of: "]") else { return }
    let distance = characters[position + 1..<end]
    if distance.last?.isLetter == true, distance.allSatisfy({ $0.isLetter || $0.isNumber || "-. ".contains($0) }) {
      position = end + 1
    }
  }

  /// Reads an environment, starting after `\begin`. An unknown environment becomes ``Formula/source(_:)``.
  mutating func environment() throws -> Formula {
    let start = position - "\\begin".count
    let name = try rawArgument()
    let plain = name.last == "*" ? String(name.dropLast()) : name
    if let brackets = LaTeXNames.matrices[plain] {
      if name != plain { skipPlacement() }
      return try fenced(brackets.open, .matrix, brackets.close, name)
    }
    switch plain {
    case "cases", "dcases": return try fenced("{", .cases, "", name)
    case "rcases": return try fenced("", .cases, "}", name)
    case "array", "subarray":
      skipPlacement()
      let columns = try rawArgument().filter("lcr".contains)
      return try fenced("", columns.allSatisfy { $0 == "c" } ? .matrix : .array(columns), "", name)
    case _ where LaTeXNames.alignments.contains(plain):
      if plain.hasPrefix("alignat") || plain == "alignedat" { _ = try rawArgument() }
      skipPlacement()
      return try fenced("", .aligned, "", name)
    case _ where LaTeXNames.gatherings.contains(plain):
      skipPlacement()
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

  /// Skips the position argument of an environment, as in `\begin{aligned}[t]`.
  private mutating func skipPlacement() {
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
