import Foundation
import NavigationKit
import TextCanvas
import Yams

/// Reads and changes the settings file. A setting or a command with a mistake has its default. Mistakes contain their line.
///
/// ```yaml
/// theme: light
/// motion: reduced
/// keys:
///   next: [n, Alt-Down]
///   continue: Enter
/// ```
struct SettingsFile {
  /// The maximum length of a settings file, in bytes.
  static let maximumBytes = 65_536
  /// The names at the top level.
  static var names: [String] { SettingName.allCases.map(\.rawValue) + ["colors", "keys"] }

  /// The name of the file in messages.
  let name: String

  /// Parses the text of a settings file.
  ///
  /// - Returns: The settings, with every mistake as their ``Settings/mistake``.
  /// - Throws: ``SettingsError`` if the text is not valid YAML.
  func settings(from text: String) throws -> Settings {
    let root: Node?
    do {
      root = try compose(yaml: text)
    } catch YamlError.duplicatedKeysInMapping(let names, let context) {
      let name = names.first ?? ""
      throw SettingsError.twice(
        name: name, place: place(Self.line(ofSecond: name, in: text, from: context.mark.line)))
    } catch let error as YamlError {
      throw SettingsError.notYAML(place: place(Self.line(of: error)), reason: Self.reason(of: error))
    }
    guard let root, root.scalar.map({ !$0.string.isEmpty && $0.string != "~" }) ?? true else { return Settings() }

    var settings = Settings()
    var (keys, colours): ([Command: [KeyEvent]]?, CustomColours?)
    var mistakes = SettingsErrors()
    for (name, value) in pairs(of: root, named: "settings", &mistakes) {
      if name.text == "keys" {
        keys = self.keys(in: value, &mistakes)
        continue
      }
      if name.text == "colors" {
        colours = self.colours(in: value, &mistakes)
        continue
      }
      guard let setting = SettingName(rawValue: name.text) else {
        mistakes.append(
          .unknownName(
            name: name.text, place: name.place, isCommand: false,
            nearest: FuzzyMatch.nearest(to: name.text, among: Self.names)))
        continue
      }
      let text = value.scalar?.string ?? ""
      if settings.set(setting, to: text) { continue }
      mistakes.append(
        .badValue(
          name: name.text, value: text.isEmpty ? nil : text, place: name.place, expected: setting.row.values))
    }
    return settings.over(Settings(colours: colours, keys: keys, mistake: mistakes.error))
  }

  // MARK: - Colours

  private func colours(in node: Node, _ mistakes: inout SettingsErrors) -> CustomColours {
    var colours = CustomColours()
    for (name, value) in pairs(of: node, named: "colors", &mistakes) {
      let role = CustomColours.names.first { $0.key == name.text }?.value
      guard role != nil || name.text == "page" else {
        let names = CustomColours.names.map(\.key) + ["page"]
        mistakes.append(
          .unknownColour(
            name: name.text, place: name.place, nearest: FuzzyMatch.nearest(to: name.text, among: names), all: names))
        continue
      }
      let text = value.scalar?.string ?? ""
      guard let colour = CustomColours.colour(text) else {
        mistakes.append(
          .badValue(
            name: name.text, value: text.isEmpty ? nil : text, place: name.place,
            expected: "red, green and blue in hexadecimal digits and in quotes, such as '#b8a6f5'"))
        continue
      }
      if let role { colours.roleColours[role] = colour } else { colours.pageColour = colour }
    }
    return colours
  }

  // MARK: - Keys

  private func keys(in node: Node, _ mistakes: inout SettingsErrors) -> [Command: [KeyEvent]] {
    var keys: [Command: [KeyEvent]] = [:]
    for (name, value) in pairs(of: node, named: "keys", &mistakes) {
      guard let row = KeyRow.all.first(where: { ([$0.name] + $0.formerNames).contains(name.text) }) else {
        mistakes.append(
          .unknownName(
            name: name.text, place: name.place, isCommand: true,
            nearest: FuzzyMatch.nearest(to: name.text, among: KeyRow.all.map(\.name))))
        continue
      }
      guard keys[row.command] == nil else {
        mistakes.append(.twice(name: name.text, place: name.place))
        continue
      }
      // A command whose list of keys contains a mistake has its default keys.
      var isValid = true
      var ownKeys: [KeyEvent] = []
      for (text, line) in scalars(of: value) {
        do throws(SettingsError) {
          ownKeys.append(try key(text, of: row, named: name.text, place: place(line), besides: ownKeys, keys))
        } catch {
          mistakes.append(error)
          isValid = false
        }
      }
      if isValid { keys[row.command] = ownKeys }
    }
    return keys
  }

  /// Parses one key of a command in the settings file.
  ///
  /// - Parameters:
  ///   - ownKeys: The keys of the command that precede this one.
  ///   - keys: The keys of the commands that precede this one.
  private func key(
    _ text: String, of row: KeyRow, named name: String, place: String, besides ownKeys: [KeyEvent],
    _ keys: [Command: [KeyEvent]]
  ) throws(SettingsError) -> KeyEvent {
    guard !text.isEmpty else { throw .noKey(command: name, place: place) }
    guard let key = KeyEvent(name: text) else { throw .unknownKey(key: text, command: name, place: place) }
    let owner =
      ownKeys.contains(key)
      ? row
      : KeyBindings.owner(of: key, besides: row)
        ?? KeyRow.all.first { other in
          keys[other.command]?.contains(key) == true && other.context.overlaps(row.context)
            && !(other.keys.contains(key) && row.keys.contains(key))
        }
    if let owner { throw .keyTaken(key: text, command: name, by: owner.name, place: place) }
    return key
  }

  /// Returns the text of a scalar, or the texts of a sequence's scalars. Other nodes become empty texts.
  private func scalars(of node: Node) -> [(text: String, line: Int)] {
    let nodes = node.sequence.map(Array.init) ?? [node]
    return nodes.map { ($0.scalar?.string ?? "", $0.mark?.line ?? 1) }
  }

  // MARK: - Pairs

  private func pairs(
    of node: Node, named name: String, _ mistakes: inout SettingsErrors
  ) -> [(name: (text: String, place: String), value: Node)] {
    guard let mapping = node.mapping else {
      if node.scalar?.string.isEmpty != true {
        mistakes.append(.notPairs(name: name, place: place(node.mark?.line ?? 1)))
      }
      return []
    }
    return mapping.map { key, value in ((key.scalar?.string ?? "", place(key.mark?.line ?? 1)), value) }
  }

  private func place(_ line: Int) -> String { "\(name):\(line)" }

  /// Returns the line on which a name occurs for the second time. The YAML parser reports only the start of the
  /// mapping.
  private static func line(ofSecond name: String, in text: String, from start: Int) -> Int {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().dropFirst(start - 1)
    let occurrences = lines.filter { $0.element.drop { $0 == " " || $0 == "'" || $0 == "\"" }.hasPrefix(name) }
    return (occurrences.dropFirst().first?.offset).map { $0 + 1 } ?? start
  }

  private static func line(of error: YamlError) -> Int {
    switch error {
    case .scanner(_, _, let position, _), .parser(_, _, let position, _), .composer(_, _, let position, _):
      position.line
    default: 1
    }
  }

  private static func reason(of error: YamlError) -> String {
    switch error {
    case .scanner(let context, let problem, _, _), .parser(let context, let problem, _, _),
      .composer(let context, let problem, _, _):
      // Some messages of the YAML parser continue the sentence that the context begins.
      problem.hasPrefix("but ") ? (context.map { "\($0.text), " } ?? "") + problem : problem
    default: "it is not YAML"
    }
  }
}

extension SettingsFile {
  /// Returns the text of a settings file with one setting changed. Comments, order and everything else are kept.
  ///
  /// - Parameters:
  ///   - setting: The setting to change.
  ///   - value: A valid value of the setting.
  /// - Throws: ``SettingsError`` if the text has mistakes, or if it is written in a form in which a single line cannot
  ///   be changed.
  func text(_ text: String, setting: SettingName, to value: String) throws -> String {
    let name = setting.rawValue
    var expected = try settings(from: text)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let index = lines.firstIndex { Self.isLine($0, of: name) }
    if let index {
      let suffix = lines[index].drop { $0 != ":" }.dropFirst()
      lines[index] = "\(name): \(value)" + Self.comment(in: suffix)
    } else {
      if lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
      lines += ["\(name): \(value)", ""]
    }
    _ = expected.set(setting, to: value)
    return try checked(lines, expected, named: name)
  }

  /// Returns the text of a settings file with the keys of some commands changed, in the same way. A command that gets its
  /// default keys is removed from the file.
  ///
  /// - Throws: ``SettingsError`` if a key cannot belong to its command, or if the text is written in a form in which a
  ///   single line cannot be changed.
  func text(_ text: String, keys: [Command: [KeyEvent]]) throws -> String {
    var expected = try settings(from: text)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let changedRows = KeyRow.all.filter { keys[$0.command] != nil }
    for row in changedRows {
      guard let keys = keys[row.command] else { continue }
      let isDefault = keys == row.keys
      expected.keys = (expected.keys ?? [:]).merging([row.command: keys]) { $1 }
      if isDefault { expected.keys?[row.command] = nil }
      Self.replaceKeys(of: row, with: isDefault ? nil : Self.value(of: keys), in: &lines)
    }
    return try checked(lines, expected, named: changedRows.map(\.name).joined(separator: ", "))
  }

  /// Returns the text of changed lines after a check that only the expected settings have changed. Mistakes may disappear.
  private func checked(_ lines: [String], _ expected: Settings, named name: String) throws -> String {
    let text = lines.joined(separator: "\n")
    let mistakes = { (settings: Settings) in settings.mistake?.each.count ?? 0 }
    guard var found = try? settings(from: text), mistakes(found) <= mistakes(expected),
      // The keys of another command may become valid.
      (found.keys ?? [:]).filter({ expected.keys?[$0.key] != nil }) == expected.keys ?? [:]
    else { throw SettingsError.cannotChange(name: name, file: self.name) }
    (found.keys, found.mistake) = (expected.keys, expected.mistake)
    guard found == expected else { throw SettingsError.cannotChange(name: name, file: self.name) }
    return text
  }

  /// Replaces the entry of a command in the lines of a file, or removes it if the value is `nil`.
  private static func replaceKeys(of row: KeyRow, with value: String?, in lines: inout [String]) {
    guard let start = lines.firstIndex(where: { isLine($0, of: "keys") }) else {
      guard let value else { return }
      if lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
      return lines += ["keys:", "  \(row.name): \(value)", ""]
    }
    let end = lines[(start + 1)...].firstIndex { $0.first.map { !" \t#\r".contains($0) } ?? false } ?? lines.endIndex
    let entries = (start + 1..<end).filter { lines[$0].first { !$0.isWhitespace }.map { $0 != "#" } ?? false }
    let indent = entries.first.map { String(lines[$0].prefix { $0 == " " }) } ?? "  "
    let index = entries.first { index in
      ([row.name] + row.formerNames).contains { isLine(String(lines[index].dropFirst(indent.count)), of: $0) }
    }
    guard let index else {
      return value.map { lines.insert("\(indent)\(row.name): \($0)", at: (entries.last ?? start) + 1) } ?? ()
    }
    // A list of keys can continue on the next lines.
    let next = lines[(index + 1)..<end].firstIndex { !$0.hasPrefix(indent + " ") && !$0.hasPrefix(indent + "-") } ?? end
    let comment = comment(in: lines[index].drop { $0 != ":" }.dropFirst())
    lines.replaceSubrange(index..<next, with: value.map { ["\(indent)\(row.name): \($0)\(comment)"] } ?? [])
    let isEmpty = lines[(start + 1)..<(end - (next - index))].allSatisfy { $0.allSatisfy(\.isWhitespace) }
    if value == nil, isEmpty { lines.remove(at: start) }
  }

  /// Returns keys in the notation of the file, such as `[n, '/']`.
  private static func value(of keys: [KeyEvent]) -> String {
    let names = keys.map(\.name).map { name in
      name.contains { $0.isLetter || $0.isNumber } ? name : "'\(name.replacing("'", with: "''"))'"
    }
    return names.count == 1 ? names[0] : "[\(names.joined(separator: ", "))]"
  }

  /// Returns whether a line at the top level begins with the given name and a colon.
  private static func isLine(_ line: String, of name: String) -> Bool {
    [name, "'\(name)'", "\"\(name)\""].contains { key in
      line.hasPrefix(key) && line.dropFirst(key.count).drop { $0 == " " }.hasPrefix(":")
    }
  }

  /// Returns the comment after a value, with the blanks before it.
  private static func comment(in text: Substring) -> String {
    var (quote, last): (Character?, Character) = (nil, " ")
    for index in text.indices {
      let character = text[index]
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else if quote == nil, character == "#", last == " " || last == "\t" {
        let blanks = text[..<index].reversed().prefix { $0 == " " || $0 == "\t" }
        return String(blanks.reversed()) + text[index...]
      }
      last = character
    }
    return ""
  }
}
