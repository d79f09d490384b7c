/// Finds the files that say in another language what other files say: `page.zh.md` beside `page.md`, and `Chinese/`
/// beside the pages that it holds again.
struct Translations {
  /// The files of the one language that is read.
  private(set) var kept: [String] = []
  /// How many files there are in each of the others, by the language as their names have it.
  private(set) var others: [String: Int] = [:]

  /// Parts files by language.
  ///
  /// - Parameters:
  ///   - paths: All Markdown files.
  ///   - language: The language that the folder itself names; `nil` where it names none.
  ///   - isNamed: Whether a navigation names the file, which then is read whatever its language.
  init(_ paths: [String], language: String?, isNamed: (String) -> Bool) {
    let all = Set(paths)
    let suffixes = Self.suffixes(of: paths, all: all, language: language)
    let folders = Self.folders(of: paths, language: language)
    for path in paths {
      let found = suffixes[path] ?? Self.folder(of: path, among: folders)
      if let found, !isNamed(path) {
        others[found, default: 0] += 1
      } else {
        kept.append(path)
      }
    }
  }

  // MARK: Names that end in a language

  /// The language of each file that is a translation of another one beside it.
  private static func suffixes(of paths: [String], all: Set<String>, language: String?) -> [String: String] {
    var found: [String: String] = [:]
    /// The languages of pages that are in no language by their names, by what they are without those.
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

  /// The path without the language in its name, and that language: `a/page.zh-CN.md`.
  private static func suffix(of path: String) -> (bare: String, language: String)? {
    let name = SourcePath.name(of: path)
    let stem = SourcePath.stem(of: name)
    let ending = name.dropFirst(stem.count)
    // Behind a hyphen or an underscore only a README's is a language: "sign-in" is in none.
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

  /// The folders that hold translations, and their languages.
  private static func folders(of paths: [String], language: String?) -> [String: String] {
    /// The pages of each folder, at every depth, by their paths below it.
    var inside: [String: Set<String>] = [:]
    for path in paths {
      let parts = path.split(separator: "/").dropLast()
      for (index, part) in parts.enumerated() where isLanguage(String(part)) || isFolderOfLanguages(parts, index) {
        let folder = parts.prefix(index + 1).joined(separator: "/")
        inside[folder, default: []].insert(String(path.dropFirst(folder.utf8.count + 1)))
      }
    }
    // So many folders are no languages, but a large tree in which some have such names.
    guard inside.count <= mostFolders else { return [:] }
    var found: [String: String] = [:]
    for (parent, siblings) in Dictionary(grouping: inside.keys, by: SourcePath.folder) {
      let names = siblings.map(SourcePath.name)
      let prefix = parent.isEmpty ? "" : parent + "/"
      let originals = Set(
        paths.filter { path in path.hasPrefix(prefix) && !siblings.contains { path.hasPrefix($0 + "/") } }
          .map { String($0.dropFirst(prefix.utf8.count)) })
      let areTranslations = ["translations", "i18n", "locales", "l10n"].contains(
        SourcePath.name(of: parent).lowercased())
      // A folder that only has the name of a language holds no page again.
      var again = siblings.filter { areTranslations || overlaps(inside[$0]!, originals) }
      if again.isEmpty, let kept = chosen(among: names, language: language) {
        let read = siblings.first { SourcePath.name(of: $0) == kept }!
        again = siblings.filter { $0 != read && overlaps(inside[$0]!, inside[read]!) }
      }
      for folder in again { found[folder] = SourcePath.name(of: folder) }
    }
    return found
  }

  private static let mostFolders = 200

  private static func isFolderOfLanguages(_ parts: ArraySlice<Substring>, _ index: Int) -> Bool {
    index > 0 && ["translations", "i18n", "locales", "l10n"].contains(parts[index - 1].lowercased())
  }

  /// Whether half of the pages of one are in the other too.
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

  /// The one that is read: the folder's own, else English, else the first.
  private static func chosen(among languages: [String], language: String?) -> String? {
    let own = language?.lowercased()
    return languages.first { $0.lowercased() == own } ?? languages.first { $0.lowercased().prefix(2) == own?.prefix(2) }
      ?? languages.first { $0.lowercased() == "en" || $0.lowercased().hasPrefix("en-") || $0.lowercased() == "english" }
      ?? languages.sorted().first
  }

  /// Whether a name is that of a language: `zh`, `pt-BR`, `zh_Hans`, `Chinese`.
  static func isLanguage(_ name: String) -> Bool {
    let parts = name.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" })
    guard let first = parts.first, parts.count <= 2 else { return false }
    if parts.count == 1, names.contains(String(first)) { return true }
    guard codes.contains(String(first)) else { return false }
    return parts.count == 1 || (2...4).contains(parts[1].count) && parts[1].allSatisfy { $0.isASCII && $0.isLetter }
  }

  /// Those in which courses are written most. Source: ISO 639-1; "cn" and "jp" are what people write for two of them.
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
