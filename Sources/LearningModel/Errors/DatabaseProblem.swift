/// A contradiction that a check of a database found.
public struct DatabaseProblem: Hashable, Sendable, CustomStringConvertible {
  /// What was found, as one sentence.
  public let description: String
  /// What the user can do about it; `nil` if nothing helps, or if `description` includes the advice.
  public let remedy: Remedy?

  /// Creates a problem from its parts.
  package init(_ description: String, remedy: Remedy? = nil) {
    self.description = description
    self.remedy = remedy
  }
}
