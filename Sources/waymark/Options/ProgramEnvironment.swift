import CTerminal
import CoursePages
import TerminalIO
import TextCanvas

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The environment of the program: environment variables and the user's account.
struct ProgramEnvironment: Sendable {
  private let variables: TerminalEnvironment
  /// The name and the home folder of the user, or `nil` if the system has no account for the user.
  private let account: (name: String, home: String)?

  /// The environment of this process.
  static let current = ProgramEnvironment(
    variables: .process,
    account: getpwuid(getuid()).map { (String(cString: $0.pointee.pw_name), String(cString: $0.pointee.pw_dir)) })

  init(variables: TerminalEnvironment, account: (name: String, home: String)?) {
    self.variables = variables
    self.account = account
  }

  /// The value of a variable, or `nil` if it is unset or empty.
  private subscript(name: String) -> String? { variables[name] }

  /// The path of the database: `WAYMARK_DATABASE`, otherwise `waymark/waymark.sqlite` in `XDG_DATA_HOME` or
  /// `~/.local/share`.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative `XDG_DATA_HOME` is ignored.
  var databasePath: String {
    if let path = self["WAYMARK_DATABASE"] { return path }
    let data = self["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (data ?? home + "/.local/share") + "/waymark/waymark.sqlite"
  }

  /// The path of the log of display faults for bug reports: `waymark/issues.log` in `XDG_STATE_HOME` or
  /// `~/.local/state`.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative `XDG_STATE_HOME` is ignored.
  var issueLogPath: String {
    let state = self["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (state ?? home + "/.local/state") + "/waymark/issues.log"
  }

  /// The learner's name: `WAYMARK_LEARNER`, otherwise the login name.
  var learnerName: String {
    self["WAYMARK_LEARNER"] ?? account?.name ?? self["LOGNAME"] ?? self["USER"] ?? "learner"
  }

  /// Whether `learnerName` is the login name, which the user has not chosen for Waymark.
  var usesLoginName: Bool { self["WAYMARK_LEARNER"] == nil }

  var home: String {
    self["HOME"] ?? account?.home ?? "."
  }

  /// The settings without flags. Environment variables take precedence over the settings file.
  ///
  /// - Throws: `SettingsError`.
  var settings: Settings {
    get throws { try variableSettings.over(fileSettings) }
  }

  /// The settings from environment variables.
  ///
  /// - Throws: `SettingsError`.
  var variableSettings: Settings {
    get throws { try .environment { variables[$0] } }
  }

  /// The settings from the settings file.
  ///
  /// - Throws: `SettingsError` if the file cannot be read.
  var fileSettings: Settings {
    get throws { try .file(at: settingsPath) }
  }

  /// The path of the settings file.
  var settingsPath: String { Settings.path(in: { variables[$0] }, home: home) }

  /// Returns the colour depth for a stream.
  ///
  /// Sources: no-color.org, and bixense.com/clicolors for `CLICOLOR_FORCE`.
  func colourDepth(onTerminal isTerminal: Bool) -> ColourDepth {
    let isForced = self["CLICOLOR_FORCE"].map { $0 != "0" } ?? false
    return isTerminal || isForced ? Capabilities(environment: variables).colourDepth : .none
  }

  /// Returns the symbols for text output: ASCII if the setting `symbols` requires it or the terminal cannot display all
  /// symbols.
  func signs(onTerminal isTerminal: Bool) -> TextSymbols {
    // A settings file that cannot be read is ignored here. The browser reports it.
    let isAscii =
      (try? settings)?.usesAscii ?? (isTerminal && !Capabilities(environment: variables).drawsAllCharacters)
    return isAscii ? .ascii : .unicode
  }

  /// Whether the encoding of the locale is UTF-8.
  var usesUnicode: Bool { Capabilities(environment: variables).isUnicode }

  /// Whether the terminal cannot move its cursor.
  var isDumb: Bool { self["TERM"] == "dumb" }
}

/// The arguments and environment variables of this process as bytes.
enum ProgramText {
  /// The variables that contain names of files, folders or learners.
  private static let variables = [
    "HOME", "WAYMARK_DATABASE", "WAYMARK_LEARNER", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
  ]

  /// The error for the first argument or variable that is not valid UTF-8, or `nil` if all are valid. If invalid bytes
  /// were replaced, the text would name a different file.
  static var failure: CommandFailure? {
    for index in 1..<max(1, cterminal_argument_count()) {
      if let text = printable(cterminal_argument(index)) { return .argumentNotUTF8(text) }
    }
    for name in variables {
      if let value = getenv(name), let text = printable(value) { return .variableNotUTF8(name, text) }
    }
    return nil
  }

  /// Returns `nil` if the text is valid UTF-8. Otherwise returns the text with each non-ASCII byte written as `\xE9`.
  private static func printable(_ text: UnsafePointer<CChar>) -> String? {
    guard String(validatingCString: text) == nil else { return nil }
    return UnsafeBufferPointer(start: text, count: strlen(text)).map { character in
      let byte = UInt8(bitPattern: character)
      return byte < 0x80
        ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
