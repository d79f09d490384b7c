import Foundation

extension SettingsFile {
  /// Returns the text of a settings file in which a setting has another value. Comments, order and everything else stay.
  ///
  /// - Parameters:
  ///   - name: A setting of ``SettingRow/rows``.
  ///   - value: A value that it can have.
  /// - Throws: ``SettingsError``: what is wrong with the text before, or that it is written in a way in which one line
  ///   cannot be changed by itself.
  func text(_ text: String, setting name: String, to value: String) throws -> String {
    // What is wrong is not made worse.
    var wanted = try settings(from: text)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let index = lines.firstIndex { Self.isLine($0, of: name) }
    if let index {
      let rest = lines[index].drop { $0 != ":" }.dropFirst()
      lines[index] = "\(name): \(value)" + Self.comment(in: rest)
    } else {
      if lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
      lines += ["\(name): \(value)", ""]
    }
    let changed = lines.joined(separator: "\n")
    // It says what it said, but for this.
    _ = SettingRow.row(named: name)?.read(value, &wanted)
    guard let settings = try? settings(from: changed), settings == wanted else {
      throw SettingsError.cannotChange(name: name, file: self.name)
    }
    return changed
  }

  /// Whether a line of the first level begins with a name and a colon.
  private static func isLine(_ line: String, of name: String) -> Bool {
    [name, "'\(name)'", "\"\(name)\""].contains { written in
      line.hasPrefix(written) && line.dropFirst(written.count).drop { $0 == " " }.hasPrefix(":")
    }
  }

  /// The comment behind a value, with the blanks before it.
  private static func comment(in rest: Substring) -> String {
    var (quote, last): (Character?, Character) = (nil, " ")
    for index in rest.indices {
      let character = rest[index]
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else if quote == nil, character == "#", last == " " || last == "\t" {
        let blanks = rest[..<index].reversed().prefix { $0 == " " || $0 == "\t" }
        return String(blanks.reversed()) + rest[index...]
      }
      last = character
    }
    return ""
  }
}
