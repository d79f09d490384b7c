extension Formula {
  /// Converts presentation MathML: a `math` element or any element inside one.
  ///
  /// Conversion never fails. An unknown element is replaced by its content as a row. Elements that are nested more
  /// than 48 levels deep are replaced by `…`.
  ///
  /// Source: W3C, "Mathematical Markup Language 3.0", chapter 3.
  public init(mathML element: MathElement) {
    self = MathMLReader(depth: 0).formula(element)
  }
}

/// Converts the elements at one nesting depth.
struct MathMLReader {
  static let maximumNesting = 48

  var depth: Int
  var style: Formula.Style?

  private func inner(_ element: MathElement) -> MathMLReader {
    MathMLReader(depth: depth + 1, style: Self.style(element.attributes["mathvariant"]) ?? style)
  }

  private static func style(_ variant: String?) -> Formula.Style?? {
    guard let variant else { return nil }
    return switch variant {
    case _ where variant.contains("fraktur"): .some(.fraktur)
    case _ where variant.contains("script"): .some(.script)
    case "double-struck": .some(.blackboard)
    case _ where variant.contains("sans"): .some(.sans)
    case "monospace": .some(.monospace)
    case _ where variant.contains("bold"): .some(.bold)
    default: .some(nil)
    }
  }

  func formula(_ element: MathElement) -> Formula {
    guard depth < Self.maximumNesting else { return .symbol("…") }
    let reader = inner(element)
    let elements = element.elements
    func child(_ index: Int) -> Formula { elements.indices.contains(index) ? reader.formula(elements[index]) : .empty }
    func optional(_ index: Int) -> Formula? {
      let child = child(index)
      return child.isEmpty ? nil : child
    }
    switch element.name {
    case "mi", "mn", "mo", "mtext", "ms": return reader.token(element)
    case "mspace": return reader.space(element)
    case "mfrac":
      let width = element.attributes["linethickness"].map { $0.filter { $0.isNumber || $0 == "." } }
      return .fraction(child(0), over: child(1), hasBar: width.flatMap(Double.init) != 0)
    case "msqrt": return .root(reader.row(elements), index: nil)
    case "mroot": return .root(child(0), index: child(1))
    case "msub": return .scripted(child(0), sub: child(1), sup: nil)
    case "msup": return .scripted(child(0), sub: nil, sup: child(1))
    case "msubsup": return .scripted(child(0), sub: child(1), sup: child(2))
    case "munder": return reader.marked(child(0), child(1), isAbove: false)
    case "mover": return reader.marked(child(0), child(1), isAbove: true)
    case "munderover": return .limited(child(0), under: optional(1), over: optional(2))
    case "mmultiscripts": return reader.multiscripts(elements)
    case "mtable": return reader.table(element)
    case "mfenced": return reader.fenced(element)
    case "menclose":
      let row = reader.row(elements)
      return element.attributes["notation"]?.contains("strike") == true ? .accent(.cancel, row) : row
    case "semantics": return child(0)
    case "annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark", "none", "mprescripts": return .empty
    default: return reader.row(elements)
    }
  }

  private func row(_ elements: [MathElement]) -> Formula {
    var formulas = elements.map(formula)
    // An opening brace before a left-aligned table is the notation of cases.
    if formulas.count == 2, formulas[0] == .symbol("{"), case .table(let table) = formulas[1] {
      return .fenced(open: "{", .table(Self.cases(table)), close: "")
    }
    if formulas.count == 2, formulas[1] == .symbol("}"), case .table(let table) = formulas[0] {
      return .fenced(open: "", .table(Self.cases(table)), close: "}")
    }
    // The formula is enclosed in bars that are marked as fences.
    if elements.count > 2, let first = elements.first, let last = elements.last, first.isFence, last.isFence,
      case .symbol(let open) = formulas[0], case .symbol(let close) = formulas[formulas.count - 1]
    {
      formulas = [.fenced(open: open, .joined(Array(formulas.dropFirst().dropLast())), close: close)]
    }
    return .joined(formulas)
  }

  private static func cases(_ table: Formula.Table) -> Formula.Table {
    if case .array(let columns) = table.layout, columns.allSatisfy({ $0 == "l" }) { return .init(.cases, table.rows) }
    return table
  }

  // MARK: Tokens

  private func token(_ element: MathElement) -> Formula {
    let text = element.text
    let name = element.name
    if name == "mtext" || name == "ms" {
      let rawText = element.children.map { if case .text(let text) = $0 { text } else { "" } }.joined()
      let isOneSpace = !rawText.isEmpty && text.isEmpty
      if isOneSpace { return .space(.word) }
      guard !text.isEmpty else { return row(element.elements) }
      if style == .bold { return Formula.named(text).styled(.bold) }
      // Spaces at both ends are kept, because authors use entities to insert them.
      let start = rawText.first?.isWhitespace == true && rawText.first != "\n" ? " " : ""
      let end = rawText.last?.isWhitespace == true && rawText.last != "\n" ? " " : ""
      return .text(start + text + end)
    }
    // These characters are invisible operators: function application, multiplication, separator and addition.
    let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter { !(0x2061...0x2064).contains($0.value) }))
    guard !visible.isEmpty else { return row(element.elements) }
    if name == "mn" || visible.allSatisfy({ $0.isDigit }) {
      return Self.number(visible).styled(orPlain: style)
    }
    if visible.count == 1, let character = visible.first {
      return Formula.letterOrSign(Self.canonical(character)).styled(orPlain: style)
    }
    if visible == "..." { return .symbol("…") }
    if Symbols.bySign[visible] != nil { return .symbol(visible) }
    if visible.first?.isLetter == true { return Formula.identifier(visible).styled(orPlain: style) }
    if let primes = Self.primes[visible] { return .joined(Array(repeating: .symbol("′"), count: primes)) }
    return .joined(visible.map { Formula.letterOrSign(Self.canonical($0)) })
  }

  /// Returns a number, with a leading sign as a separate symbol.
  private static func number(_ text: String) -> Formula {
    if let first = text.first, "-−+".contains(first), text.count > 1 {
      return .row([.letterOrSign(first), .number(String(text.dropFirst()))])
    }
    return .number(text)
  }

  private static let primes = ["″": 2, "‴": 3, "⁗": 4, "''": 2]

  /// Returns the canonical character for a character. Characters that look the same have the same canonical character.
  static func canonical(_ character: Character) -> Character {
    switch character {
    case "~": "∼"
    case "⁎": "*"
    case "\u{2329}", "\u{3008}": "⟨"
    case "\u{232A}", "\u{3009}": "⟩"
    case "ϒ": "Υ"
    case "µ": "μ"
    default: character
    }
  }

  private func space(_ element: MathElement) -> Formula {
    let width = element.attributes["width"] ?? ""
    if width.hasPrefix("negative") || width.hasPrefix("-") { return .space(.negative) }
    let named: [String: Formula.Space] = ["thinmathspace": .thin, "mediummathspace": .medium, "thickmathspace": .thick]
    if let space = named[width] { return .space(space) }
    let number = Double(width.prefix { $0.isNumber || $0 == "." }) ?? 0
    guard width.hasSuffix("em") || width.hasSuffix("ex") else { return .empty }
    let ems = width.hasSuffix("ex") ? number / 2 : number
    return switch ems {
    case 0: .empty
    case ..<0.2: .space(.thin)
    case ..<0.25: .space(.medium)
    case ..<0.3: .space(.thick)
    case ..<0.8: .space(.word)
    case ..<1.5: .space(.quad)
    default: .space(.doubleQuad)
    }
  }

  // MARK: Accents, scripts, fences and tables

  /// Returns a formula with a mark above or below it. If the mark is a known accent character, the result is an accent.
  private func marked(_ base: Formula, _ decoration: Formula, isAbove: Bool) -> Formula {
    if decoration.isEmpty { return base }
    if case .symbol(let sign) = decoration, let accent = isAbove ? Self.accentsAbove[sign] : Self.accentsBelow[sign] {
      return .accent(accent, base)
    }
    return .limited(base, under: isAbove ? nil : decoration, over: isAbove ? decoration : nil)
  }

  private static let accentsAbove: [String: Formula.Accent] = [
    "^": .hat, "ˆ": .hat, "\u{302}": .hat, "¯": .bar, "ˉ": .bar, "\u{304}": .bar, "‾": .overline, "―": .overline,
    "_": .overline, "\u{305}": .overline, "→": .vec, "⃗": .vec, "∼": .tilde, "˜": .tilde, "\u{303}": .tilde, "˙": .dot,
    ".": .dot, "\u{307}": .dot, "¨": .ddot, "\u{308}": .ddot, "⃛": .dddot, "ˇ": .check, "˘": .breve, "´": .acute,
    "`": .grave, "˚": .ring, "⏞": .overbrace, "←": .overleftarrow, "⃖": .overleftarrow,
  ]

  private static let accentsBelow: [String: Formula.Accent] = [
    "_": .underline, "\u{332}": .underline, "‾": .underline, "¯": .underline, "―": .underline, "⏟": .underbrace,
  ]

  private func multiscripts(_ elements: [MathElement]) -> Formula {
    guard let base = elements.first else { return .empty }
    let split = elements.firstIndex { $0.name == "mprescripts" } ?? elements.count
    let postscripts = Array(elements[1..<max(split, 1)])
    let prescripts = split < elements.count ? Array(elements[(split + 1)...]) : []
    func scripts(_ base: Formula, _ scripts: [MathElement]) -> Formula {
      let formulas = scripts.map(formula)
      let sub = Formula.joined(stride(from: 0, to: formulas.count, by: 2).map { formulas[$0] })
      let sup = Formula.joined(stride(from: 1, to: formulas.count, by: 2).map { formulas[$0] })
      return .scripted(base, sub: sub.isEmpty ? nil : sub, sup: sup.isEmpty ? nil : sup)
    }
    return .joined([scripts(.empty, prescripts), scripts(formula(base), postscripts)])
  }

  private func fenced(_ element: MathElement) -> Formula {
    let separators = Array((element.attributes["separators"] ?? ",").filter { !$0.isWhitespace })
    var formulas: [Formula] = []
    for (index, child) in element.elements.enumerated() {
      if index > 0, let last = separators.last {
        formulas.append(.letterOrSign(separators.indices.contains(index - 1) ? separators[index - 1] : last))
      }
      formulas.append(formula(child))
    }
    func sign(_ name: String, _ standard: String) -> String {
      let sign = (element.attributes[name] ?? standard).filter { !$0.isWhitespace }
      return sign.count == 1 ? String(Self.canonical(sign.first ?? " ")) : sign
    }
    let open = sign("open", "(")
    let close = sign("close", ")")
    guard open.count < 2, close.count < 2 else {
      return .joined([.text(open), .joined(formulas), .text(close)].filter { $0 != .text("") })
    }
    return open.isEmpty && close.isEmpty
      ? .joined(formulas) : .fenced(open: open, .joined(formulas), close: close)
  }

  private func table(_ element: MathElement) -> Formula {
    var alignments: [Int: Character] = [:]
    let columns = (element.attributes["columnalign"] ?? "").split(separator: " ").map { $0.first ?? "c" }
    let rows = element.elements.filter { ["mtr", "mlabeledtr"].contains($0.name) }.map { row -> [Formula] in
      let reader = inner(row)
      return row.elements.enumerated().map { index, cell in
        let alignment =
          cell.attributes["columnalign"]?.first ?? (columns.isEmpty ? nil : columns[min(index, columns.count - 1)])
        if let alignment { alignments[index] = alignment }
        return cell.name == "mtd" ? reader.inner(cell).row(cell.elements) : reader.formula(cell)
      }
    }
    let width = rows.map(\.count).max() ?? 0
    let letters = (0..<width).map { alignments[$0] ?? "c" }
    let isAligned = width > 1 && letters.enumerated().allSatisfy { $1 == ($0 % 2 == 0 ? "r" : "l") }
    if isAligned { return .table(.init(.aligned, rows)) }
    return .table(.init(letters.allSatisfy { $0 == "c" } ? .matrix : .array(String(letters)), rows))
  }
}

extension MathElement {
  fileprivate var isFence: Bool { name == "mo" && attributes["fence"] == "true" }
}

extension Formula {
  fileprivate func styled(orPlain style: Style?) -> Formula { style.map(styled) ?? self }
}

/// An element of MathML with local names and resolved entities.
public struct MathElement: Hashable, Sendable {
  /// A child node of an element.
  public enum Child: Hashable, Sendable {
    /// A child element.
    case element(MathElement)
    /// Text between elements.
    case text(String)
  }

  /// The local name, such as `mfrac`.
  public var name: String
  /// The attributes by their local names.
  public var attributes: [String: String]
  /// The child elements and texts, in order.
  public var children: [Child]

  /// Makes an element.
  public init(_ name: String, _ attributes: [String: String] = [:], _ children: [Child] = []) {
    self.name = name
    self.attributes = attributes
    self.children = children
  }

  var elements: [MathElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The direct text of the element, with white space collapsed.
  var text: String {
    let text = children.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.joined(separator: " ")
  }
}
