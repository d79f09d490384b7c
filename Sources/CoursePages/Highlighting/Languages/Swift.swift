extension Language {
  /// Swift.
  static let swift = Language(
    "Swift", aliases: ["swift"],
    Grammar(
      wordLists: [
        WordList(
          .keyword,
          """
          as async await break case catch continue default defer do else fallthrough for guard if in is repeat return switch throw
          try where while associativity convenience dynamic didSet final get indirect infix inout lazy left mutating none
          nonmutating optional override postfix precedence prefix Protocol required rethrows right set throws Type unowned weak
          willSet dynamicType false nil self Self super true _ actor associatedtype deinit import init internal operator
          private public static subscript typealias fileprivate package open some any borrowing consuming nonisolated
          """),
        WordList(.keyword, "var let", announcing: .plain),
        WordList(.keyword, "func", announcing: .function),
        WordList(.keyword, "class enum extension struct protocol", announcing: .type),
        WordList(.keyword, "import", announcing: .type),
        WordList(
          .type,
          """
          Array Bool Character Dictionary Double Float Float80 Int Int8 Int16 Int32 Int64 ObjectIdentifier Optional Range
          ClosedRange Slice StaticString String UInt UInt8 UInt16 UInt32 UInt64 UTF8 UTF16 UTF32 Unmanaged UnsafeBufferPointer
          UnsafeMutableBufferPointer UnsafeMutablePointer UnsafePointer ContiguousArray AnyObject Comparable Equatable Hashable
          RawRepresentable Strideable Any AnyClass CBool CChar CDouble CFloat CInt CLong CShort Float32 Float64 Void Selector
          NSObjectProtocol Bit Repeat Word Process SequenceType CollectionType GeneratorType Printable
          """),
        WordList(
          .function,
          """
          abs advance assert assertionFailure contains count debugPrint distance dropFirst dropLast dump enumerate equal extend
          fatalError filter find first indices insert isEmpty join last map max maxElement min minElement numericCast
          overlaps partition precondition preconditionFailure print println reduce removeAll removeAtIndex removeLast
          reverse sizeof sort sorted splice split startsWith stride suffix swap toString transcode unsafeBitCast
          withExtendedLifetime withUnsafeMutablePointer withUnsafePointer
          """),
      ],
      spans: [
        .line(.comment, "//"),
        .block(.comment, "/*", "*/", nests: true),
        .block(.string, "\"\"\"", "\"\"\"", escape: nil, [Interpolation("\\(", "(", ")")]),
        .text("\"", "\"", escape: nil, [Interpolation("\\(", "(", ")")]),
      ],
      fixedSigns: [FixedSign(.plain, "->")],
      operators: "/=-+!*%<>&|^?~",
      special: SpecialRule(bytes: "#@$<>?!&") { $0.scanSwift() }))
}

extension Scanner {
  /// Scans raw string literals, directives, attributes, and the characters that are punctuation next to a word.
  fileprivate mutating func scanSwift() -> Bool {
    let byte = next()
    switch byte {
    case UInt8(ascii: "#"):
      let signs = countSigns(UInt8(ascii: "#"), from: position)
      if next(signs) == UInt8(ascii: "\"") {
        emitRawText(open: signs + 1, signs: signs)
        return true
      }
      guard signs == 1, next(1).isLetter else {
        emit(.plain, signs)
        return true
      }
      emit(.keyword, to: wordEnd(from: position + 1))
    case UInt8(ascii: "@"):
      guard next(1).isLetter else { return false }
      emit(.keyword, to: wordEnd(from: position + 1))
    case UInt8(ascii: "$"):
      guard next(1).isDigit else { return false }
      emit(.plain, to: wordEnd(from: position + 1))
    case UInt8(ascii: ">"), UInt8(ascii: "!"):
      guard last().isWord else { return false }
      emit(.plain, 1)
    case UInt8(ascii: "?"):
      guard last().isWord || (next(1).isWord && !previousIsSign()) else { return false }
      emit(.plain, 1)
    default:
      guard next(1).isWord, !previousIsSign() else { return false }
      emit(.plain, 1)
      previousToken = .other
      return true
    }
    announcedClass = nil
    previousToken = .value
    return true
  }

  private mutating func previousIsSign() -> Bool { lexicon.kinds[Int(last())] == .sign }
}
