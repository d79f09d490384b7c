import LearningModel

/// Gathers the pieces of a line, and makes one space of all the white space between two words, as HTML has it.
struct LineBuilder {
  private var finished: [Inline] = []
  /// The words at its end, apart from the pieces: those of ten thousand elements are one text, and are copied once.
  private var words = ""
  /// Whether a space would be the second one, or the first of the line.
  private(set) var isAtSpace: Bool

  /// Begins a line, or a part of one behind what `isAtSpace` says of it.
  init(isAtSpace: Bool = true) {
    self.isAtSpace = isAtSpace
  }

  /// Adds words.
  mutating func add(_ text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0C, 0x0D:
        if !isAtSpace { bytes.append(0x20) }
        isAtSpace = true
      case 0x00..<0x20, 0x7F: continue
      default:
        bytes.append(byte)
        isAtSpace = false
      }
    }
    guard !bytes.isEmpty else { return }
    words += String(decoding: bytes, as: UTF8.self).withoutControls
  }

  /// What was gathered so far.
  var pieces: [Inline] { words.isEmpty ? finished : finished + [.text(words)] }

  private mutating func finishWords() {
    if !words.isEmpty { finished.append(.text(words)) }
    words = ""
  }

  /// Adds a piece that is no plain text.
  mutating func add(_ piece: Inline) {
    if case .text(let text) = piece { return add(text) }
    finishWords()
    if piece == .lineBreak {
      finished.trimEnd()
      if !finished.isEmpty { finished.append(.lineBreak) }
      isAtSpace = true
    } else {
      finished.append(piece)
      isAtSpace = false
    }
  }

  /// What the line ends with, where something may be raised or lowered behind it.
  struct Base: Equatable {
    enum Kind { case words, emphasis, formula }
    let kind: Kind
    /// In LaTeX.
    let source: String
  }

  /// The letter or the number that the line ends with, also a stressed one, or the formula; `nil` where it is anything else.
  var base: Base? {
    guard !isAtSpace else { return nil }
    guard words.isEmpty else {
      let end = words.suffix(8).reversed().prefix { $0.isLetter || $0.isNumber }
      let isAlone = end.count == 1 || end.allSatisfy(\.isNumber)
      return end.isEmpty || !isAlone || !end.allSatisfy(\.isASCII)
        ? nil : Base(kind: .words, source: String(end.reversed()))
    }
    switch finished.last {
    case .math(let source): return Base(kind: .formula, source: source)
    case .emphasis(let inner):
      let letter = inner.plainText
      return letter.count == 1 && letter.first!.isLetter && letter.first!.isASCII
        ? Base(kind: .emphasis, source: letter) : nil
    default: return nil
    }
  }

  /// Takes what the line ends with off it.
  mutating func take(_ base: Base) {
    if base.kind == .words { words.removeLast(base.source.count) } else { finished.removeLast() }
  }

  /// Adds what was gathered inside an element, wrapped into the piece that it makes.
  mutating func add(_ inner: LineBuilder, as wrap: ([Inline]) -> Inline) {
    let pieces = inner.pieces
    if !pieces.isEmpty {
      finishWords()
      finished.append(wrap(pieces))
    }
    isAtSpace = inner.isAtSpace
  }

  /// The line, without white space at its end.
  var line: [Inline] { pieces.trimmedAtEnd }
}

extension [Inline] {
  /// The pieces without spaces and line breaks at their end.
  var trimmedAtEnd: [Inline] {
    var trimmed = self
    trimmed.trimEnd()
    return trimmed
  }

  /// Takes spaces and line breaks off the end, also inside the last piece; a piece of which nothing is left goes with them.
  mutating func trimEnd() {
    while let last {
      let trimmed = last.trimmedAtEnd
      if trimmed == last { return }
      removeLast()
      if let trimmed {
        append(trimmed)
        return
      }
    }
  }
}

extension Inline {
  /// The piece without the space at its end; `nil` where nothing else is in it.
  fileprivate var trimmedAtEnd: Inline? {
    func wrapped(_ inner: [Inline], _ wrap: ([Inline]) -> Inline) -> Inline? {
      let trimmed = inner.trimmedAtEnd
      return trimmed.isEmpty ? nil : wrap(trimmed)
    }
    switch self {
    case .lineBreak: return nil
    case .text(let text):
      let trimmed = text.hasSuffix(" ") ? String(text.dropLast()) : text
      return trimmed.isEmpty ? nil : .text(trimmed)
    case .emphasis(let inner): return wrapped(inner, Inline.emphasis)
    case .strong(let inner): return wrapped(inner, Inline.strong)
    case .strikethrough(let inner): return wrapped(inner, Inline.strikethrough)
    case .link(let destination, let inner): return wrapped(inner) { .link(destination: destination, text: $0) }
    case .code, .key, .math, .image: return self
    }
  }
}

extension String {
  /// The text without control characters but line feeds and tabs: a text must not speak to the terminal.
  var withoutControls: String {
    let isControl: (Unicode.Scalar) -> Bool = {
      ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F...0x9F).contains($0.value)
    }
    // The second byte of U+0080 to U+009F follows 0xC2; most texts have neither.
    guard utf8.contains(where: { ($0 < 0x20 && $0 != 0x0A && $0 != 0x09) || $0 == 0x7F || $0 == 0xC2 }) else {
      return self
    }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.lazy.filter { !isControl($0) })
    return String(scalars)
  }
}

/// Raised and lowered letters, where they and what they stand behind are a formula: `x<sub>i</sub><sup>2</sup>`.
///
/// What only looks like one stays text: a footnote's number behind a year, `1<sup>er</sup>`, `M<sup>me</sup>`.
extension LineBuilder {
  /// Raises words behind the letter, number or formula that the line ends with; `false` where that makes no formula.
  mutating func raise(_ words: String) -> Bool {
    shift(words, "^") { base in
      words.isFormula && (base.isFormula || base.isLetter || ["2", "10"].contains(base) || words.hasOperator)
    }
  }

  /// Lowers words behind the letter or formula that the line ends with; `false` where that makes no formula.
  mutating func lower(_ words: String) -> Bool {
    shift(words, "_") { base in words.isFormula && base.isLetter }
  }

  private mutating func shift(_ words: String, _ mark: String, if isFormula: (Base) -> Bool) -> Bool {
    guard let base = base, isFormula(base) else { return false }
    take(base)
    add(.math("\(base.source)\(mark){\(words.replacing("−", with: "-"))}"))
    return true
  }
}

extension LineBuilder.Base {
  fileprivate var isFormula: Bool { kind == .formula }
  fileprivate var isLetter: Bool { kind != .formula && source.count == 1 && source.first!.isLetter }
}

extension Array where Element == String {
  fileprivate func contains(_ base: LineBuilder.Base) -> Bool { contains(base.source) }
}

extension String {
  /// Whether it is an exponent or an index of mathematics, and no abbreviation.
  fileprivate var isFormula: Bool {
    guard !isEmpty, !hasPrefix("("),
      allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || "+-−=(), ./".contains($0) })
    else {
      return false
    }
    // "ᵉ", "ᵃ" and "ᵒ" are ordinals in French, Spanish and Italian.
    if count == 1 { return first!.isNumber || "ijkmnpqrstxyzT".contains(first!) }
    return allSatisfy(\.isNumber) || hasOperator
  }

  fileprivate var hasOperator: Bool { contains { "+-−=".contains($0) } && contains { $0.isLetter || $0.isNumber } }
}
