import LearningModel

/// Reads the files in which the configuration of a web site declares the former addresses of its pages.
///
/// Sources: mkdocs-redirects (`redirect_maps`); GitBook, "Content configuration" (`redirects`); sphinxext-rediraffe and
/// sphinx-reredirects (dictionaries in `conf.py`); Netlify, "Redirects and rewrites" (`_redirects`).
enum RedirectFiles {
  private static let folders = ["", "docs", "doc", "source", "docs/source", "doc/source"]
  /// The folders whose files are at the root of a web site.
  static let publicFolders = ["", "static", "public", "src/public", "docs/public"]

  static func addresses(in source: CourseSource) -> [FormerAddress] {
    guard source.isFolder else { return [] }
    func text(of file: String) -> String? {
      guard source.hasFile(file), let bytes = try? source.bytes(of: file) else { return nil }
      return try? TextDecoding.decode(bytes, file: file)
    }
    func tree(of file: String) -> YAMLTree? {
      text(of: file).flatMap { try? YAMLTree($0, file: file, limits: source.limits) }
    }
    var maps = [tree(of: ".gitbook.yaml")?["redirects"]]
    for file in ["mkdocs.yml", "mkdocs.yaml"] {
      let plugin = tree(of: file)?["plugins"]?.items.lazy.compactMap { $0["redirects"] }.first
      maps.append(plugin?["redirect_maps"])
    }
    var found = maps.compactMap(\.self).flatMap(\.fields).compactMap { field in
      field.value.text.map { FormerAddress(field.name, of: $0) }
    }
    for folder in folders {
      found += text(of: SourcePath.join(folder, "conf.py")).map(addresses(inPython:)) ?? []
    }
    for folder in publicFolders {
      for line in (text(of: SourcePath.join(folder, "_redirects")) ?? "").split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("/"), !words[0].contains(where: { "*:".contains($0) }) else {
          continue
        }
        found.append(FormerAddress(String(words[0]), of: String(words[1])))
      }
    }
    return found
  }

  private static func addresses(inPython program: String) -> [FormerAddress] {
    ["\nrediraffe_redirects = {", "\nredirects = {"].flatMap { start in
      guard let range = program.firstRange(of: start) else { return [FormerAddress]() }
      return program[range.upperBound...].prefix { $0 != "}" }.split(separator: "\n").compactMap { line in
        let texts = line.trimmingBlanks.hasPrefix("#") ? [] : line.quotedTexts
        return texts.count == 2 ? FormerAddress(texts[0], of: texts[1]) : nil
      }
    }
  }
}

extension Substring {
  /// The texts between quotation marks, in order.
  var quotedTexts: [String] {
    var texts: [String] = []
    var rest = self
    while let start = rest.firstIndex(where: { $0 == "\"" || $0 == "'" }) {
      let text = rest[rest.index(after: start)...]
      guard let end = text.firstIndex(of: rest[start]) else { break }
      texts.append(String(text[..<end]))
      rest = text[text.index(after: end)...]
    }
    return texts
  }
}
