/// A contradiction that was found when checking a database.
public struct DatabaseProblem: Hashable, Sendable, CustomStringConvertible {
  /// The contradiction, as a sentence.
  public let description: String
  /// The remedy, if it depends on the program. Otherwise `nil`.
  public let remedy: Remedy?

  package init(_ description: String, remedy: Remedy? = nil) {
    self.description = description
    self.remedy = remedy
  }
}
