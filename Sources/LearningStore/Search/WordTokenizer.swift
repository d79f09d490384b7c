/// Splits a text into words in the form that the search index uses, with the position of each word.
///
/// Each letter of a script without spaces is a separate word here, so a pair of letters in the index corresponds to two
/// words. Full-width letters are reported as ASCII letters, as in the index.
struct WordTokenizer {
  /// The number of bytes that are read. The rest of a longer text is ignored.
  private static let maximumBytes = 1 << 20

  private let tokenizer: IndexTokenizer

  init(_ tokenizer: IndexTokenizer) { self.tokenizer = tokenizer }

  /// Returns all words of a short text.
  func all(in text: String) -> [[UInt8]] {
    let reader = WordList()
    each(in: text) { word, _, _ in
      reader.words.append(Array(word))
      return true
    }
    return reader.words
  }

  private final class WordList {
    var words: [[UInt8]] = []
  }

  /// Passes each word of a text to a reader, until the reader returns `false`.
  func forEachWord(of text: String, to reader: PassageReader) {
    each(in: text, reader.append)
  }

  /// Receives a word, its range in bytes of UTF-8, and its width in a passage. Returns whether to continue.
  private typealias Body = (UnsafeRawBufferPointer, Range<Int>, Int) -> Bool

  private func each(in text: String, _ body: @escaping Body) {
    var text = text
    guard LetterPairs.areNeeded(for: text) else {
      return text.withUTF8 { bytes in
        _ = read(
          UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes).prefix(Self.maximumBytes)), from: 0, body)
      }
    }
    let letters = text.unicodeScalars
    Array(text.utf8).withUnsafeBytes { bytes in
      var (next, place) = (0, 0)
      for letter in letters where place < Self.maximumBytes {
        let end = place + UTF8.width(letter)
        defer { place = end }
        guard LetterPairs.contains(letter) else { continue }
        guard read(UnsafeRawBufferPointer(rebasing: bytes[next..<place]), from: next, body),
          body(UnsafeRawBufferPointer(rebasing: bytes[place..<end]), place..<end, PassageReader.widthOfLetter)
        else { return }
        next = end
      }
      _ = read(UnsafeRawBufferPointer(rebasing: bytes[next..<max(next, place)]), from: next, body)
    }
  }

  /// Reads a part of a text that contains no letters of scripts without spaces.
  ///
  /// - Returns: Whether to continue.
  private func read(_ bytes: UnsafeRawBufferPointer, from place: Int, _ body: @escaping Body) -> Bool {
    guard !bytes.isEmpty else { return true }
    let tokenContext = TokenContext(place: place, body: body)
    tokenizer.tokenize(
      bytes.bindMemory(to: CChar.self), context: Unmanaged.passUnretained(tokenContext).toOpaque()
    ) { context, _, token, length, start, end in
      guard let context, let token else { return 0 }
      let tokenContext = Unmanaged<TokenContext>.fromOpaque(context).takeUnretainedValue()
      tokenContext.receive(
        UnsafeRawBufferPointer(start: token, count: Int(length)),
        at: tokenContext.place + Int(start)..<tokenContext.place + Int(end))
      // Any result other than 0 ends the tokenization.
      return tokenContext.continues ? 0 : 1
    }
    return tokenContext.continues
  }

  /// The state of a tokenization, which SQLite passes to the callback as one pointer.
  private final class TokenContext {
    let place: Int
    let body: Body
    var continues = true

    init(place: Int, body: @escaping Body) {
      self.place = place
      self.body = body
    }

    func receive(_ word: UnsafeRawBufferPointer, at place: Range<Int>) {
      // The UTF-8 forms of full-width letters begin with this byte.
      guard word.contains(0xEF) else {
        continues = body(word, place, PassageReader.widthOfWord)
        return
      }
      var plain = LetterPairs.plain(String(decoding: word, as: UTF8.self))
      continues = plain.withUTF8 { body(UnsafeRawBufferPointer($0), place, PassageReader.widthOfWord) }
    }
  }
}
