/// How a sign stands among others.
///
/// Source: Knuth, "The TeXbook", chapter 17 (kinds of atoms).
enum SymbolKind: String {
  case letter, ordinary, binary, relation, punctuation, opening, closing, postfix
  /// A sum and its kind, whose limits stand below and above it.
  case big
  case integral
}

/// A sign: its spellings, and how it is said.
struct Symbol {
  var sign: String
  var kind: SymbolKind
  /// In plain ASCII. Source: asciimath.org, where it has one.
  var ascii: String
  var words: String
  /// The names of LaTeX without their backslash, the one that is written first.
  var names: [String]
}

/// The signs that the readers and the printers know.
enum Symbols {
  /// Each sign by itself.
  static let bySign: [String: Symbol] = Dictionary(all.map { ($0.sign, $0) }) { first, _ in first }

  /// Each sign by each of its names in LaTeX.
  static let byName: [String: Symbol] = Dictionary(
    all.flatMap { symbol in symbol.names.map { ($0, symbol) } }, uniquingKeysWith: { first, _ in first })

  /// How a sign stands among others; what is not in the table is an ordinary sign.
  static func kind(_ sign: String) -> SymbolKind {
    if let symbol = bySign[sign] { return symbol.kind }
    // A sign that is struck out stands as the sign itself.
    if let struck = sign.unicodeScalars.last, struck.value == 0x338, sign.unicodeScalars.count > 1 {
      var scalars = sign.unicodeScalars
      scalars.removeLast()
      return bySign[String(scalars)]?.kind ?? .ordinary
    }
    return .ordinary
  }

  static let all: [Symbol] = table.split(separator: "\n").map { line in
    let columns = line.split(separator: "¦", omittingEmptySubsequences: false)
    let head = columns[0].split(separator: " ")
    return Symbol(
      sign: String(head[0]), kind: SymbolKind(rawValue: String(head[1])) ?? .ordinary, ascii: String(head[2]),
      words: columns[1].split(separator: " ").joined(separator: " "),
      names: columns.count > 2 ? columns[2].split(separator: " ").map(String.init) : [])
  }
}
