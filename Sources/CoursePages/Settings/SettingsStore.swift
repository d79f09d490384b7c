import Foundation
package import TextCanvas
import WholeNumbers

/// The settings with the sources of their values, which can be shown and changed while the browser runs. Changes are
/// written to the settings file.
package struct SettingsStore: Sendable {
  /// The source of a value, in the order of precedence.
  package enum Source: String, Hashable, Sendable {
    case flag, environment, file
    case `default` = "default"
  }

  package struct Entry: Hashable, Sendable {
    package let setting: SettingName
    /// Notes on single values, by value, for example the contrast of a theme.
    package var notes: [String: String] = [:]
    /// The value in the notation of the file.
    package let value: String
    package let source: Source

    /// The name in the file.
    package var name: String { setting.rawValue }
    /// A short description of the effect.
    package var explanation: String { setting.row.summary }
    /// The valid words. Empty for numbers and addresses.
    package var values: [String] { setting.row.allowedWords }
    /// A description of the valid values, such as `a whole number from 40 to 94`.
    package var expected: String { setting.row.values }

    /// The notice that is shown after the value was written to the file.
    package var savedMessage: String {
      switch source {
      case .flag: "Saved. A flag sets \(name) to \(value) until the program ends."
      case .environment: "Saved. An environment variable still sets \(name) to \(value)."
      case .file, .default:
        "Saved: \(name) is \(value)" + (setting.row.change == .nextStart ? " after the next start." : ".")
      }
    }
  }

  /// The path of the settings file.
  package let path: String
  private let flags: Settings
  private let environment: Settings

  /// Creates a store of settings. Each call of its methods reads the file at `path` again.
  package init(path: String, flags: Settings, environment: Settings) {
    self.path = path
    self.flags = flags
    self.environment = environment
  }

  /// Returns the current settings.
  ///
  /// - Throws: ``SettingsError`` if the settings file is invalid.
  package func settings() throws -> Settings { flags.over(environment.over(try .file(at: path))) }

  /// Returns every setting, in the order of the documentation.
  ///
  /// - Throws: ``SettingsError`` if the settings file is invalid.
  package func entries() throws -> [Entry] {
    let sources: [(Source, Settings)] = [
      (.flag, flags), (.environment, environment), (.file, try .file(at: path)),
    ]
    let customColours = try settings().colours ?? CustomColours()
    return SettingName.allCases.map { setting in
      let match = sources.lazy.compactMap { source, settings in settings.text(of: setting).map { (source, $0) } }.first
      var entry = Entry(setting: setting, value: match?.1 ?? setting.row.defaultText, source: match?.0 ?? .default)
      if setting == .theme {
        for row in Palette.rows {
          entry.notes[row.pageAppearance.rawValue] = Self.contrastNote(on: row.pageAppearance, customColours)
        }
      }
      return entry
    }
  }

  /// Returns the note on a theme: the lowest contrast of its text with the background.
  private static func contrastNote(on pageAppearance: PageAppearance, _ customColours: CustomColours) -> String {
    let theme = Theme(colourDepth: .truecolor, pageAppearance: pageAppearance, customColours: customColours)
    guard let (role, contrast) = theme.leastContrast else { return "" }
    // Rounded down, so that the contrast is at least the printed one.
    let tenths = Int(clamping: contrast * 10)
    let text = "contrast \(tenths / 10).\(tenths % 10) : 1"
    guard contrast < Contrast.minimum, let name = CustomColours.names.first(where: { $0.value == role })?.key else {
      return text + " or more"
    }
    return "\(text), hard to read: \(name)"
  }

  /// Writes a value to the settings file, and keeps the file's comments and order. Creates the file if it is missing.
  ///
  /// - Returns: The settings that are in effect after the change.
  /// - Throws: ``SettingsError`` if the value is invalid, or if the file is invalid or cannot be written. The file is
  ///   unchanged then.
  package func set(_ name: String, to value: String) throws -> Settings {
    let setting = SettingName(rawValue: name)
    guard let setting, setting.row.normalized(value) != nil else {
      let expected = setting?.row.values ?? ""
      throw SettingsError.badValue(name: name, value: value, place: path, expected: expected)
    }
    return try write { try SettingsFile(name: path).text($0, setting: setting, to: value) }
  }

  /// Writes the keys of commands to the settings file, in the same way. Commands with their default keys are removed from
  /// it.
  ///
  /// - Throws: ``SettingsError`` if the file is invalid or cannot be written. The file is unchanged then.
  package func set(_ keys: [Command: [KeyEvent]]) throws -> Settings {
    try write { try SettingsFile(name: path).text($0, keys: keys) }
  }

  private func write(_ change: (String) throws -> String) throws -> Settings {
    // If the existing file cannot be read, this reports why.
    _ = try Settings.file(at: path)
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let changed = try change(text)
    do {
      // If the path is a symbolic link, its target is replaced.
      let file = URL(filePath: path).resolvingSymlinksInPath()
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(changed.utf8).write(to: file, options: .atomic)
    } catch {
      throw SettingsError.unwritable(file: path)
    }
    return try settings()
  }
}
