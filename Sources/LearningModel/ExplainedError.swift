/// An error that says in words what was found and what to do next, and in one word of which kind it is.
///
/// Every room's errors are of this form, so that a front end can print any of them and leave with the right exit code.
public protocol ExplainedError: Error, CustomStringConvertible {
  /// Of which kind it is.
  var kind: FailureKind { get }
}

/// What went wrong, coarsely: what a caller can do about it.
public enum FailureKind: String, Codable, CaseIterable, Hashable, Sendable {
  /// What was asked is not possible here, or something that has no better name went wrong.
  case refused
  /// The content that was given is bad: a source that cannot be imported, a corrupt or newer database.
  case badData
  /// What was named does not exist.
  case notFound
  /// A thing that is needed is not there, such as a terminal or a local disk.
  case unavailable
  /// A file or folder cannot be made.
  case cannotCreate
  /// Reading or writing failed, or the disk is full.
  case inputOutput
  /// Another process is in the way; trying again later will do.
  case tryAgain
  /// The operating system does not allow it.
  case noPermission
}
