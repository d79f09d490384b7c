public import ArgumentParser
import CoursePages
public import LearningModel
public import TextCanvas

/// Words that are given as arguments and must not be empty. A script whose variable is not set (`nav open "$PLACE"`) is told
/// so, and moves nobody.
enum Given {
  /// A place, by its path or slug.
  static func place(_ text: String) throws -> String {
    try text.expected("The place is empty. Write its path, or / for the list of courses.")
  }

  /// A session, by its name or number.
  static func session(_ text: String) throws -> String {
    try text.expected("The session's name is empty. Leave the option out, or name a session.")
  }

  /// A course's key.
  static func key(_ text: String) throws -> String {
    try text.expected("The key is empty. Leave the option out, or name a key.")
  }

  /// Keys to press, one after the other with spaces between them.
  static func keys(_ text: String) throws -> [KeyEvent] {
    try text.split(separator: " ").map { name in
      guard let key = KeyEvent(name: String(name)) else {
        throw ValidationError(
          "There is no key '\(name)'. Write one character, or one of "
            + KeyEvent.knownNames.joined(separator: ", ") + ", F1 to F35; before it Ctrl-, Alt- or Shift-.")
      }
      return key
    }
  }
}

extension String {
  fileprivate func expected(_ words: String) throws -> String {
    guard contains(where: { !$0.isWhitespace }) else { throw ValidationError(words) }
    return self
  }
}

// The words of the model that can be given as arguments; the parser lists them in help and in errors.

extension ContentKind: ExpressibleByArgument {}

extension ColourDepth: ExpressibleByArgument {}
