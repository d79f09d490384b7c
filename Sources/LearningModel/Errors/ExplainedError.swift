/// An error with a description for users, a kind and, if the remedy depends on the program, a remedy.
///
/// The errors of CourseKit, NavigationKit and LearningStore conform to this protocol. A front end shows `description`,
/// followed by its own text for the ``remedy``. The description of any other error is `"\(error)"`.
public protocol ExplainedError: Error, CustomStringConvertible {
  /// The kind of the failure, from which a program derives an exit code or an HTTP status.
  var kind: FailureKind { get }

  /// The remedy, if it consists of an action that each program offers in its own way, such as choosing another
  /// database. `nil` if `description` includes the remedy, or if no remedy is known.
  var remedy: Remedy? { get }
}

extension ExplainedError {
  /// Returns `nil`: by default, `description` includes the remedy.
  public var remedy: Remedy? { nil }
}

/// The kind of a failure, by what the caller can do about it.
public enum FailureKind: String, Codable, CaseIterable, Hashable, Sendable {
  /// The request is not possible in this state, or no other kind fits.
  case refused
  /// An argument has a form or a value that is invalid in every state.
  case invalidArgument
  /// The given data is invalid, for example a source that cannot be imported, or a damaged database.
  case badData
  /// The requested object does not exist.
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
