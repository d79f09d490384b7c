import Foundation
import NavigationService
import TextCanvas
import Yams

/// Reads the settings file, and says of what it does not understand in which line it stands.
///
/// ```yaml
/// theme: light
/// motion: reduced
/// keys:
///   next: [n, Ctrl-N]
///   go-on: Enter
/// ```
struct SettingsFile {
  /// Bytes of the longest file that is read.
  static let longest = 65_536
  /// The names on the first level.
  static var names: [String] { SettingRow.rows.map(\.name) + ["keys"] }

  /// What messages call the file.
  let name: String

  /// Reads a text.
  ///
  /// - Throws: ``SettingsError``.
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
    for (name, value) in try pairs(of: root, named: "settings") {
      if name.text == "keys" {
        settings.keys = try keys(in: value)
        continue
      }
      guard let row = SettingRow.rows.first(where: { $0.name == name.text }) else {
        throw SettingsError.unknownName(
          name: name.text, place: name.place, isCommand: false,
          nearest: Likeness.nearest(to: name.text, among: Self.names))
      }
      let text = value.scalar?.string ?? ""
      guard row.read(text, &settings) else {
        throw SettingsError.badValue(
          name: name.text, value: text.isEmpty ? nil : text, place: name.place, expected: row.values)
      }
    }
    return settings
  }

  // MARK: - Keys

  private func keys(in node: Node) throws -> [Command: [KeyEvent]] {
    let rows = KeyBindings.rows
    let leaving = KeyBindings.leaving
    var keys: [Command: [KeyEvent]] = [:]
    var owners: [KeyEvent: String] = [:]
    for (name, value) in try pairs(of: node, named: "keys") {
      guard let row = rows.first(where: { $0.name.replacing(" ", with: "-") == name.text }) else {
        throw SettingsError.unknownName(
          name: name.text, place: name.place, isCommand: true,
          nearest: Likeness.nearest(to: name.text, among: rows.map { $0.name.replacing(" ", with: "-") }))
      }
      keys[row.command] = try scalars(of: value).map { text, line in
        guard !text.isEmpty else { throw SettingsError.noKey(command: name.text, place: place(line)) }
        guard let key = KeyEvent(name: text) else {
          throw SettingsError.unknownKey(key: text, command: name.text, place: place(line))
        }
        let owner = key == leaving && row.command != .quit ? "quit" : owners.updateValue(name.text, forKey: key)
        if let owner {
          throw SettingsError.keyTaken(key: text, command: name.text, by: owner, place: place(line))
        }
        return key
      }
    }
    return keys
  }

  /// One text, or the texts of a list; something else is an empty one.
  private func scalars(of node: Node) -> [(text: String, line: Int)] {
    let nodes = node.sequence.map(Array.init) ?? [node]
    return nodes.map { ($0.scalar?.string ?? "", $0.mark?.line ?? 1) }
  }

  // MARK: - Pairs

  private func pairs(of node: Node, named name: String) throws -> [(name: (text: String, place: String), value: Node)] {
    guard let mapping = node.mapping else {
      if node.scalar?.string.isEmpty == true { return [] }
      throw SettingsError.notPairs(name: name, place: place(node.mark?.line ?? 1))
    }
    return mapping.map { key, value in ((key.scalar?.string ?? "", place(key.mark?.line ?? 1)), value) }
  }

  private func place(_ line: Int) -> String { "\(name):\(line)" }

  /// The line in which a name stands for the second time; the parser tells only where the list begins that has both.
  private static func line(ofSecond name: String, in text: String, from start: Int) -> Int {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().dropFirst(start - 1)
    let found = lines.filter { $0.element.drop { $0 == " " || $0 == "'" || $0 == "\"" }.hasPrefix(name) }
    return (found.dropFirst().first?.offset).map { $0 + 1 } ?? start
  }

  private static func line(of error: YamlError) -> Int {
    switch error {
    case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
    default: 1
    }
  }

  private static func reason(of error: YamlError) -> String {
    switch error {
    case .scanner(let context, let problem, _, _), .parser(let context, let problem, _, _),
      .composer(let context, let problem, _, _):
      // Some problems go on with the sentence that the context begins.
      problem.hasPrefix("but ") ? (context.map { "\($0.text), " } ?? "") + problem : problem
    default: "it is not YAML"
    }
  }
}
