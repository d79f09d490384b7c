/// The keys of pages and folders: their paths, without extensions and without the numbers at the beginning of names.
struct PageKeys {
  private let keys: [String: String]
  private let top: String

  /// Makes the keys of pages.
  ///
  /// - Parameters:
  ///   - paths: All pages. Pages that would have the same key keep their numbers and, if their keys are still the same,
  ///     also their extensions.
  ///   - top: The folder with the pages, which is not part of the keys.
  ///   - course: The key of the course, which no page may have. For example, `bees.md` in a folder `bees` keeps its
  ///     extension.
  ///   - own: The keys that authors gave to pages.
  init(_ paths: [String], below top: String, course: String = "", own: [String: String] = [:]) {
    self.top = top
    let forms: [(String) -> String] = [
      { Self.unnumbered(SourcePath.stem(of: $0)) },
      { SourcePath.join(SourcePath.folder(of: $0), SourcePath.stem(of: SourcePath.name(of: $0))) }, { $0 },
    ]
    var keys = own
    var taken = Set(own.values).union([course])
    var rest = paths.filter { own[$0] == nil }
    for form in forms {
      let groups = Dictionary(grouping: rest) { form(Self.relativePath(top, $0)) }
      rest = []
      for (key, group) in groups {
        if group.count == 1, !taken.contains(key) {
          keys[group[0]] = key
          taken.insert(key)
        } else {
          rest += group
        }
      }
    }
    // Only a page without an extension has the key of the course, such as `todo`.
    for path in rest { keys[path] = "./" + path }
    self.keys = keys
  }

  func page(_ path: String) -> String { keys[path] ?? Self.relativePath(top, path) }

  func folder(_ path: String) -> String { Self.unnumbered(Self.relativePath(top, path)) + "/" }

  /// Returns a path relative to a folder. A path outside the folder begins with `../`.
  private static func relativePath(_ top: String, _ path: String) -> String {
    if top.isEmpty { return path }
    return path.hasPrefix(top + "/") ? String(path.dropFirst(top.utf8.count + 1)) : "../" + path
  }

  private static func unnumbered(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { unnumberedName(of: String($0)) }.joined(
      separator: "/")
  }

  /// Returns a name without the number at its beginning, if letters follow the number. Dates and names such as `6.006`
  /// are unchanged.
  static func unnumberedName(of stem: String) -> String {
    let rest = stem.drop { ("0"..."9").contains($0) }
    let words = rest.drop { "-_. )".contains($0) }
    guard rest.count < stem.count, words.count < rest.count, let first = words.first, !("0"..."9").contains(first)
    else {
      return stem
    }
    return String(words)
  }

  /// Returns a title derived from a name. The identifier that Notion adds to the names of exported pages, 32 hexadecimal
  /// digits, is omitted.
  static func title(of name: String) -> String {
    let identifier = name.reversed().prefix { $0.isHexDigit && $0.isASCII && !$0.isUppercase }.count
    let name = identifier == 32 && name.count > 33 ? String(name.dropLast(32)) : name
    // In the names of files, Logseq replaces the slash of a namespace.
    let spelled = Self.unnumberedName(of: name).replacing("___", with: "/")
    let words = spelled.split { "-_ ".contains($0) }.joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
