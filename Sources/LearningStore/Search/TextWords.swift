import GRDB

/// The words of a text one after the other, as the index knows words, with where each stands.
///
/// A letter of a script without blanks is a word by itself here: a pair of the index is two that follow each other. Wide
/// letters are told as the plain ones that the index has for them.
struct TextWords {
  /// Of a longer text only the beginning is read.
  private static let mostBytes = 1 << 20

  private let tokenizer: any FTS5Tokenizer

  init(in database: Database) throws {
    // As the table of the index says.
    tokenizer = try database.makeTokenizer(.unicode61(diacritics: .remove))
  }

  /// All words of a short text.
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

  /// Hands each word of a text to a reader, until that has enough.
  func tell(of text: String, to reader: PassageReader) {
    each(in: text, reader.take)
  }

  /// A word, where it stands in bytes of UTF-8, and how much room it takes; returns whether to continue.
  private typealias Body = (UnsafeRawBufferPointer, Range<Int>, Int) -> Bool

  private func each(in text: String, _ body: @escaping Body) {
    var text = text
    guard LetterPairs.areNeeded(for: text) else {
      return text.withUTF8 { bytes in
        _ = read(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes).prefix(Self.mostBytes)), from: 0, body)
      }
    }
    let letters = text.unicodeScalars
    Array(text.utf8).withUnsafeBytes { bytes in
      var (next, place) = (0, 0)
      for letter in letters where place < Self.mostBytes {
        let end = place + UTF8.width(letter)
        defer { place = end }
        guard LetterPairs.contains(letter) else { continue }
        guard read(UnsafeRawBufferPointer(rebasing: bytes[next..<place]), from: next, body),
          body(UnsafeRawBufferPointer(rebasing: bytes[place..<end]), place..<end, PassageReader.roomOfLetter)
        else { return }
        next = end
      }
      _ = read(UnsafeRawBufferPointer(rebasing: bytes[next..<max(next, place)]), from: next, body)
    }
  }

  /// Reads a piece of a text without such letters.
  ///
  /// - Returns: Whether to continue.
  private func read(_ bytes: UnsafeRawBufferPointer, from place: Int, _ body: @escaping Body) -> Bool {
    guard !bytes.isEmpty else { return true }
    let piece = Piece(place: place, body: body)
    _ = tokenizer.tokenize(
      context: Unmanaged.passUnretained(piece).toOpaque(), tokenization: .document,
      pText: bytes.bindMemory(to: CChar.self).baseAddress, nText: CInt(bytes.count)
    ) { context, _, token, length, start, end in
      guard let context, let token else { return 0 }
      let piece = Unmanaged<Piece>.fromOpaque(context).takeUnretainedValue()
      piece.take(
        UnsafeRawBufferPointer(start: token, count: Int(length)), at: piece.place + Int(start)..<piece.place + Int(end))
      // Any other number than 0 ends the reading.
      return piece.goesOn ? 0 : 1
    }
    return piece.goesOn
  }

  /// What SQLite's function that tells of each word hands on as one pointer.
  private final class Piece {
    let place: Int
    let body: Body
    var goesOn = true

    init(place: Int, body: @escaping Body) {
      self.place = place
      self.body = body
    }

    func take(_ word: UnsafeRawBufferPointer, at place: Range<Int>) {
      // Wide letters begin with this byte.
      guard word.contains(0xEF) else {
        goesOn = body(word, place, PassageReader.roomOfWord)
        return
      }
      var plain = LetterPairs.plain(String(decoding: word, as: UTF8.self))
      goesOn = plain.withUTF8 { body(UnsafeRawBufferPointer($0), place, PassageReader.roomOfWord) }
    }
  }
}
