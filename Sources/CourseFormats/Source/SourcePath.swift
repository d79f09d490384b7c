/// Paths inside a source: names joined by `/`, without `.`, `..`, drive letters and a leading slash.
enum SourcePath {
  /// Returns the path that a name in a file means.
  ///
  /// - Parameters:
  ///   - name: What the file says, such as `../images/map.png`; a leading slash means the source's own top.
  ///   - folder: The folder of the file that says it; empty for the top.
  ///   - staysInside: Whether a step above the top stays at the top, as it does in the addresses of a site.
  /// - Returns: `nil` where it leads out of the source.
  static func resolve(_ name: some StringProtocol, in folder: String, staysInside: Bool = false) -> String? {
    let plain = String(name.map { $0 == "\\" ? "/" : $0 })
    if let second = plain.dropFirst().first, second == ":", plain.first!.isLetter { return nil }
    var parts = plain.hasPrefix("/") ? [] : folder.split(separator: "/").map(String.init)
    for part in plain.split(separator: "/") {
      switch part {
      case ".": continue
      case "..":
        guard !parts.isEmpty || staysInside else { return nil }
        _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }

  /// The folder of a path; empty at the top.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  /// The last name of a path.
  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The name without what follows its last dot; a name that begins with its only dot stays.
  static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// Whether the last name ends with a dot and that extension, whatever its case.
  static func hasExtension(_ suffix: String, _ path: String) -> Bool {
    path.utf8.count > suffix.utf8.count + 1 && path.lowercased().hasSuffix("." + suffix)
  }

  /// The path of a name in a folder.
  static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder + "/" + name
  }
}
