/// A piece of a text around the words that were searched for.
public struct Snippet: Hashable, Sendable {
  /// A run of the text.
  public struct Part: Hashable, Sendable {
    /// What it says.
    public let text: String
    /// Whether it is a word that was searched for.
    public let isMatch: Bool

    /// Makes a part.
    public init(text: String, isMatch: Bool) {
      self.text = text
      self.isMatch = isMatch
    }
  }

  /// The runs, one after another. They are one line.
  public let parts: [Part]

  /// Makes a snippet of those runs.
  public init(parts: [Part]) {
    self.parts = parts
  }

  /// All of it, without any marks.
  public var text: String { parts.map(\.text).joined() }
}
