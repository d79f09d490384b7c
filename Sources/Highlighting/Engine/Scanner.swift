/// Goes through a text from its first byte to its last, and says the class of every byte.
///
/// Nothing is looked at twice without bound: a look ahead ends after a fixed number of bytes, or what it has seen is
/// emitted. `steps` counts the bytes that were looked at, so that tests can hold the work against the length.
struct Scanner {
  /// What stood last, blanks apart.
  enum Previous { case nothing, word, keyword, value, sign, other }

  /// An interpolation that is open.
  struct Frame {
    var span: Int
    var interpolation: Int
    var depth = 0
    /// Whether the span is within another of its kind; so many, with this.
    var nesting: Int
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let lexicon: Lexicon
  /// Where the text ends for this scanner.
  let end: Int
  /// The first byte that has no class yet.
  private(set) var position: Int
  private(set) var runs: [HighlightedRun] = []
  private(set) var steps = 0

  var previous = Previous.nothing
  /// Whether nothing but blanks stands in front on this line.
  var isFirstOnLine = true
  /// What the last word or mark says of the next word.
  var announced: TokenClass?
  var frames: [Frame] = []
  var functions = FunctionFinder()
  /// Counters and flags of a language's own code.
  var notes = Notes()

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ lexicon: Lexicon, from start: Int = 0, to end: Int? = nil) {
    self.bytes = bytes
    self.lexicon = lexicon
    self.end = min(end ?? bytes.count, bytes.count)
    position = start
    runs.reserveCapacity((self.end - start) / 6)
  }

  /// The byte there; 0 behind the end and in front of the text.
  @inline(__always) mutating func byte(_ offset: Int) -> UInt8 {
    steps &+= 1
    return offset < end && offset >= 0 ? bytes[offset] : 0
  }

  /// The byte that is next; 0 at the end.
  @inline(__always) mutating func next(_ ahead: Int = 0) -> UInt8 { byte(position + ahead) }

  /// The last byte that has a class; a line's end at the start.
  @inline(__always) mutating func last() -> UInt8 { position > 0 ? byte(position - 1) : 0x0A }

  /// Gives everything up to that offset a class.
  @inline(__always) mutating func emit(_ tokenClass: TokenClass, to offset: Int) {
    var stop = min(offset, end)
    guard stop > position else { return }
    // No character is cut in two.
    while stop < end, bytes[stop] & 0xC0 == 0x80 { stop += 1 }
    if let index = runs.indices.last, runs[index].tokenClass == tokenClass {
      runs[index].count += stop - position
    } else {
      runs.append(HighlightedRun(start: position, count: stop - position, tokenClass: tokenClass))
    }
    position = stop
  }

  /// Gives so many bytes a class.
  @inline(__always) mutating func emit(_ tokenClass: TokenClass, _ count: Int) {
    emit(tokenClass, to: position + count)
  }

  /// Lets another language say the classes up to that offset.
  mutating func emit(as language: Language, to offset: Int, notes: Notes = Notes()) {
    let stop = min(offset, end)
    guard stop > position else { return }
    var inner = Scanner(bytes, language.lexicon, from: position, to: stop)
    inner.notes = notes
    inner.scan()
    steps &+= inner.steps
    for run in inner.runs { emit(run.tokenClass, to: run.end) }
  }

  // MARK: Looking ahead

  /// Whether those bytes stand there.
  @inline(__always) mutating func has(_ wanted: [UInt8], at offset: Int) -> Bool {
    for index in wanted.indices where byte(offset + index) != wanted[index] { return false }
    return true
  }

  /// Whether that ASCII text stands next.
  mutating func has(_ wanted: StaticString, ahead: Int = 0) -> Bool {
    for index in 0..<wanted.utf8CodeUnitCount where next(ahead + index) != wanted.utf8Start[index] { return false }
    return true
  }

  /// Where the line ends that holds that offset: at its line feed, or at the end of the text.
  mutating func lineEnd(from offset: Int) -> Int {
    var offset = offset
    while offset < end, byte(offset) != 0x0A { offset += 1 }
    return offset
  }

  /// Where the word ends that begins there.
  mutating func wordEnd(from offset: Int) -> Int {
    var offset = offset
    while offset < end, byte(offset).isWord { offset += 1 }
    return offset
  }

  /// Where the first byte stands that is no blank, of at most `limit`.
  mutating func pastBlanks(from offset: Int, limit: Int = 64) -> Int {
    var offset = offset
    let stop = min(end, offset + limit)
    while offset < stop, byte(offset).isBlank { offset += 1 }
    return offset
  }
}

/// What languages with code of their own remember between lines.
struct Notes {
  /// How many brackets are open.
  var depth = 0
  /// What is open, from the outside in, each under a byte of its language's choice.
  var open: [UInt8] = []
  /// Up to where no regular expression begins that its line closes.
  var noExpressionBefore = 0
  /// Whether a list of names may follow, as behind `import Data.Map`.
  var expectsList = false
  /// Whether this is the rest of a line whose document stands on the lines below it.
  var isBesideDocument = false
}
