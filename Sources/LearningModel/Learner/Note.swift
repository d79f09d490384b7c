/// Words that a learner wrote beside a text, or words of it that they highlighted.
public struct Note: Hashable, Sendable, Identifiable {
  /// Its name everywhere: a UUID in lower case.
  public let id: String
  /// What was written; empty for a highlight.
  public var text: String
  /// Which words of the text it is about.
  public var anchor: NoteAnchor
  /// When it was first written.
  public var createdAt: Timestamp
  /// When it was last changed.
  public var changedAt: Timestamp

  /// The largest number of characters of a note's text. A longer text is refused.
  public static let longestText = 4_000

  /// Makes a note.
  public init(id: String, text: String, anchor: NoteAnchor, createdAt: Timestamp, changedAt: Timestamp) {
    self.id = id
    self.text = text
    self.anchor = anchor
    self.createdAt = createdAt
    self.changedAt = changedAt
  }

  /// Whether it is a highlight without words.
  public var isHighlight: Bool { text.isEmpty }
}
