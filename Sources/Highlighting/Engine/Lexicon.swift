/// A language's table, made ready for the engine: what each byte may begin, and words found by their hash.
final class Lexicon: Sendable {
  /// What a byte is on its own.
  enum Kind: UInt8, Sendable { case other, blank, newline, word, digit, sign }

  let grammar: Grammar
  let words: WordTable
  let kinds: [Kind]
  /// Whether a byte may be part of a word.
  let isWord: [Bool]
  /// Whether a span or a mark begins with a byte.
  let opens: [Bool]
  /// Whether the language's own code is tried at a byte.
  let isSpecial: [Bool]
  /// Spans and marks by their first bytes, the longest first.
  let openings: [[Opening]]
  let passed: [UInt8]
  let digitSeparators: [UInt8]
  let suffixes: [UInt8]

  enum Opening: Sendable {
    case span(Int)
    case mark(Int)
  }

  init(_ grammar: Grammar) {
    self.grammar = grammar
    words = WordTable(grammar.words, ignoresCase: grammar.ignoresCase)
    passed = Array(grammar.passed.utf8)
    suffixes = Array(grammar.suffixes.utf8)
    digitSeparators = Array(grammar.digitSeparators.utf8)

    var kinds = (0...255).map { byte -> Kind in
      let byte = UInt8(byte)
      return byte.isNewline ? .newline : byte.isBlank ? .blank : byte.isLetter ? .word : byte.isDigit ? .digit : .other
    }
    var isWord = kinds.map { $0 == .word || $0 == .digit }
    for byte in grammar.operators.utf8 { kinds[Int(byte)] = .sign }
    for byte in grammar.wordBytes.utf8 {
      kinds[Int(byte)] = .word
      isWord[Int(byte)] = true
    }
    self.kinds = kinds
    self.isWord = isWord

    var openings = Array(repeating: [(count: Int, opening: Opening)](), count: 256)
    for (index, span) in grammar.spans.enumerated() where !span.isRegularExpression {
      openings[Int(span.open[0])].append((span.open.count, .span(index)))
    }
    for (index, mark) in grammar.marks.enumerated() {
      openings[Int(mark.bytes[0])].append((mark.bytes.count, .mark(index)))
    }
    self.openings = openings.map { found in found.sorted { $0.count > $1.count }.map(\.opening) }
    opens = openings.map { !$0.isEmpty }
    let special = Array((grammar.special?.bytes ?? "").utf8)
    isSpecial = (0...255).map { special.contains(UInt8($0)) }
  }
}
