import CTerminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

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
