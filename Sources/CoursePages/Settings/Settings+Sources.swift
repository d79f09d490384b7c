import Foundation
import TextCanvas

extension Settings {
  /// Where the settings file is: `waymark/config.yml` under `XDG_CONFIG_HOME`, else under `.config` of a home folder.
  ///
  /// Source: XDG Base Directory Specification 0.8; a relative `XDG_CONFIG_HOME` does not count.
  package static func path(in variable: (String) -> String?, home: String) -> String {
    let folder = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
    return folder + "/waymark/config.yml"
  }

  /// What a settings file says; nothing where there is no file.
  ///
  /// - Throws: ``SettingsError``, with file and line, for every mistake.
  package static func file(at path: String) throws -> Settings {
    guard FileManager.default.fileExists(atPath: path) else { return Settings() }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(filePath: path))
    } catch {
      let isFolder = (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
      throw SettingsError.unreadable(file: path, reason: isFolder ? "it is a folder" : "it cannot be opened")
    }
    guard bytes.count <= SettingsFile.longest else { throw SettingsError.tooLong(file: path, bytes: bytes.count) }
    guard let text = String(data: bytes, encoding: .utf8) else {
      let text = String(decoding: bytes, as: UTF8.self)
      // Whatever is no UTF-8 became this character; a file that has it on purpose has it before as well.
      let lines = text.prefix { $0 != "\u{FFFD}" }.count { $0.isNewline }
      throw SettingsError.notText(place: "\(path):\(lines + 1)")
    }
    return try SettingsFile(name: path).settings(from: text)
  }

  /// What the variables of an environment, which a name is looked up in, say: `WAYMARK_MOTION=reduced` and its like, `1` and `0` for `on`
  /// and `off`, and `NO_COLOR`.
  ///
  /// - Throws: ``SettingsError`` where variables have values that they cannot have.
  ///
  /// Source: no-color.org, for `NO_COLOR`.
  package static func environment(_ variable: (String) -> String?) throws -> Settings {
    var settings = Settings()
    if variable("NO_COLOR") != nil { settings.colour = .fixed(ColourDepth.none) }
    var mistakes = SettingsMistakes()
    for name in SettingRow.Name.allCases {
      guard let value = variable(name.variable), let row = SettingRow.row(named: name.rawValue) else { continue }
      if row.read(variable: value, &settings) { continue }
      mistakes.note(.badVariable(name: name.variable, value: value, expected: row.values))
    }
    try mistakes.check()
    return settings
  }
}
