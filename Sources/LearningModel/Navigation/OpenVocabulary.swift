/// An enumeration of values in the log that newer versions may extend. Unknown values are kept and passed on unchanged.
///
/// `init(rawValue:)` accepts known values only, for the input of users. ``init(logged:)`` accepts all values, for data
/// that another version may have written.
public protocol OpenVocabulary: RawRepresentable, CaseIterable, Codable, CustomStringConvertible, Hashable, Sendable
where RawValue == String, AllCases == [Self] {
  /// A value that a newer version has written.
  static func other(_ word: String) -> Self
  /// The known values by their raw values.
  static var meanings: [String: Self] { get }
}

extension OpenVocabulary {
  /// Creates a known value. Returns `nil` for an unknown raw value.
  public init?(rawValue word: String) {
    guard let meaning = Self.meanings[word] else { return nil }
    self = meaning
  }

  /// The raw value.
  public var description: String { rawValue }

  /// Creates a value from a raw value in the log, which may be unknown.
  public init(logged word: String) { self = Self(rawValue: word) ?? .other(word) }

  /// Decodes a value, which may be unknown.
  ///
  /// - Throws: `DecodingError` if no version can have written the raw value: it must have 1 to 40 ASCII letters and
  ///   digits, and begin with a lower-case letter.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    let isWord =
      word.first?.isLowercase == true && word.utf8.count <= 40
      && word.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
      }
    guard isWord else {
      let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "The log has no such word.")
      throw DecodingError.dataCorrupted(context)
    }
    self.init(logged: word)
  }

  /// Encodes the raw value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
