/// One thing to say about a source.
public struct Diagnostic: Hashable, Codable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Codable, Sendable {
    /// The source cannot be imported as it is.
    case error
    /// It can, but its author will want to know.
    case warning
  }

  /// How bad it is.
  public let severity: Severity
  /// The file, as a path below the source; the source's name where it is the file itself.
  public let file: String
  /// The line, from 1; `nil` where it is about the whole file.
  public let line: Int?
  /// What was found, and what to do about it.
  public let message: String

  /// Makes a diagnostic.
  public init(severity: Severity, file: String, line: Int? = nil, message: String) {
    self.severity = severity
    self.file = file
    self.line = line
    self.message = message
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line: severity: message`, as compilers print it.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(severity.rawValue): \(message)"
  }
}

/// Something that a terminal cannot show, counted over a whole source.
public struct Loss: Hashable, Codable, Sendable {
  /// What it is, in the singular, such as `image`.
  public let what: String
  /// How many there are.
  public var count: Int
  /// What became of them, such as `alternative text shown`.
  public let treatment: String

  /// Counts a loss.
  public init(what: String, count: Int, treatment: String) {
    self.what = what
    self.count = count
    self.treatment = treatment
  }
}
