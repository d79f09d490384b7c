extension Language {
  /// JavaScript.
  static let javaScript = Language(
    "JavaScript", aliases: ["javascript", "js", "mjs", "cjs", "jsx", "node", "ecmascript"],
    Grammar.ofScripts(words: WordList.ofScripts, announcesTypes: false))

  /// TypeScript.
  static let typeScript = Language(
    "TypeScript", aliases: ["typescript", "ts", "tsx", "mts", "cts"],
    Grammar.ofScripts(
      words: WordList.ofScripts + [
        WordList(
          .keyword, "readonly override declare type abstract implements private protected public enum interface"),
        WordList(.keyword, "module namespace", .beforeWord),
        WordList(.type, "string boolean number"),
      ], announcesTypes: true))
}

extension WordList {
  fileprivate static let ofScripts = [
    WordList(
      .keyword,
      """
      typeof instanceof in void delete new constructor from as for while do break return continue switch case default if else
      throw try catch finally yield await async this of static export import debugger extends super var let const with function
      class abstract boolean byte char double enum final float goto implements int interface long native package private
      protected public short synchronized throws transient volatile true false null NaN Infinity undefined
      """),
    WordList(
      .type,
      """
      Array Boolean Date BigInt Function Math ArrayBuffer Number Object RegExp String Promise Proxy decodeURI
      decodeURIComponent encodeURI encodeURIComponent eval isFinite isNaN parseFloat parseInt DataView document window
      globalThis global arguments Symbol Intl WeakSet WeakMap Set Map Reflect JSON Atomics Int8Array Int16Array Int32Array
      BigInt64Array Float32Array Float64Array Uint8ClampedArray Uint8Array Uint16Array Uint32Array BigUint64Array Error
      EvalError InternalError RangeError ReferenceError SyntaxError TypeError URIError
      """),
  ]
}

extension Grammar {
  /// Returns the grammar that JavaScript and TypeScript share.
  fileprivate static func ofScripts(words: [WordList], announcesTypes: Bool) -> Grammar {
    Grammar(
      wordLists: words, wordBytes: "$",
      spans: [
        .line(.comment, "//"),
        .block(.comment, "/*", "*/"),
        .text("\"", "\""),
        .text("'", "'"),
        .block(.string, "`", "`", escape: "\\", [Interpolation("${", "{", "}")]),
      ],
      fixedSigns: [FixedSign(.plain, "..."), FixedSign(.plain, "=>")],
      operators: "+-*/%&|^<>?!~=:", hasTrailingPoints: true,
      special: SpecialRule(bytes: announcesTypes ? "/#@:" : "/#") { $0.scanScript() })
  }
}

extension Scanner {
  /// Scans regular expressions, private names and, in TypeScript, decorators and type annotations.
  fileprivate mutating func scanScript() -> Bool {
    switch next() {
    case UInt8(ascii: "/"): return scanRegularExpression()
    case UInt8(ascii: "#"):
      if position == 0, next(1) == UInt8(ascii: "!") {
        emit(.comment, to: lineEnd(from: position))
        return true
      }
      guard next(1).isLetter else { return false }
      emit(.plain, to: wordEnd(from: position + 1))
    case UInt8(ascii: "@"):
      guard next(1).isLetter else { return false }
      emit(.keyword, to: wordEnd(from: position + 1))
    default:
      guard previousToken == .word || previousToken == .keyword || last() == UInt8(ascii: "?") else { return false }
      emit(.operator, 1)
      previousToken = .sign
      let offset = indexAfterBlanks(from: position)
      guard byte(offset).isLetter else { return true }
      emit(.plain, to: offset)
      emitPath(.type, from: offset)
    }
    previousToken = .word
    return true
  }

  /// Scans `/…/flags` in a position where a value is allowed, if it is closed on its line.
  private mutating func scanRegularExpression() -> Bool {
    guard next(1) != UInt8(ascii: "/"), next(1) != UInt8(ascii: "*") else { return false }
    guard isFirstOnLine || (previousToken != .word && previousToken != .value) else { return false }
    guard let close = regularExpressionEnd() else { return false }
    emit(.string, to: wordEnd(from: close))
    previousToken = .value
    return true
  }

  /// Returns the end of the regular expression that begins here, or `nil` if it is not closed on its line within 500
  /// bytes.
  mutating func regularExpressionEnd() -> Int? {
    // To keep the time linear, no search starts inside the text that a failed search has read.
    guard position >= state.noExpressionBefore else { return nil }
    var offset = position + 1
    var isInSet = false
    while offset < min(end, position + 500) {
      switch byte(offset) {
      case 0x0A:
        state.noExpressionBefore = offset
        return nil
      case UInt8(ascii: "\\"): offset += 1
      case UInt8(ascii: "["): isInSet = true
      case UInt8(ascii: "]"): isInSet = false
      case UInt8(ascii: "/"): if !isInSet { return offset + 1 }
      default: break
      }
      offset += 1
    }
    state.noExpressionBefore = offset
    return nil
  }
}
