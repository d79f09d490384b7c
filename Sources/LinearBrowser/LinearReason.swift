import CoursePages

/// Who asked for the linear mode; its first line says so.
package enum LinearReason: Hashable, Sendable {
  /// The flag `--linear`.
  case flag
  /// The variable `WAYMARK_LINEAR`.
  case environment
  /// The settings file.
  case settings
  /// The terminal, which says in `TERM` that it can do no more.
  case dumbTerminal

  /// Such as `asked for by --linear`.
  var words: String {
    switch self {
    case .flag: "asked for by --linear"
    case .environment: "asked for by WAYMARK_LINEAR"
    case .settings: "asked for by the settings file"
    case .dumbTerminal: "because TERM says that the terminal is dumb"
    }
  }
}
