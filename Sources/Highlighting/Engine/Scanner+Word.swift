extension Scanner {
  /// One word: its own class, the class that was announced, or the name of a function.
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
      index = lexicon.words.index(of: bytes[start...offset], hash: longer, ignoresCase: ignoresCase)
      if index != nil { offset += 1 }
    }
    index = index ?? lexicon.words.index(of: bytes[start..<offset], hash: hash, ignoresCase: ignoresCase)
    let entry = index.map { lexicon.words[$0] }.flatMap { holds($0.place, offset) ? $0 : nil }
    if let announced, entry?.tokenClass != .keyword {
      self.announced = nil
      return emitWord(announced, to: offset)
    }
    if let entry {
      announced = entry.announced ?? (entry.tokenClass == .keyword ? announced : nil)
      functions.passWord(isPartOfDeclaration: entry.isPartOfDeclaration)
      emit(entry.tokenClass, to: offset)
      previous = entry.tokenClass == .keyword ? .keyword : .word
      return
    }
    if lexicon.grammar.functions != .none, isDeclaredFunction(to: offset) {
      functions.declare()
      emit(.function, to: offset)
      previous = .word
      return
    }
    emitWord(.plain, to: offset)
  }

  /// What the table says of the bytes from here to that offset.
  mutating func entry(to offset: Int) -> WordTable.Entry? {
    let ignoresCase = lexicon.grammar.ignoresCase
    var hash = WordTable.seed
    for index in position..<offset {
      hash = WordTable.hash(hash, ignoresCase ? byte(index).asLowercase : byte(index))
    }
    return lexicon.words.index(of: bytes[position..<offset], hash: hash, ignoresCase: ignoresCase).map {
      lexicon.words[$0]
    }
  }

  private mutating func emitWord(_ tokenClass: TokenClass, to offset: Int) {
    functions.passWord(isPartOfDeclaration: true)
    emit(tokenClass, to: offset)
    previous = .word
  }

  /// Whether a word that ends there has its class in such a place.
  private mutating func holds(_ place: Words.Place, _ offset: Int) -> Bool {
    switch place {
    case .anywhere: return true
    case .notAfterPoint: return last() != UInt8(ascii: ".")
    case .beforeBracket: return byte(offset) == UInt8(ascii: "(")
    case .beforeWord:
      guard byte(offset).isBlank else { return false }
      return byte(pastBlanks(from: offset)).isLetter
    case .beforeSubject:
      guard isFirstOnLine, byte(offset).isBlank else { return false }
      let byte = byte(pastBlanks(from: offset))
      return byte.isWord || byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\"")
        || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "-")
    case .beforeBlank:
      let byte = byte(offset)
      return byte == 0 || byte.isBlank || byte.isNewline || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "`")
    }
  }

  /// Whether the word up to that offset, which is in no table, is the name of a function that is declared here.
  private mutating func isDeclaredFunction(to offset: Int) -> Bool {
    guard byte(pastBlanks(from: offset)) == UInt8(ascii: "(") else { return false }
    switch lexicon.grammar.functions {
    case .none: return false
    case .afterWordsOfLine: return functions.hasOnlyWords && last().isBlank
    case .afterWordsOutsideBodies: return functions.hasOnlyWords && !functions.isInBody
    case .afterWord:
      if functions.hasOnlyWords { return last().isBlank || last().isNewline }
      guard last().isBlank else { return false }
      let before = byte(position - 2)
      return (before == UInt8(ascii: ">") || before == UInt8(ascii: "]")) && !byte(position - 3).isBlank
    }
  }
}
