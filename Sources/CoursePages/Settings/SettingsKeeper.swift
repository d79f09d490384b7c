import Foundation

/// The settings of a person as they can be seen and changed while the browser runs: each with its value and where that
/// comes from. What is changed is written into the settings file.
package struct SettingsKeeper: Sendable {
  /// Where a value comes from; the first that says something counts.
  package enum Source: String, Hashable, Sendable {
    case flag, environment, file
    case `default` = "default"
  }

  /// One setting.
  package struct Entry: Hashable, Sendable {
    /// As the file calls it.
    package let name: String
    /// What it does, in a few words.
    package let does: String
    /// What it can be; empty for a number.
    package let values: [String]
    /// What it is.
    package let value: String
    /// Where that comes from.
    package let source: Source
    /// Whether it counts from the next start only.
    package let isForNextStart: Bool
  }

  /// The settings file.
  package let path: String
  private let flags: Settings
  private let environment: Settings

  /// Knows what flags and variables say; the file at a path is read anew each time.
  package init(path: String, flags: Settings, environment: Settings) {
    self.path = path
    self.flags = flags
    self.environment = environment
  }

  /// What counts now.
  ///
  /// - Throws: ``SettingsError`` where the file has mistakes.
  package func settings() throws -> Settings { flags.over(environment.over(try .file(at: path))) }

  /// Every setting, in the order of the documentation.
  ///
  /// - Throws: ``SettingsError`` where the file has mistakes.
  package func entries() throws -> [Entry] {
    let sources: [(Source, Settings)] = [
      (.flag, flags), (.environment, environment), (.file, try .file(at: path)),
    ]
    return SettingRow.rows.map { row in
      let found = sources.lazy.compactMap { source, settings in row.text(settings).map { (source, $0) } }.first
      return Entry(
        name: row.name, does: row.does, values: row.words, value: found?.1 ?? row.standard,
        source: found?.0 ?? .default, isForNextStart: row.isForNextStart)
    }
  }

  /// Writes a value into the file, which keeps its comments and its order; where there is no file, one is made.
  ///
  /// - Returns: What counts then.
  /// - Throws: ``SettingsError`` where the value is none, the file has mistakes, or it cannot be written. The file is then
  ///   as it was.
  package func set(_ name: String, to value: String) throws -> Settings {
    var scratch = Settings()
    guard let row = SettingRow.rows.first(where: { $0.name == name }), row.read(value, &scratch) else {
      let expected = SettingRow.rows.first { $0.name == name }?.values ?? ""
      throw SettingsError.badValue(name: name, value: value, place: path, expected: expected)
    }
    // Mistakes of the file are told with their lines.
    _ = try Settings.file(at: path)
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let changed = try SettingsFile(name: path).text(text, setting: name, to: value)
    do {
      // A link stays a link.
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
