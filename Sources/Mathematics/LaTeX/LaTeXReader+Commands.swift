extension LaTeXReader {
  /// Reads a command with its arguments.
  mutating func commandElements() throws -> [Formula] {
    let start = position
    let name = command
    guard !name.isEmpty else { throw Unbalanced() }
    position += name.count + 1
    if let symbol = Symbols.byName[name] { return [.named(symbol)] }
    if let space = LaTeXNames.spaces[name] { return [.space(space)] }
    if LaTeXNames.functions.contains(name) || LaTeXNames.otherFunctions.contains(name) {
      return [.identifier(name == "liminf" || name == "limsup" ? "lim " + name.dropFirst(3) : name)]
    }
    if LaTeXNames.ignored.contains(name) || name == "-" || name == "/" { return [] }
    if let accent = LaTeXNames.accents[name] { return try [.accent(accent, argument())] }
    if let style = LaTeXNames.styles[name] { return try [argument().styled(style)] }
    if LaTeXNames.texts.contains(name) { return try text() }
    if LaTeXNames.invisible.contains(name) {
      _ = try rawArgument()
      return []
    }
    if LaTeXNames.transparent.contains(name) { return try [argument()] }
    if LaTeXNames.sizes.contains(name) { return try [.symbol(delimiter())].filter { $0 != .symbol("") } }
    if let sign = LaTeXNames.arrows[name] {
      let under = try optionalArgument()
      let over = try argument()
      return [.limited(.symbol(sign), under: under, over: over)]
    }
    return try structure(name) ?? unknown(from: start)
  }

  /// Reads a command that has its own structure. Returns `nil` if the command is unknown.
  private mutating func structure(_ name: String) throws -> [Formula]? {
    switch name {
    case "frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac":
      let above = try argument()
      return try [.fraction(above, over: argument(), hasBar: true)]
    case "binom", "dbinom", "tbinom":
      let above = try argument()
      return try [.fenced(open: "(", .fraction(above, over: argument(), hasBar: false), close: ")")]
    case "sqrt":
      let index = try optionalArgument()
      return try [.root(argument(), index: index)]
    case "left":
      return try fenced()
    case "middle":
      return try [.symbol(delimiter())]
    case "begin":
      return try [environment()]
    case "substack":
      skipSpaces()
      try expect("{")
      let rows = try rows(until: .cellInBraces)
      try expect("}")
      return [.table(.init(.gathered, rows))]
    case "textbf":
      return try [Formula.named(Self.rawText(rawArgument())).styled(.bold)]
    case "mathrm", "mathit", "mathnormal", "mathup":
      return try [argument().upright]
    case "operatorname", "operatornamewithlimits":
      let hasLimits = skip("*") || name != "operatorname"
      let name = try argument().upright
      return hasLimits ? try limited(name) : [name]
    case "stackrel", "overset":
      let over = try argument()
      return try [.limited(argument(), under: nil, over: over)]
    case "underset":
      let under = try argument()
      return try [.limited(argument(), under: under, over: nil)]
    case "not":
      return try [argument().struck]
    case "textcolor", "colorbox":
      _ = try rawArgument()
      return try [argument()]
    case "href":
      _ = try rawArgument()
      return try [argument()]
    case "tag":
      _ = skip("*")
      return try [.space(.quad), .text("(" + Self.rawText(rawArgument()) + ")")]
    case "hspace", "mspace":
      _ = skip("*")
      _ = try rawArgument()
      return [.space(.quad)]
    case "mod":
      return [.space(.quad), .identifier("mod")]
    case "pmod":
      return try [.space(.quad), .fenced(open: "(", .joined([.identifier("mod"), argument()]), close: ")")]
    case "LaTeX", "TeX":
      return [.text(name)]
    default:
      return nil
    }
  }

  /// Reads the scripts of a name as limits.
  private mutating func limited(_ name: Formula) throws -> [Formula] {
    skipSpaces()
    var under: Formula?
    var over: Formula?
    while under == nil, skip("_") {
      under = try argument()
      skipSpaces()
    }
    while over == nil, skip("^") {
      over = try argument()
      skipSpaces()
    }
    if under == nil, over != nil, skip("_") { under = try argument() }
    return [.scripted(name, sub: under, sup: over, asLimits: true)]
  }

  /// Reads an argument in square brackets. Returns `nil` if there is none.
  private mutating func optionalArgument() throws -> Formula? {
    skipSpaces()
    guard next == "[" else { return nil }
    return try nested { reader in
      reader.position += 1
      let elements = try reader.row(until: .bracket)
      try reader.expect("]")
      return .joined(elements)
    }
  }

  /// Reads the content and the brackets from `\left` to the matching `\right`.
  private mutating func fenced() throws -> [Formula] {
    let open = try delimiter()
    let inner = try nested { try Formula.joined($0.row(until: .right)) }
    guard next == "\\", command == "right" else { throw Unbalanced() }
    position += "\\right".count
    let close = try delimiter()
    return open.isEmpty && close.isEmpty ? inner.elements : [.fenced(open: open, inner, close: close)]
  }

  /// Reads the bracket after `\left`, `\right`, `\middle` or `\big`. A point means that there is no bracket.
  private mutating func delimiter() throws -> String {
    skipSpaces()
    guard let character = next else { throw Unbalanced() }
    if character == "\\" {
      let name = command
      guard let symbol = Symbols.byName[name] else { throw Unbalanced() }
      position += name.count + 1
      return symbol.sign == "∥" ? "‖" : symbol.sign
    }
    guard !"{}&^_".contains(character) else { throw Unbalanced() }
    position += 1
    switch character {
    case ".": return ""
    case "<": return "⟨"
    case ">": return "⟩"
    default: return String(character)
    }
  }

  /// Returns an unknown command and its arguments as written.
  private mutating func unknown(from start: Int) throws -> [Formula] {
    if characters.indices.contains(start + 1), characters[start + 1].isCommandLetter {
      _ = skip("*")
      while next == "{" || next == "[" {
        if next == "{" {
          _ = try rawArgument()
        } else {
          guard let end = characters[position...].firstIndex(of: "]") else { break }
          position = end + 1
        }
      }
    }
    return [.source(String(characters[start..<min(position, characters.count)]))]
  }

  // MARK: Text

  /// Reads an argument of text. Formulas between dollar signs in the text are parsed.
  private mutating func text() throws -> [Formula] {
    let raw = try rawArgument()
    let segments = Self.segments(of: raw)
    // An unmatched dollar sign is part of the text.
    guard segments.count % 2 == 1 else { return [.text(Self.rawText(raw))] }
    return try nested { reader in
      try segments.enumerated().flatMap { index, segment -> [Formula] in
        if index % 2 == 0 { return segment.isEmpty ? [] : [.text(Self.rawText(segment))] }
        var inner = LaTeXReader(segment)
        inner.depth = reader.depth
        return try inner.document().elements
      }
    }
  }

  /// Splits a text at its dollar signs. Every second element is a formula.
  private static func segments(of text: String) -> [String] {
    var segments = [""]
    var isEscaped = false
    for character in text {
      if character == "$", !isEscaped { segments.append("") } else { segments[segments.count - 1].append(character) }
      isEscaped = character == "\\" && !isEscaped
    }
    return segments
  }

  /// Returns a text without braces and backslashes before symbols, and with white space collapsed.
  static func rawText(_ raw: String) -> String {
    var text = ""
    var remaining = raw[...]
    while let character = remaining.popFirst() {
      switch character {
      case "\\":
        guard let sign = remaining.first else { text.append(character); break }
        if remaining.hasPrefix("textbackslash{}") {
          remaining.removeFirst("textbackslash{}".count)
          text.append("\\")
        } else if sign.isCommandLetter {
          text.append(character)
        } else {
          remaining.removeFirst()
          text.append(sign == "," || sign == ";" ? " " : sign)
        }
      case "{", "}": break
      case "~": text.append(" ")
      default:
        if !character.isWhitespace {
          text.append(character)
        } else if text.last != " " {
          text.append(" ")
        }
      }
    }
    return text
  }
}
