/// Finds translations: files such as `page.zh.md` next to `page.md`, and folders such as `Chinese` next to the pages
/// that they translate.
struct Translations {
  /// The files in the language that is read.
  private(set) var chosenFiles: [String] = []
  /// The number of files in each other language. The languages are written as in the names of the files.
  private(set) var skippedLanguages: [String: Int] = [:]

  /// Separates files by language.
  ///
  /// - Parameters:
  ///   - paths: The paths of all pages.
  ///   - language: The language of the course according to its configuration, or `nil`.
  ///   - isNamed: Returns whether a navigation lists the file. If it does, the file is always read.
  init(_ paths: [String], language: String?, isNamed: (String) -> Bool) {
    let all = Set(paths)
    let suffixes = Self.suffixes(of: paths, all: all, language: language)
    let folders = Self.folders(of: paths, language: language)
    for path in paths {
      let found = suffixes[path] ?? Self.folder(of: path, among: folders)
      if let found, !isNamed(path) {
        skippedLanguages[found, default: 0] += 1
      } else {
        chosenFiles.append(path)
      }
    }
  }

  // MARK: Names that end in a language

  /// Returns the language of each file that is a translation of another file in the same folder.
  private static func suffixes(of paths: [String], all: Set<String>, language: String?) -> [String: String] {
    var found: [String: String] = [:]
    /// The files that have a language in their names but no original, by their names without the language.
    var groups: [String: [(path: String, language: String)]] = [:]
    for path in paths {
      guard let (bare, code) = suffix(of: path) else { continue }
      if all.contains(bare) {
        found[path] = code
      } else {
        groups[bare, default: []].append((path, code))
      }
    }
    for group in groups.values where group.count > 1 {
      let kept = chosen(among: group.map(\.language), language: language)
      for (path, code) in group where code != kept { found[path] = code }
    }
    return found
  }

  /// Returns the path without the language in its name, and that language, for example for `a/page.zh-CN.md`.
  private static func suffix(of path: String) -> (bare: String, language: String)? {
    let name = SourcePath.name(of: path)
    let stem = SourcePath.stem(of: name)
    let ending = name.dropFirst(stem.count)
    // After a hyphen or an underscore, a language is recognised only in the name of a README. For example, "in" in
    // "sign-in" is not a language.
    let marks = stem.lowercased().hasPrefix("readme") ? ".-_" : "."
    var index = stem.startIndex
    while let mark = stem[index...].dropFirst().firstIndex(where: { marks.contains($0) }) {
      let code = String(stem[stem.index(after: mark)...])
      if isLanguage(code) {
        return (SourcePath.join(SourcePath.folder(of: path), String(stem[..<mark]) + ending), code)
      }
      index = mark
    }
    return nil
  }

  // MARK: Folders of a language

  /// Returns the folders of translations with their languages.
  private static func folders(of paths: [String], language: String?) -> [String: String] {
    /// For each folder, the paths of all pages below it at any depth, relative to that folder.
    var inside: [String: Set<String>] = [:]
    for path in paths {
      let parts = path.split(separator: "/").dropLast()
      for (index, part) in parts.enumerated() where isLanguage(String(part)) || isFolderOfLanguages(parts, index) {
        let folder = parts.prefix(index + 1).joined(separator: "/")
        inside[folder, default: []].insert(String(path.dropFirst(folder.utf8.count + 1)))
      }
    }
    // A source with more such folders is a large tree of folders with names that look like languages. They are not
    // translations.
    guard inside.count <= maximumFolders else { return [:] }
    var found: [String: String] = [:]
    for (parent, siblings) in Dictionary(grouping: inside.keys, by: SourcePath.folder) {
      let names = siblings.map(SourcePath.name)
      let prefix = parent.isEmpty ? "" : parent + "/"
      let originals = Set(
        paths.filter { path in path.hasPrefix(prefix) && !siblings.contains { path.hasPrefix($0 + "/") } }
          .map { String($0.dropFirst(prefix.utf8.count)) })
      let areTranslations = ["translations", "i18n", "locales", "l10n"].contains(
        SourcePath.name(of: parent).lowercased())
      // The folder must not only be named like a language, but also contain pages with the names of the originals.
      var again = siblings.filter { areTranslations || overlaps(inside[$0]!, originals) }
      if again.isEmpty, let kept = chosen(among: names, language: language) {
        let read = siblings.first { SourcePath.name(of: $0) == kept }!
        again = siblings.filter { $0 != read && overlaps(inside[$0]!, inside[read]!) }
      }
      for folder in again { found[folder] = SourcePath.name(of: folder) }
    }
    return found
  }

  private static let maximumFolders = 200

  private static func isFolderOfLanguages(_ parts: ArraySlice<Substring>, _ index: Int) -> Bool {
    index > 0 && ["translations", "i18n", "locales", "l10n"].contains(parts[index - 1].lowercased())
  }

  /// Returns whether at least half of the pages in the first set are also in the second set.
  private static func overlaps(_ one: Set<String>, _ other: Set<String>) -> Bool {
    !one.isEmpty && one.intersection(other).count * 2 >= one.count
  }

  private static func folder(of path: String, among folders: [String: String]) -> String? {
    guard !folders.isEmpty else { return nil }
    var folder = SourcePath.folder(of: path)
    while !folder.isEmpty {
      if let language = folders[folder] { return language }
      folder = SourcePath.folder(of: folder)
    }
    return nil
  }

  // MARK: Languages

  /// Returns the language to read: that of the course, otherwise English, otherwise the first in alphabetical order.
  private static func chosen(among languages: [String], language: String?) -> String? {
    let own = language?.lowercased()
    return languages.first { $0.lowercased() == own } ?? languages.first { $0.lowercased().prefix(2) == own?.prefix(2) }
      ?? languages.first { $0.lowercased() == "en" || $0.lowercased().hasPrefix("en-") || $0.lowercased() == "english" }
      ?? languages.sorted().first
  }

  /// Returns whether a name is a language, such as `zh`, `pt-BR`, `zh_Hans` or `Chinese`.
  static func isLanguage(_ name: String) -> Bool {
    let parts = name.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" })
    guard let first = parts.first, parts.count <= 2 else { return false }
    if parts.count == 1, names.contains(String(first)) { return true }
    guard codes.contains(String(first)) else { return false }
    return parts.count == 1 || (2...4).contains(parts[1].count) && parts[1].allSatisfy { $0.isASCII && $0.isLetter }
  }

  /// The most common languages of courses. Source: ISO 639-1; "cn" and "jp" are common mistakes for "zh" and "ja".
  private static let codes: Set<String> = [
    "ar", "bg", "bn", "ca", "cn", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu",
    "id", "it", "ja", "jp", "ko", "lt", "lv", "mr", "ms", "my", "ne", "nl", "no", "pa", "pl", "pt", "ro", "ru", "sk",
    "sl", "sr", "sv", "sw", "ta", "te", "th", "tl", "tr", "tw", "uk", "ur", "uz", "vi", "zh",
  ]
  private static let names: Set<String> = [
    "arabic", "chinese", "dutch", "english", "french", "german", "hindi", "indonesian", "italian", "japanese", "korean",
    "persian", "polish", "portuguese", "russian", "spanish", "turkish", "ukrainian", "vietnamese",
  ]
}
