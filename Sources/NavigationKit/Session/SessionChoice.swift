/// The session to which the steps of a front end belong.
public enum SessionChoice: Hashable, Sendable {
  /// A session that belongs to this process and ends with it, for interactive front ends.
  case process(named: String)
  /// The open session with this name, which does not belong to a process. It ends after four hours without input.
  case named(String)

  /// The session's name in the log.
  public var name: String {
    switch self {
    case .process(let name), .named(let name): name
    }
  }

  /// The session of the full-screen browser.
  public static let browser = SessionChoice.process(named: "browser")
  /// The session of commands that do not specify a session.
  public static let shell = SessionChoice.named("shell")
}
