/// Scans a text from its first byte to its last and assigns each byte a token class.
///
/// The time is linear in the length of the text: every lookahead either reads a limited number of bytes or emits the
/// bytes that it read. `steps` counts the bytes read, so that tests can compare the work with the length.
struct Scanner {
  /// The kind of the preceding token, ignoring blanks.
  enum Previous { case nothing, word, keyword, value, sign, other }

  /// An open interpolation.
  struct Frame {
    var span: Int
    var interpolation: Int
    var depth = 0
    /// The number of enclosing spans of the same kind.
    var nesting: Int
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let lexicon: Lexicon
  /// The offset at which the scanner stops.
  let end: Int
  /// The offset of the first byte without a class.
  private(set) var position: Int
  private(set) var runs: [HighlightedRun] = []
  private(set) var steps = 0

  var previousToken = Previous.nothing
  /// Whether only blanks precede the position on its line.
  var isFirstOnLine = true
  /// The class that the preceding word or fixed sign announces for the next word.
  var announcedClass: TokenClass?
  var frames: [Frame] = []
  var functions = FunctionDeclarationDetector()
  /// State of a language's own code.
  var state = LanguageState()

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ lexicon: Lexicon, from start: Int = 0, to end: Int? = nil) {
    self.bytes = bytes
    self.lexicon = lexicon
    self.end = min(end ?? bytes.count, bytes.count)
    position = start
    runs.reserveCapacity((self.end - start) / 6)
  }

  /// Returns the byte at an offset, or 0 if the offset is outside the text.
  @inline(__always) mutating func byte(_ offset: Int) -> UInt8 {
    steps &+= 1
    return offset < end && offset >= 0 ? bytes[offset] : 0
  }

  /// Returns the byte at the position plus `ahead`, or 0 at the end.
  @inline(__always) mutating func next(_ ahead: Int = 0) -> UInt8 { byte(position + ahead) }

  /// Returns the last byte with a class, or a line feed at the start of the text.
  @inline(__always) mutating func last() -> UInt8 { position > 0 ? byte(position - 1) : 0x0A }

  /// Assigns a class to all bytes up to an offset.
  @inline(__always) mutating func emit(_ tokenClass: TokenClass, to offset: Int) {
    var stop = min(offset, end)
    guard stop > position else { return }
    // A multi-byte character is never split.
    while stop < end, bytes[stop] & 0xC0 == 0x80 { stop += 1 }
    if let index = runs.indices.last, runs[index].tokenClass == tokenClass {
      runs[index].count += stop - position
    } else {
      runs.append(HighlightedRun(start: position, count: stop - position, tokenClass: tokenClass))
    }
    position = stop
  }

  /// Assigns a class to the next `count` bytes.
  @inline(__always) mutating func emit(_ tokenClass: TokenClass, _ count: Int) {
    emit(tokenClass, to: position + count)
  }

  /// Scans the bytes up to an offset with the grammar of another language.
  mutating func emit(as language: Language, to offset: Int, notes: LanguageState = LanguageState()) {
    let stop = min(offset, end)
    guard stop > position else { return }
    var inner = Scanner(bytes, language.lexicon, from: position, to: stop)
    inner.state = notes
    inner.scan()
    steps &+= inner.steps
    for run in inner.runs { emit(run.tokenClass, to: run.end) }
  }

  // MARK: Looking ahead

  /// Returns whether the text contains these bytes at an offset.
  @inline(__always) mutating func has(_ expected: [UInt8], at offset: Int) -> Bool {
    for index in expected.indices where byte(offset + index) != expected[index] { return false }
    return true
  }

  /// Returns whether this ASCII text is next.
  mutating func has(_ expected: StaticString, ahead: Int = 0) -> Bool {
    for index in 0..<expected.utf8CodeUnitCount where next(ahead + index) != expected.utf8Start[index] { return false }
    return true
  }

  /// Returns the offset of the line feed that ends the line of an offset, or the end of the text.
  mutating func lineEnd(from offset: Int) -> Int {
    var offset = offset
    while offset < end, byte(offset) != 0x0A { offset += 1 }
    return offset
  }

  /// Returns the end of the word that begins at an offset.
  mutating func wordEnd(from offset: Int) -> Int {
    var offset = offset
    while offset < end, byte(offset).isWord { offset += 1 }
    return offset
  }

  /// Returns the offset of the first byte that is not a blank, at most `limit` bytes ahead.
  mutating func indexAfterBlanks(from offset: Int, limit: Int = 64) -> Int {
    var offset = offset
    let stop = min(end, offset + limit)
    while offset < stop, byte(offset).isBlank { offset += 1 }
    return offset
  }
}

/// State that the code of a language keeps from one token to the next.
struct LanguageState {
  /// The number of open brackets.
  var bracketDepth = 0
  /// The open constructs, outermost first. Each language chooses the bytes that represent its constructs.
  var open: [UInt8] = []
  /// The offset up to which the text was searched for the end of a regular expression without success. No search begins
  /// before it.
  var noExpressionBefore = 0
  /// Whether a list of names may follow, as after `import Data.Map`.
  var expectsList = false
  /// Whether the scanned text is the rest of a line on which a here document was announced. The here document begins on
  /// the next line.
  var isBeforeHereDocument = false
}

extension Scanner {
  /// Assigns a class to every byte up to the end.
  mutating func scan() {
    if let scan = lexicon.grammar.scan {
      scan(&self)
    } else {
      scanCode()
    }
    emit(.plain, to: end)
  }

  /// Scans tokens up to the end with the engine's loop.
  mutating func scanCode() {
    while position < end { scanToken() }
  }

  /// Scans blanks or one token.
  @inline(__always) mutating func scanToken() {
    let byte = next()
    let kind = lexicon.kinds[Int(byte)]
    if kind == .blank || kind == .newline { return scanBlanks() }
    if !frames.isEmpty, scanBracket(byte) { return }
    if lexicon.isSpecial[Int(byte)], let special = lexicon.grammar.special, special.scan(&self) {
      isFirstOnLine = false
      return
    }
    if lexicon.opens[Int(byte)], scanOpening(byte) {
      isFirstOnLine = false
      return
    }
    switch kind {
    case .word: scanWord()
    case .digit: scanNumber()
    case .sign: scanSign(byte, .operator)
    default:
      if byte == UInt8(ascii: "."), next(1).isDigit, previousToken != .word, previousToken != .value {
        scanNumber()
      } else {
        scanSign(byte, .plain)
      }
    }
    isFirstOnLine = false
  }

  private mutating func scanBlanks() {
    var offset = position
    while offset < end {
      let byte = byte(offset)
      if byte.isNewline {
        isFirstOnLine = true
        if lexicon.grammar.functions == .afterIdentifiersOfLine { functions.statementEnds() }
      } else if !byte.isBlank {
        break
      }
      offset += 1
    }
    emit(.plain, to: offset)
  }

  /// Emits one byte as an operator or punctuation.
  mutating func scanSign(_ byte: UInt8, _ tokenClass: TokenClass) {
    emit(tokenClass, 1)
    remember(byte, tokenClass)
  }

  /// Updates the state after an operator or punctuation.
  @inline(__always) private mutating func remember(_ byte: UInt8, _ tokenClass: TokenClass) {
    functions.scan(byte)
    if announcedClass != nil, !lexicon.separatorBytes.contains(byte) { announcedClass = nil }
    if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
      previousToken = .value
    } else {
      previousToken = tokenClass == .operator ? .sign : .other
    }
  }

  /// Scans a span or fixed sign and returns whether one begins here.
  private mutating func scanOpening(_ byte: UInt8) -> Bool {
    for opening in lexicon.openings[Int(byte)] {
      switch opening {
      case .span(let index):
        if has(lexicon.grammar.spans[index].open, at: position) {
          let span = lexicon.grammar.spans[index]
          if span.tokenClass != .comment {
            functions.scan(byte)
            announcedClass = nil
            previousToken = .value
          }
          emit(span.tokenClass, span.open.count)
          scanSpan(index)
          return true
        }
      case .fixedSign(let index):
        if has(lexicon.grammar.fixedSigns[index].bytes, at: position) {
          let sign = lexicon.grammar.fixedSigns[index]
          emit(sign.tokenClass, sign.bytes.count)
          remember(byte, sign.tokenClass)
          announcedClass = sign.announcedClass ?? announcedClass
          return true
        }
      }
    }
    return false
  }

  /// Scans one word. Its class is its own class from the table, the announced class, or that of the name of a declared
  /// function.
  mutating func scanWord() {
    let ignoresCase = lexicon.grammar.ignoresCase
    let start = position
    var offset = start
    var hash = WordTable.seed
    while offset < end {
      let byte = byte(offset)
      guard lexicon.isWord[Int(byte)] else { break }
      hash = WordTable.hash(hash, ignoresCase ? byte.asLowercase : byte)
      offset += 1
    }
    var index: Int?
    let suffix = lexicon.suffixes.isEmpty ? 0 : byte(offset)
    if suffix != 0, lexicon.suffixes.contains(suffix) {
      let longer = WordTable.hash(hash, suffix)
      index = lexicon.wordTable.index(of: bytes[start...offset], hash: longer, ignoresCase: ignoresCase)
      if index != nil { offset += 1 }
    }
    index = index ?? lexicon.wordTable.index(of: bytes[start..<offset], hash: hash, ignoresCase: ignoresCase)
    let entry = index.map { lexicon.wordTable[$0] }.flatMap { holds($0.place, offset) ? $0 : nil }
    if let announcedClass, entry?.tokenClass != .keyword {
      self.announcedClass = nil
      return emitWord(announcedClass, to: offset)
    }
    if let entry {
      announcedClass = entry.announcedClass ?? (entry.tokenClass == .keyword ? announcedClass : nil)
      functions.scanWord(isPartOfDeclaration: entry.isPartOfDeclaration)
      emit(entry.tokenClass, to: offset)
      previousToken = entry.tokenClass == .keyword ? .keyword : .word
      return
    }
    if lexicon.grammar.functions != .none, isDeclaredFunction(to: offset) {
      functions.declare()
      emit(.function, to: offset)
      previousToken = .word
      return
    }
    emitWord(.plain, to: offset)
  }

  /// Returns the table's entry for the bytes from the position to an offset.
  mutating func entry(to offset: Int) -> WordTable.Entry? {
    let ignoresCase = lexicon.grammar.ignoresCase
    var hash = WordTable.seed
    for index in position..<offset {
      hash = WordTable.hash(hash, ignoresCase ? byte(index).asLowercase : byte(index))
    }
    return lexicon.wordTable.index(of: bytes[position..<offset], hash: hash, ignoresCase: ignoresCase).map {
      lexicon.wordTable[$0]
    }
  }

  private mutating func emitWord(_ tokenClass: TokenClass, to offset: Int) {
    functions.scanWord(isPartOfDeclaration: true)
    emit(tokenClass, to: offset)
    previousToken = .word
  }

  /// Returns whether a word from the position to an offset is in the given context.
  private mutating func holds(_ place: WordList.Place, _ offset: Int) -> Bool {
    switch place {
    case .anywhere: return true
    case .notAfterPoint: return last() != UInt8(ascii: ".")
    case .beforeBracket: return byte(offset) == UInt8(ascii: "(")
    case .beforeWord:
      guard byte(offset).isBlank else { return false }
      return byte(indexAfterBlanks(from: offset)).isLetter
    case .beforeSubject:
      guard isFirstOnLine, byte(offset).isBlank else { return false }
      let byte = byte(indexAfterBlanks(from: offset))
      return byte.isWord || byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"")
        || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "-")
    case .beforeBlank:
      let byte = byte(offset)
      return byte == 0 || byte.isBlank || byte.isNewline || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "`")
    }
  }

  /// Returns whether the word up to an offset is the name of a function that is declared here. The word must not be in
  /// the table.
  private mutating func isDeclaredFunction(to offset: Int) -> Bool {
    guard byte(indexAfterBlanks(from: offset)) == UInt8(ascii: "(") else { return false }
    switch lexicon.grammar.functions {
    case .none: return false
    case .afterIdentifiersOfLine: return functions.hasOnlyIdentifiers && last().isBlank
    case .afterIdentifiersOutsideBodies: return functions.hasOnlyIdentifiers && !functions.isInBody
    case .afterWord:
      if functions.hasOnlyIdentifiers { return last().isBlank || last().isNewline }
      guard last().isBlank else { return false }
      let preceding = byte(position - 2)
      return (preceding == UInt8(ascii: ">") || preceding == UInt8(ascii: "]")) && !byte(position - 3).isBlank
    }
  }

  /// Scans one number: digits of any base with separators, a fraction, an exponent and a suffix of letters.
  mutating func scanNumber() {
    var offset = position
    let second = byte(offset + 1).asLowercase
    if byte(offset) == UInt8(ascii: "0"), second == UInt8(ascii: "x") {
      offset = indexAfterDigits(from: offset + 2)
      if byte(offset) == UInt8(ascii: "."), byte(offset + 1).isHexDigit { offset = indexAfterDigits(from: offset + 1) }
      if byte(offset) == UInt8(ascii: "+") || byte(offset) == UInt8(ascii: "-"),
        byte(offset - 1).asLowercase == UInt8(ascii: "p")
      {
        offset = indexAfterDigits(from: offset + 1)
      }
    } else {
      offset = indexAfterDecimals(from: offset)
      if byte(offset) == UInt8(ascii: "."), isFraction(after: offset) { offset = indexAfterDecimals(from: offset + 1) }
      if byte(offset).asLowercase == UInt8(ascii: "e") {
        let sign = byte(offset + 1)
        let first = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? offset + 2 : offset + 1
        if byte(first).isDigit { offset = indexAfterDecimals(from: first) }
      }
      // The remaining bytes are digits with a base, as in `0b1`, or a suffix, as in `1.5f32`.
      offset = indexAfterDigits(from: offset)
    }
    functions.scan(0)
    announcedClass = nil
    emit(.number, to: offset)
    previousToken = .value
  }

  private mutating func isFraction(after point: Int) -> Bool {
    let byte = byte(point + 1)
    return byte.isDigit || (lexicon.grammar.hasTrailingPoints && byte != UInt8(ascii: ".") && !byte.isLetter)
  }

  private mutating func indexAfterDecimals(from offset: Int) -> Int {
    var offset = offset
    while true {
      let byte = byte(offset)
      if byte.isDigit || byte == UInt8(ascii: "_") || isSeparator(byte, at: offset) {
        offset += 1
      } else {
        return offset
      }
    }
  }

  private mutating func indexAfterDigits(from offset: Int) -> Int {
    var offset = offset
    while true {
      let byte = byte(offset)
      if (byte.isWord && byte < 0x80) || isSeparator(byte, at: offset) { offset += 1 } else { return offset }
    }
  }

  private mutating func isSeparator(_ byte: UInt8, at offset: Int) -> Bool {
    lexicon.digitSeparators.contains(byte) && self.byte(offset + 1).isHexDigit
  }

  /// Emits the rest of a span, up to its end or to an interpolation.
  ///
  /// - Parameters:
  ///   - index: The index of the open span in the grammar.
  ///   - nesting: The number of enclosing spans of the same kind.
  mutating func scanSpan(_ index: Int, nesting: Int = 0) {
    let span = lexicon.grammar.spans[index]
    let closer = span.close.first ?? 0x0A
    let opener = span.nests ? span.open[0] : closer
    var nesting = nesting
    var offset = position
    while offset < end {
      let byte = byte(offset)
      if byte == span.escape {
        offset += 2
      } else if byte == 0x0A, span.endsWithLine {
        break
      } else if byte == closer, has(span.close, at: offset) {
        offset += span.close.count
        if span.doubles, has(span.close, at: offset) {
          offset += span.close.count
        } else if nesting > 0 {
          nesting -= 1
        } else {
          if span.isRegularExpression { offset = wordEnd(from: offset) }
          break
        }
      } else if byte == opener, span.nests, has(span.open, at: offset) {
        offset += span.open.count
        nesting += 1
      } else if !span.interpolations.isEmpty, let interpolationIndex = interpolation(of: span, at: offset, byte) {
        let interpolation = span.interpolations[interpolationIndex]
        if !interpolation.literal.isEmpty, has(interpolation.literal, at: offset) {
          offset += interpolation.literal.count
          continue
        }
        emit(span.tokenClass, to: offset)
        emit(interpolation.tokenClass, interpolation.open.count)
        frames.append(Frame(span: index, interpolation: interpolationIndex, nesting: nesting))
        previousToken = .other
        return
      } else {
        offset += 1
      }
    }
    emit(span.tokenClass, to: offset)
  }

  private mutating func interpolation(of span: Span, at offset: Int, _ byte: UInt8) -> Int? {
    for index in span.interpolations.indices where span.interpolations[index].open[0] == byte {
      if has(span.interpolations[index].open, at: offset) { return index }
    }
    return nil
  }

  /// Scans a bracket inside an interpolation. An unmatched closing bracket ends the interpolation.
  mutating func scanBracket(_ byte: UInt8) -> Bool {
    guard let frame = frames.last else { return false }
    let interpolation = lexicon.grammar.spans[frame.span].interpolations[frame.interpolation]
    if byte == interpolation.bracket {
      frames[frames.count - 1].depth += 1
    } else if byte == interpolation.close {
      if frame.depth == 0 {
        frames.removeLast()
        emit(interpolation.tokenClass, 1)
        resume(frame)
        return true
      }
      frames[frames.count - 1].depth -= 1
    } else if let stop = interpolation.end, byte == stop, frame.depth == 0 {
      frames.removeLast()
      emit(interpolation.tokenClass, 1)
      resume(frame)
      return true
    } else if interpolation.end != nil {
      // In an interpolation that a single byte can end, that byte has no effect inside nested brackets of any kind.
      if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { frames[frames.count - 1].depth += 1 }
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]"), frame.depth > 0 { frames[frames.count - 1].depth -= 1 }
    }
    return false
  }

  private mutating func resume(_ frame: Frame) {
    previousToken = .value
    announcedClass = nil
    scanSpan(frame.span, nesting: frame.nesting)
  }
}
