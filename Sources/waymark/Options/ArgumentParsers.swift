public import ArgumentParser
import CourseBrowser
import CoursePages
public import LearningModel
public import TextCanvas

/// Parsers for arguments that must not be empty.
///
/// They report an error if a script passes an unset variable, as in `nav open "$PLACE"`. Without them, an empty place
/// would be the list of courses.
enum ArgumentParsers {
  /// Parses a place: a path or slug.
  static func place(_ text: String) throws -> String {
    try text.expected("The place is empty. Give a path, or / for the list of courses.")
  }

  /// Parses a session: a name or number.
  static func session(_ text: String) throws -> String {
    try text.expected("The session is empty. Omit the option, or name a session.")
  }

  /// Parses the key of a course.
  static func key(_ text: String) throws -> String {
    try text.expected("The key is empty. Omit the option, or give a key.")
  }

  /// Parses names of keys that are separated by spaces. `@` and a number after a name are the seconds since the key before.
  static func keys(_ text: String) throws -> [BrowserRenderer.TimedKey] {
    try text.split(separator: " ").map { word in
      // The key `@` itself is followed by no number.
      let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let delay = parts.count == 2 && !parts[0].isEmpty ? Double(parts[1]) : nil
      guard let key = KeyEvent(name: String(delay == nil ? word : parts[0])) else {
        throw ValidationError(
          "Unknown key \(quoted: word). Use one character, or one of "
            + KeyEvent.knownNames.joined(separator: ", ") + ", F1 to F35, optionally after Ctrl-, Alt- or Shift-.")
      }
      guard let delay else { return BrowserRenderer.TimedKey(key) }
      guard (0...60).contains(delay) else {
        throw ValidationError(
          "The time before the key \(quoted: parts[0]) must be from 0 to 60 seconds, not \(parts[1]).")
      }
      return BrowserRenderer.TimedKey(key, delay: delay)
    }
  }
}

extension String {
  fileprivate func expected(_ message: String) throws -> String {
    guard contains(where: { !$0.isWhitespace }) else { throw ValidationError(message) }
    return self
  }
}

// Enumerations of other modules that are used as arguments. The parser lists their values in help and error messages.

extension ContentKind: ExpressibleByArgument {}

extension ColourDepth: ExpressibleByArgument {}
