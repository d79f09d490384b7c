import Foundation
import TextCanvas

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
    /// What is to be known of a value before it is chosen, by its name; nothing of most.
    package var notes: [String: String] = [:]
    /// The same as ``values`` in words, such as `a whole number from 40 to 94`.
    package let expected: String
    /// What it is.
    package let value: String
    /// Where that comes from.
    package let source: Source
    /// Whether it counts from the next start only.
    package let isForNextStart: Bool

    /// What is said of it once it was written.
    package var wordsOnceWritten: String {
      switch source {
      case .flag: "Written. For now a flag counts before it: \(name) is \(value)."
      case .environment: "Written. The environment counts before it: \(name) is \(value)."
      case .file, .default: "Written: \(name) is \(value)" + (isForNextStart ? ", from the next start on." : ".")
      }
    }

    /// Whether letters in lower case begin its name, one of its values, a word of what it does, or another word for it.
    package func isMeant(by text: String) -> Bool {
      let words = does.lowercased().split { $0 == " " || $0 == "," }.map(String.init)
      return ([name] + values + words + SettingRow.otherWords[name, default: []]).contains { $0.hasPrefix(text) }
    }
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
    let own = try settings().colours ?? OwnColours()
    var entries = SettingRow.rows.map { row in
      let found = sources.lazy.compactMap { source, settings in row.text(settings).map { (source, $0) } }.first
      return Entry(
        name: row.name.rawValue, does: row.does, values: row.words, expected: row.values,
        value: found?.1 ?? row.standard, source: found?.0 ?? .default, isForNextStart: row.isForNextStart)
    }
    if let theme = entries.firstIndex(where: { $0.name == "theme" }) {
      for row in Palette.rows { entries[theme].notes[row.tone.rawValue] = Self.words(on: row.tone, own) }
    }
    return entries
  }

  /// What is told of a theme: how well its words can be told from the page.
  private static func words(on tone: PageTone, _ own: OwnColours) -> String {
    let theme = Theme(depth: .truecolor, tone: tone, own: own)
    guard let (role, contrast) = theme.leastContrast else { return "" }
    // Rounded down: what is said is kept.
    let tenths = Int(contrast * 10)
    let words = "contrast \(tenths / 10).\(tenths % 10) : 1"
    guard contrast < Contrast.least, let name = OwnColours.names.first(where: { $0.value == role })?.key else {
      return words + " and more"
    }
    return "\(words), hard to read: \(name)"
  }

  /// Writes a value into the file, which keeps its comments and its order; where there is no file, one is made.
  ///
  /// - Returns: What counts then.
  /// - Throws: ``SettingsError`` where the value is none, the file has mistakes, or it cannot be written. The file is then
  ///   as it was.
  package func set(_ name: String, to value: String) throws -> Settings {
    var scratch = Settings()
    let row = SettingRow.row(named: name)
    guard let row, row.read(value, &scratch) else {
      let expected = row?.values ?? ""
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
