import CTerminal
import CoursePages
import TerminalIO
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the program reads from its surroundings: environment variables and the user it runs as.
struct ProgramEnvironment: Sendable {
  private let variables: Environment
  /// The name and the home folder of the user; `nil` where the system knows none.
  private let account: (name: String, home: String)?

  /// Of this process.
  static let current = ProgramEnvironment(
    variables: .process,
    account: getpwuid(getuid()).map { (String(cString: $0.pointee.pw_name), String(cString: $0.pointee.pw_dir)) })

  init(variables: Environment, account: (name: String, home: String)?) {
    self.variables = variables
    self.account = account
  }

  /// The value of a variable; `nil` where it is not set, or empty.
  private subscript(name: String) -> String? { variables[name] }

  /// The database: `WAYMARK_DATABASE`, else `waymark/waymark.sqlite` under `XDG_DATA_HOME` or `~/.local/share`.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative `XDG_DATA_HOME` does not count.
  var databasePath: String {
    if let path = self["WAYMARK_DATABASE"] { return path }
    let data = self["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (data ?? home + "/.local/share") + "/waymark/waymark.sqlite"
  }

  /// Where faults of the screens are kept for a bug report: `waymark/issues.log` under `XDG_STATE_HOME` or
  /// `~/.local/state`.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative `XDG_STATE_HOME` does not count.
  var issueLogPath: String {
    let state = self["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? home + "/.local/state") + "/waymark/issues.log"
  }

  /// The learner: `WAYMARK_LEARNER`, else the login name.
  var learnerName: String {
    self["WAYMARK_LEARNER"] ?? account?.name ?? self["LOGNAME"] ?? self["USER"] ?? "learner"
  }

  /// Whether `learnerName` is the login name, which the user has not chosen for Waymark.
  var usesLoginName: Bool { self["WAYMARK_LEARNER"] == nil }

  /// The home folder.
  var home: String {
    self["HOME"] ?? account?.home ?? "."
  }

  /// How the browser shall be, where no flag says it: by variables, then by the settings file.
  ///
  /// - Throws: `SettingsError`.
  var settings: Settings {
    get throws { try variableSettings.over(fileSettings) }
  }

  /// What the variables say.
  ///
  /// - Throws: `SettingsError`.
  var variableSettings: Settings {
    get throws { try .environment { variables[$0] } }
  }

  /// What the settings file says.
  ///
  /// - Throws: `SettingsError`, with file and line.
  var fileSettings: Settings {
    get throws { try .file(at: settingsPath) }
  }

  /// Where the settings file is.
  var settingsPath: String { Settings.path(in: { variables[$0] }, home: home) }

  /// How many colours a stream shows.
  ///
  /// Sources: no-color.org, and bixense.com/clicolors for `CLICOLOR_FORCE`.
  func colourDepth(onTerminal isTerminal: Bool) -> ColourDepth {
    let isForced = self["CLICOLOR_FORCE"].map { $0 != "0" } ?? false
    return isTerminal || isForced ? Capabilities(environment: variables).colourDepth : .none
  }

  /// The signs in texts for people: those of ASCII if `symbols` is set so, or if a terminal
  /// cannot draw all others.
  func signs(onTerminal isTerminal: Bool) -> TextSigns {
    // A settings file that cannot be read is what the browser complains of.
    let isAscii =
      (try? settings)?.usesAscii ?? (isTerminal && !Capabilities(environment: variables).drawsAllCharacters)
    return isAscii ? .ascii : .unicode
  }

  /// Whether the terminal cannot move its cursor.
  var isDumb: Bool { self["TERM"] == "dumb" }
}

/// The arguments and environment variables of this process as the system passes them: bytes.
enum ProgramText {
  /// The variables that name files, folders or people.
  private static let variables = [
    "HOME", "WAYMARK_DATABASE", "WAYMARK_LEARNER", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
  ]

  /// Returns the error for the first of them that is not UTF-8; `nil` if all are. Read as text, it would name another file.
  static var failure: CommandFailure? {
    for index in 1..<max(1, cterminal_argument_count()) {
      if let text = printable(cterminal_argument(index)) { return .argumentNotUTF8(text) }
    }
    for name in variables {
      if let value = getenv(name), let text = printable(value) { return .variableNotUTF8(name, text) }
    }
    return nil
  }

  /// Returns a text that is not UTF-8, with `\xE9` for each byte outside of ASCII; `nil` for one that is.
  private static func printable(_ text: UnsafePointer<CChar>) -> String? {
    guard String(validatingCString: text) == nil else { return nil }
    return UnsafeBufferPointer(start: text, count: strlen(text)).map { character in
      let byte = UInt8(bitPattern: character)
      return byte < 0x80
        ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
