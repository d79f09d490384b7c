import Foundation
package import TextCanvas

/// The settings of one source: the flags, the environment or the settings file. A source can omit any of them.
///
/// The sources are combined with ``over(_:)``. A setting that no source contains has its default:
///
/// ```swift
/// let settings = flags.over(try .environment()).over(try .file(at: Settings.path()))
/// stage.motion = settings.motion
/// ```
@dynamicMemberLookup package struct Settings: Hashable, Sendable {
  /// The values of this source, in the notation of the settings file.
  private var texts: [SettingName: String]
  /// The colours that the user changed, or `nil` if this source does not contain any colours.
  package let colours: CustomColours?
  /// The commands whose keys the user changed, with their keys, or `nil` if this source does not contain any keys.
  package internal(set) var keys: [Command: [KeyEvent]]?

  /// The mistakes of the settings file, in place of which the defaults are used. `nil` if there are none.
  package internal(set) var mistake: SettingsError?

  private init(
    texts: [SettingName: String], colours: CustomColours?, keys: [Command: [KeyEvent]]?, mistake: SettingsError?
  ) {
    (self.texts, self.colours, self.keys, self.mistake) = (texts, colours, keys, mistake)
  }

  /// Creates settings without any value in ``SettingsTable``.
  package init(
    colours: CustomColours? = nil, keys: [Command: [KeyEvent]]? = nil, mistake: SettingsError? = nil
  ) {
    self.init(texts: [:], colours: colours, keys: keys, mistake: mistake)
  }

  /// The value of a setting of ``SettingsTable``, or its default.
  package subscript<Value>(dynamicMember path: KeyPath<SettingsTable, Setting<Value>>) -> Value {
    get {
      let setting = SettingsTable.shared[keyPath: path]
      return texts[setting.row.name].flatMap(setting.syntax.value) ?? setting.defaultValue
    }
    set {
      let setting = SettingsTable.shared[keyPath: path]
      texts[setting.row.name] = setting.syntax.text(newValue)
    }
  }

  /// Returns the value of a setting in the notation of the settings file, or `nil` if this source does not have it.
  package func text(of name: SettingName) -> String? { texts[name] }

  /// Sets a setting to a value in the notation of the settings file.
  ///
  /// - Returns: `false` if the value is invalid for the setting. The setting is unchanged then.
  package mutating func set(_ name: SettingName, to text: String) -> Bool {
    guard let text = name.row.normalized(text) else { return false }
    texts[name] = text
    return true
  }

  /// Returns these settings, with missing values taken from another source.
  package func over(_ others: Settings) -> Settings {
    Settings(
      texts: texts.merging(others.texts) { value, _ in value }, colours: colours ?? others.colours,
      keys: keys ?? others.keys, mistake: mistake ?? others.mistake)
  }

  /// The default key bindings with the user's changes.
  package var keyBindings: KeyBindings { keys.map { KeyBindings(changing: $0) } ?? KeyBindings() }
}

extension Settings {
  /// Returns the path of the settings file: `waymark/config.yml` in `XDG_CONFIG_HOME`, or in `.config` of the home
  /// folder if the variable is not set.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative `XDG_CONFIG_HOME` is ignored.
  package static func path(in variable: (String) -> String?, home: String) -> String {
    let folder = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
    return folder + "/waymark/config.yml"
  }

  /// Reads a settings file. A missing file is treated as empty.
  ///
  /// - Returns: The settings, with the file and line of every mistake as their ``mistake``.
  /// - Throws: ``SettingsError`` if the file cannot be read, or is not valid YAML.
  package static func file(at path: String) throws -> Settings {
    guard FileManager.default.fileExists(atPath: path) else { return Settings() }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(filePath: path))
    } catch {
      let isFolder = (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
      throw SettingsError.unreadable(file: path, reason: isFolder ? "it is a folder" : "it cannot be opened")
    }
    guard bytes.count <= SettingsFile.maximumBytes else { throw SettingsError.tooLong(file: path, bytes: bytes.count) }
    guard let text = String(data: bytes, encoding: .utf8) else {
      let text = String(decoding: bytes, as: UTF8.self)
      // Decoding replaced invalid bytes with U+FFFD, so the first such character is on the invalid line.
      let lines = text.prefix { $0 != "\u{FFFD}" }.count { $0.isNewline }
      throw SettingsError.notText(place: "\(path):\(lines + 1)")
    }
    return try SettingsFile(name: path).settings(from: text)
  }

  /// Returns the settings of the environment: `NO_COLOR`, and variables such as `WAYMARK_MOTION=reduced`. `1` and `0`
  /// are accepted for `on` and `off`.
  ///
  /// The table is not built if no variable is set, which keeps the start of the program short.
  ///
  /// - Parameter variable: Returns the value of a variable.
  /// - Throws: ``SettingsError`` with every variable whose value is invalid.
  ///
  /// Source: no-color.org, for `NO_COLOR`.
  package static func environment(_ variable: (String) -> String?) throws -> Settings {
    var settings = Settings()
    if variable("NO_COLOR") != nil { settings.colour = ColourDepth.none }
    var mistakes = SettingsErrors()
    for name in SettingName.allCases {
      guard let value = variable(name.variable) else { continue }
      let digit = ["1": "on", "0": "off"][value]
      if settings.set(name, to: value) || digit.map({ settings.set(name, to: $0) }) ?? false { continue }
      mistakes.append(.badVariable(name: name.variable, value: value, expected: name.row.values))
    }
    if let error = mistakes.error { throw error }
    return settings
  }
}
