#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the program reads from its surroundings: environment variables and the user it runs as.
struct ProgramEnvironment: Sendable {
  private let variables: @Sendable (String) -> String?
  /// The name and the home folder of the user; `nil` where the system knows none.
  private let account: (name: String, home: String)?

  /// Of this process.
  static let current = ProgramEnvironment(
    variables: { name in getenv(name).map { String(cString: $0) } },
    account: getpwuid(getuid()).map { (String(cString: $0.pointee.pw_name), String(cString: $0.pointee.pw_dir)) })

  init(variables: @escaping @Sendable (String) -> String?, account: (name: String, home: String)?) {
    self.variables = variables
    self.account = account
  }

  /// The value of a variable; `nil` where it is not set, or empty.
  subscript(name: String) -> String? {
    variables(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The database: `WAYMARK_DATABASE`, else `waymark/waymark.sqlite` under `XDG_DATA_HOME` or `~/.local/share`.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative `XDG_DATA_HOME` does not count.
  var databasePath: String {
    if let path = self["WAYMARK_DATABASE"] { return path }
    let data = self["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (data ?? home + "/.local/share") + "/waymark/waymark.sqlite"
  }

  /// The learner: `WAYMARK_LEARNER`, else the login name.
  var learnerName: String {
    self["WAYMARK_LEARNER"] ?? account?.name ?? self["LOGNAME"] ?? self["USER"] ?? "learner"
  }

  /// The home folder.
  var home: String {
    self["HOME"] ?? account?.home ?? "."
  }

  /// Whether a stream shows colour.
  ///
  /// Sources: no-color.org, and bixense.com/clicolors for `CLICOLOR_FORCE`.
  func showsColour(onTerminal isTerminal: Bool) -> Bool {
    if self["NO_COLOR"] != nil { return false }
    if let force = self["CLICOLOR_FORCE"], force != "0" { return true }
    return isTerminal && !isDumb
  }

  /// Whether the terminal cannot move its cursor.
  var isDumb: Bool { self["TERM"] == "dumb" }
}
