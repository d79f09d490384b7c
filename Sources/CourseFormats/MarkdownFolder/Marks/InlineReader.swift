/// Goes through a text byte by byte, and writes another one.
struct InlineReader {
  private let bytes: [UInt8]
  private var written: [UInt8] = []
  private(set) var position = 0
  /// Where each text that was looked for stands next, and from where on that holds.
  private var nexts: [String: (from: Int, found: Int?)] = [:]

  init(_ text: String) {
    bytes = Array(text.utf8)
    written.reserveCapacity(bytes.count)
  }

  /// What was written.
  var result: String { String(decoding: written, as: UTF8.self) }
  var peek: UInt8? { position < bytes.count ? bytes[position] : nil }
  /// The byte that was written last.
  var last: UInt8? { written.last }
  func byte(at index: Int) -> UInt8? { bytes.indices.contains(index) ? bytes[index] : nil }

  var isAtLineStart: Bool {
    let before = written.lastIndex { $0 != 0x20 && $0 != 0x09 }
    return before.map { written[$0] == 0x0A } ?? true
  }

  func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  func text(from start: Int, to end: Int) -> String {
    let end = min(end, bytes.count)
    return start < end ? String(decoding: bytes[start..<end], as: UTF8.self) : ""
  }

  /// Where a text stands next. What was found once is remembered, so that asking at each brace of a page costs no more
  /// than going through it.
  ///
  /// - Parameters:
  ///   - start: Where to begin; `nil` for here.
  ///   - reach: How far away it may begin, in bytes.
  mutating func find(_ text: String, after start: Int? = nil, within reach: Int = .max) -> Int? {
    let start = start ?? position
    var found = nexts[text]?.found
    let isKnown = nexts[text].map { $0.from <= start && start <= ($0.found ?? .max) } ?? false
    if !isKnown {
      found = next(Array(text.utf8), from: start)
      nexts[text] = (start, found)
    }
    return found.flatMap { $0 - start <= reach ? $0 : nil }
  }

  private func next(_ wanted: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index + wanted.count <= bytes.count {
        if bytes[index] == wanted[0], wanted.indices.allSatisfy({ bytes[index + $0] == wanted[$0] }) { return index }
        index += 1
      }
      return nil
    }
  }

  mutating func copy(_ count: Int) {
    let end = min(bytes.count, position + count)
    written += bytes[position..<end]
    position = end
  }

  mutating func skip(to index: Int) { position = min(index, bytes.count) }
  mutating func write(_ text: String) { written += text.utf8 }

  /// Where the parenthesis that opens at a place is closed, on the same line.
  ///
  /// - Parameter reach: How far away that may be, in bytes.
  func closingParenthesis(after start: Int, within reach: Int) -> Int? {
    var depth = 0
    for index in start..<min(bytes.count, start + reach) {
      switch bytes[index] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case 0x0A: return nil
      default: break
      }
      if depth == 0 { return index }
    }
    return nil
  }

  /// Program text between back-ticks that begins at a place: its words, and where it ends.
  func codeSpan(at start: Int) -> (text: String, end: Int)? {
    var count = 0
    while byte(at: start + count) == UInt8(ascii: "`") { count += 1 }
    guard count > 0 else { return nil }
    var index = start + count
    var run = 0
    while index <= bytes.count {
      if byte(at: index) == UInt8(ascii: "`") {
        run += 1
      } else {
        if run == count { return (text(from: start + count, to: index - run), index) }
        run = 0
        // A paragraph's end is the end of what begins in it.
        if byte(at: index) == 0x0A, byte(at: index + 1) == 0x0A { return nil }
      }
      index += 1
    }
    return nil
  }

  /// Copies program text as it is, or the back-ticks alone where nothing ends it.
  mutating func copyCodeSpan() {
    if let span = codeSpan(at: position) {
      write(PageMarks.unescaped(text(from: position, to: span.end)))
      position = span.end
    } else {
      while peek == UInt8(ascii: "`") { copy(1) }
    }
  }

  /// Gives the picture that was just written its words, where it has none.
  mutating func describePicture(_ words: String) {
    let tail = Array(written.suffix(2_000))
    guard let start = tail.indices.last(where: { tail[$0...].starts(with: "![](".utf8) }) else { return }
    written.insert(contentsOf: words.utf8, at: written.count - tail.count + start + 2)
  }

  /// Takes an exclamation mark back that was written last: what follows is no picture.
  mutating func unwriteExclamationMark() {
    if written.last == UInt8(ascii: "!") { written.removeLast() }
  }
}
