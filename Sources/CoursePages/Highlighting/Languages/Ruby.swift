extension Language {
  /// Ruby.
  static let ruby = Language(
    "Ruby", aliases: ["ruby", "rb", "irb", "jruby", "rake", "gemfile"],
    Grammar(
      wordLists: [
        WordList(
          .keyword,
          """
          BEGIN END alias begin break case defined? do else elsif end ensure for if in next redo rescue raise retry return
          super then undef unless until when while yield not and or initialize new loop include extend attr_reader
          attr_writer attr_accessor attr catch throw private module_function public protected true false nil __FILE__ __LINE__
          """),
        WordList(.keyword, "def", announcing: .function),
        WordList(.keyword, "class module", announcing: .type),
        WordList(
          .function,
          """
          block_given? const_defined? eql? equal? frozen? instance_of? is_a? iterator? kind_of? method_defined? nil?
          respond_to? tainted? chomp! chop! exit! gsub! sub!
          """),
        WordList(
          .function,
          """
          Array Float Integer String __id__ __send__ abort ancestors at_exit autoload binding callcc caller chomp chop
          class_eval class_variables clone const_get const_missing const_set constants display dup eval exec exit
          fail fork format freeze getc gets global_variables gsub hash id included_modules inspect instance_eval
          instance_method instance_methods instance_variable_get instance_variable_set instance_variables lambda load
          local_variables method method_missing methods module_eval name object_id open p print printf proc putc puts rand
          readline readlines require scan select self send singleton_methods sleep split sprintf srand sub syscall
          system taint test to_a to_s trace_var trap untaint warn
          """),
      ],
      suffixes: "?!",
      spans: [
        .line(.comment, "#"),
        .block(.string, "\"", "\"", escape: "\\", Interpolation.ofRuby),
        .block(.string, ":\"", "\"", escape: "\\", Interpolation.ofRuby),
        .block(.string, "'", "'", escape: "\\"),
        .block(.string, ":'", "'", escape: "\\"),
        .block(.string, "`", "`", escape: "\\", Interpolation.ofRuby),
        regularExpressionOfRuby,
      ],
      fixedSigns: [FixedSign(.operator, "::")],
      operators: "[]*-+/%=<>&!^|~.",
      special: SpecialRule(bytes: ":%/<@$?!.=_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") { $0.scanRuby() }))
}

/// A regular expression, which may contain line breaks. `scanRegularExpressionOfRuby` determines where one begins.
private let regularExpressionOfRuby: Span = {
  var span = Span.block(.string, "/", "/", escape: "\\", Interpolation.ofRuby)
  span.isRegularExpression = true
  return span
}()

extension Interpolation {
  fileprivate static let ofRuby = [Interpolation("#{", "{", "}")]
}

extension Scanner {
  /// Scans tokens that depend on their context: symbols, regular expressions, percent literals, variables and names.
  fileprivate mutating func scanRuby() -> Bool {
    let byte = next()
    switch byte {
    case UInt8(ascii: ":"): return scanSymbol()
    case UInt8(ascii: "%"): return scanPercentText()
    case UInt8(ascii: "/"): return scanRegularExpressionOfRuby()
    case UInt8(ascii: "<"): return scanHereDocumentOfRuby()
    case UInt8(ascii: "@"), UInt8(ascii: "$"): return scanVariable(byte)
    case UInt8(ascii: "?"):
      if last().isWord {
        emit(.plain, 1)
        return true
      }
      guard !next(1).isBlank, !next(1).isNewline, !next(2).isWord, next(1) != UInt8(ascii: "\\") else { return false }
      emit(.string, 2)
    case UInt8(ascii: "!"):
      guard last().isWord, next(1) != UInt8(ascii: "=") else { return false }
      emit(.plain, 1)
    case UInt8(ascii: "."):
      guard next(1).isLetter else { return false }
      emit(.operator, 1)
      emit(announcedClass ?? .plain, to: wordEnd(from: position))
      announcedClass = nil
      previousToken = .word
      return true
    case UInt8(ascii: "="):
      guard last().isNewline, has("=begin") else { return false }
      scanCommentOfRuby()
      return true
    default: return scanNameOfRuby(byte)
    }
    previousToken = .value
    return true
  }

  /// Scans `:name`, `:name?` and `:+`.
  private mutating func scanSymbol() -> Bool {
    guard last() != UInt8(ascii: ":"), next(1) != UInt8(ascii: ":") else { return false }
    if next(1).isLetter || (next(1) == UInt8(ascii: "@") && next(2).isLetter) {
      var offset = wordEnd(from: position + 2)
      if byte(offset) == UInt8(ascii: "?") || byte(offset) == UInt8(ascii: "!") { offset += 1 }
      emit(.string, to: offset)
    } else if "+-*/<>=[%&|^~".utf8.contains(next(1)), previousToken != .word, previousToken != .value {
      var offset = position + 1
      while offset < position + 4, "+-*/<>=[]%&|^~".utf8.contains(byte(offset)) { offset += 1 }
      emit(.string, to: offset)
    } else {
      return false
    }
    previousToken = .value
    return true
  }

  /// Scans percent literals such as `%w[…]` and `%(…)`.
  private mutating func scanPercentText() -> Bool {
    let hasLetter = "qQwWiIxsr".utf8.contains(next(1))
    let open = next(hasLetter ? 2 : 1)
    guard open != 0, !open.isWord, !open.isBlank, !open.isNewline else { return false }
    if !hasLetter {
      // `puts %(wordLists)` is a string literal, but `a % (b)` is an operation.
      let isArgument = previousToken == .word && last().isBlank && "([{<|".utf8.contains(open)
      if open == UInt8(ascii: "=") || previousToken == .value || (previousToken == .word && !isArgument) {
        return false
      }
    }
    let close: UInt8 =
      switch open {
      case UInt8(ascii: "("): UInt8(ascii: ")")
      case UInt8(ascii: "["): UInt8(ascii: "]")
      case UInt8(ascii: "{"): UInt8(ascii: "}")
      case UInt8(ascii: "<"): UInt8(ascii: ">")
      default: open
      }
    var offset = position + (hasLetter ? 3 : 2)
    var depth = 1
    while offset < end, depth > 0 {
      let byte = byte(offset)
      if byte == UInt8(ascii: "\\") {
        offset += 1
      } else if byte == close {
        depth -= 1
      } else if byte == open {
        depth += 1
      }
      offset += 1
    }
    emit(.string, to: wordEnd(from: offset))
    previousToken = .value
    return true
  }

  private mutating func scanRegularExpressionOfRuby() -> Bool {
    if previousToken == .sign || previousToken == .other || previousToken == .keyword,
      let index = lexicon.grammar.spans.firstIndex(where: \.isRegularExpression)
    {
      emit(.string, 1)
      previousToken = .value
      scanSpan(index)
      return true
    }
    let mayBegin = isFirstOnLine || (last().isBlank && !next(1).isBlank && next(1) != UInt8(ascii: "="))
    guard mayBegin, let close = regularExpressionEnd() else { return false }
    emit(.string, to: wordEnd(from: close))
    previousToken = .value
    return true
  }

  /// Scans `<<~NAME`. The rest of the line is program text, and the here document begins on the next line.
  private mutating func scanHereDocumentOfRuby() -> Bool {
    guard next(1) == UInt8(ascii: "<"), !state.isBeforeHereDocument, !last().isWord, last() != UInt8(ascii: ")") else {
      return false
    }
    var start = position + 2
    let mayBeIndented = byte(start) == UInt8(ascii: "~") || byte(start) == UInt8(ascii: "-")
    if mayBeIndented { start += 1 }
    let signEnd = start
    let quote = byte(start)
    let isQuoted = "\"'`".utf8.contains(quote)
    if isQuoted { start += 1 }
    guard byte(start).isLetter, mayBeIndented || isQuoted || byte(start).isUppercase else { return false }
    var name: [UInt8] = []
    while name.count < 64, byte(start + name.count).isWord { name.append(byte(start + name.count)) }
    if isQuoted, byte(start + name.count) != quote { return false }
    emit(.operator, to: signEnd)
    emit(.string, to: start + name.count + (isQuoted ? 1 : 0))
    emit(as: .ruby, to: lineEnd(from: position), notes: LanguageState(isBeforeHereDocument: true))
    emit(.plain, 1)
    while position < end {
      var offset = position
      while mayBeIndented, byte(offset).isBlank { offset += 1 }
      let lineEnd = lineEnd(from: position)
      let isLast = has(name, at: offset) && indexAfterBlanks(from: offset + name.count) >= lineEnd
      emit(.string, to: lineEnd)
      if isLast { break }
      emit(.string, 1)
    }
    previousToken = .nothing
    return true
  }

  private mutating func scanVariable(_ byte: UInt8) -> Bool {
    let signCount = next(1) == byte ? 2 : 1
    if next(signCount).isWord {
      emit(.type, to: wordEnd(from: position + signCount))
    } else if byte == UInt8(ascii: "$"), "!@&`'+~=/\\,;.<>_*$?:\"".utf8.contains(next(1)) {
      emit(.type, 2)
    } else {
      return false
    }
    previousToken = .value
    return true
  }

  private mutating func scanCommentOfRuby() {
    var offset = lineEnd(from: position)
    while offset < end {
      offset += 1
      let line = offset
      offset = lineEnd(from: offset)
      if has("=end", ahead: line - position) { break }
    }
    emit(.comment, to: offset)
  }

  /// Scans a key such as `name:`, or a constant. Returns `false` for any other name.
  private mutating func scanNameOfRuby(_ byte: UInt8) -> Bool {
    let wordEnd = wordEnd(from: position)
    if announcedClass == .function, self.byte(wordEnd) == UInt8(ascii: ".") {
      emit(.type, to: wordEnd)
      return true
    }
    if isFirstOnLine, byte == UInt8(ascii: "_"), has("__END__\n") {
      emit(.comment, to: end)
      return true
    }
    if self.byte(wordEnd) == UInt8(ascii: ":"), self.byte(wordEnd + 1) != UInt8(ascii: ":"),
      !(self.byte(wordEnd + 1).isLetter)
    {
      emit(.string, to: wordEnd)
      emit(.plain, 1)
      previousToken = .other
      return true
    }
    guard byte.isUppercase, wordEnd > position + 1, announcedClass == nil, entry(to: wordEnd) == nil else {
      return false
    }
    emit(.type, to: wordEnd)
    previousToken = .word
    return true
  }
}
