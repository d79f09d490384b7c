/// A stretch of text of one class.
public struct HighlightedRun: Hashable, Sendable {
  /// Where it starts, in bytes of UTF-8 from the start of the text.
  public var start: Int
  /// How long it is, in bytes of UTF-8; at least 1.
  public var count: Int
  /// What it is.
  public var tokenClass: TokenClass

  /// Creates a run.
  public init(start: Int, count: Int, tokenClass: TokenClass) {
    self.start = start
    self.count = count
    self.tokenClass = tokenClass
  }

  /// Where the next run starts, in bytes of UTF-8.
  public var end: Int { start + count }
}
