/// An error with a description for people, a coarse kind and, if the advice depends on the program, a remedy.
///
/// The errors of all modules have this form. A front end shows `description`, followed by the ``remedy`` in its own words.
public protocol ExplainedError: Error, CustomStringConvertible {
  /// The kind of the failure, from which a program derives an exit code or an HTTP status.
  var kind: FailureKind { get }

  /// The advice, if it takes an action that each program offers in its own way, such as choosing another database. `nil` if
  /// `description` includes the advice, or without any advice.
  var remedy: Remedy? { get }
}

extension ExplainedError {
  /// No remedy of the front end is needed.
  public var remedy: Remedy? { nil }
}

/// The kind of a failure, by what the caller can do about it.
public enum FailureKind: String, Codable, CaseIterable, Hashable, Sendable {
  /// The request is not possible in this state, or the failure is of no other kind.
  case refused
  /// The given content is bad, for example a source that cannot be imported or a damaged database.
  case badData
  /// The named thing does not exist.
  case notFound
  /// A required resource is missing, for example a terminal or a local disk.
  case unavailable
  /// A file or folder cannot be created.
  case cannotCreate
  /// Reading or writing failed, or the disk is full.
  case inputOutput
  /// Another process prevents the operation for now. The same call can succeed later.
  case tryAgain
  /// The operating system denies access.
  case noPermission
}
