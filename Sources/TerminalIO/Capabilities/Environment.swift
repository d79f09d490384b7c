#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The environment as far as a terminal is concerned: a lookup by name, so that tests can give their own.
public struct Environment: Sendable {
  private let lookup: @Sendable (String) -> String?

  /// The environment of this process.
  public static let process = Environment { name in getenv(name).map { String(cString: $0) } }

  /// Makes an environment of these variables only.
  public init(_ variables: [String: String]) {
    self.init { variables[$0] }
  }

  init(_ lookup: @escaping @Sendable (String) -> String?) {
    self.lookup = lookup
  }

  /// The value of a variable; nil where it is not set or empty.
  public subscript(name: String) -> String? {
    lookup(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}
