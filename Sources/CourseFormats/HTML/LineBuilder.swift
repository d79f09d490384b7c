import LearningModel

/// Collects the elements of a line and collapses white space to single spaces, as HTML does.
struct LineBuilder {
  private var finishedInlines: [Inline] = []
  /// The text at the end of the line. It is kept separately, so that it is copied only once even if it consists of
  /// thousands of elements.
  private var pendingText = ""
  /// Whether the line is empty or ends with a space. If `true`, another space is dropped.
  private(set) var isAtSpace: Bool

  /// Makes an empty line, or the continuation of a line.
  ///
  /// - Parameter isAtSpace: Whether the continued line is empty or ends with a space.
  init(isAtSpace: Bool = true) {
    self.isAtSpace = isAtSpace
  }

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
    pendingText += String(decoding: bytes, as: UTF8.self).withoutControls
  }

  /// The elements collected so far.
  var inlines: [Inline] { pendingText.isEmpty ? finishedInlines : finishedInlines + [.text(pendingText)] }

  private mutating func flushText() {
    if !pendingText.isEmpty { finishedInlines.append(.text(pendingText)) }
    pendingText = ""
  }

  mutating func add(_ piece: Inline) {
    if case .text(let text) = piece { return add(text) }
    flushText()
    if piece == .lineBreak {
      finishedInlines.trimEnd()
      if !finishedInlines.isEmpty { finishedInlines.append(.lineBreak) }
      isAtSpace = true
    } else {
      finishedInlines.append(piece)
      isAtSpace = false
    }
  }

  /// The end of a line to which a superscript or subscript may apply.
  struct ScriptBase: Equatable {
    enum Kind { case text, emphasis, formula }
    let kind: Kind
    /// The LaTeX source.
    let source: String
  }

  /// The letter, number or formula at the end of the line, including a letter in italics; `nil` if the line ends in
  /// anything else.
  var scriptBase: ScriptBase? {
    guard !isAtSpace else { return nil }
    guard pendingText.isEmpty else {
      let end = pendingText.suffix(8).reversed().prefix { $0.isLetter || $0.isNumber }
      let isAlone = end.count == 1 || end.allSatisfy(\.isNumber)
      return end.isEmpty || !isAlone || !end.allSatisfy(\.isASCII)
        ? nil : ScriptBase(kind: .text, source: String(end.reversed()))
    }
    switch finishedInlines.last {
    case .math(let source): return ScriptBase(kind: .formula, source: source)
    case .emphasis(let inner):
      let letter = inner.plainText
      return letter.count == 1 && letter.first!.isLetter && letter.first!.isASCII
        ? ScriptBase(kind: .emphasis, source: letter) : nil
    default: return nil
    }
  }

  /// Removes the base from the end of the line.
  mutating func removeLast(_ base: ScriptBase) {
    if base.kind == .text { pendingText.removeLast(base.source.count) } else { finishedInlines.removeLast() }
  }

  /// Adds the inline element that `wrap` makes from the content of `inner`. Adds nothing if there is no content.
  mutating func add(_ inner: LineBuilder, as wrap: ([Inline]) -> Inline) {
    let pieces = inner.inlines
    if !pieces.isEmpty {
      flushText()
      finishedInlines.append(wrap(pieces))
    }
    isAtSpace = inner.isAtSpace
  }

  /// The line without white space at its end.
  var line: [Inline] { inlines.trimmedAtEnd }
}

extension [Inline] {
  /// The elements without spaces and line breaks at the end.
  var trimmedAtEnd: [Inline] {
    var trimmed = self
    trimmed.trimEnd()
    return trimmed
  }

  /// Removes spaces and line breaks at the end, including those inside the last element. Elements that become empty are
  /// removed.
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
  /// The element without a space at its end, or `nil` if nothing remains.
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
    case .code, .key, .math, .image, .target: return self
    }
  }
}

/// Superscripts and subscripts that form a formula with the preceding text: `x<sub>i</sub><sup>2</sup>`.
///
/// Similar markup that is not mathematical remains text: a footnote number after a year, `1<sup>er</sup>`,
/// `M<sup>me</sup>`.
extension LineBuilder {
  /// Adds a superscript to the letter, number or formula at the end of the line. Returns `false`, without adding it, if
  /// the result would not be a formula.
  mutating func raise(_ words: String) -> Bool {
    shift(words, "^") { base in
      words.isFormula && (base.isFormula || base.isLetter || ["2", "10"].contains(base) || words.hasOperator)
    }
  }

  /// Adds a subscript to the letter at the end of the line. Returns `false`, without adding it, if the result would not
  /// be a formula.
  mutating func lower(_ words: String) -> Bool {
    shift(words, "_") { base in words.isFormula && base.isLetter }
  }

  private mutating func shift(_ words: String, _ mark: String, if isFormula: (ScriptBase) -> Bool) -> Bool {
    guard let base = scriptBase, isFormula(base) else { return false }
    removeLast(base)
    add(.math("\(base.source)\(mark){\(words.replacing("−", with: "-"))}"))
    return true
  }
}

extension LineBuilder.ScriptBase {
  fileprivate var isFormula: Bool { kind == .formula }
  fileprivate var isLetter: Bool { kind != .formula && source.count == 1 && source.first!.isLetter }
}

extension Array where Element == String {
  fileprivate func contains(_ base: LineBuilder.ScriptBase) -> Bool { contains(base.source) }
}

extension String {
  /// Whether the text looks like an exponent or a subscript of a formula, and not like an abbreviation.
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
