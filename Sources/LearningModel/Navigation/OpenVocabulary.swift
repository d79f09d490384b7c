/// The words of a log to which later programs may add some: one that is not known here is kept as it is written, and passed on
/// unchanged.
///
/// `init(rawValue:)` takes known words only, as somebody may give them; ``init(logged:)`` takes any, as another program may
/// have written them.
public protocol OpenVocabulary: RawRepresentable, CaseIterable, Codable, CustomStringConvertible, Hashable, Sendable
where RawValue == String, AllCases == [Self] {
  /// A word that a later program has written.
  static func other(_ word: String) -> Self
  /// What the known words mean.
  static var meanings: [String: Self] { get }
}

extension OpenVocabulary {
  /// Reads a known word; `nil` for any other.
  public init?(rawValue word: String) {
    guard let known = Self.meanings[word] else { return nil }
    self = known
  }

  /// The word.
  public var description: String { rawValue }

  /// Reads a word of the log.
  public init(logged word: String) { self = Self(rawValue: word) ?? .other(word) }

  /// Reads a word of a record.
  ///
  /// - Throws: `DecodingError` for what no version writes: a word has 1 to 40 letters and digits of ASCII, and begins with a
  ///   small one.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    let isWord =
      word.first?.isLowercase == true && word.utf8.count <= 40
      && word.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
      }
    guard isWord else {
      let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "This is no word of a log.")
      throw DecodingError.dataCorrupted(context)
    }
    self.init(logged: word)
  }

  /// Writes the word.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
