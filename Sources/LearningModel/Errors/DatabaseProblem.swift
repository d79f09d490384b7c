/// A contradiction that a check of a database found.
public struct DatabaseProblem: Hashable, Sendable, CustomStringConvertible {
  /// The contradiction, as one sentence.
  public let description: String
  /// The advice, if each program offers it in its own way; otherwise `nil`.
  public let remedy: Remedy?

  /// Creates a problem from its parts.
  package init(_ description: String, remedy: Remedy? = nil) {
    self.description = description
    self.remedy = remedy
  }
}
