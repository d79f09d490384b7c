import LearningModel

/// What stands in front of a page: fields of YAML between lines of three hyphens, or of TOML between lines of three
/// plus signs. They are never text, and what is wrong with them is a warning.
struct PageMatter {
  /// Its fields by name; only those that are one text.
  private(set) var fields: [String: String] = [:]
  /// The page below them.
  let body: Substring
  /// The line that the body begins at, from 1.
  let bodyLine: Int
  /// The language that a notebook's code is in.
  private(set) var codeLanguage: String?
  /// Whether the page is written for MyST or Sphinx.
  private(set) var isNotebook = false

  /// Takes a page apart.
  init(_ text: String, file: String, limits: SourceLimits, findings: inout Findings) {
    for mark in ["---", "+++"] where text.hasPrefix(mark) {
      guard let (matter, body, line) = Self.split(text, at: mark) else { continue }
      self.body = body
      bodyLine = line
      if mark == "---" {
        readYAML(String(matter), file: file, limits: limits, findings: &findings)
      } else {
        readTOML(String(matter), file: file)
      }
      return
    }
    body = text[...]
    bodyLine = 1
  }

  /// A field with words in it.
  subscript(name: String) -> String? {
    fields[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Its place among its siblings, where the page says so.
  var order: Double? {
    ["weight", "sidebar_position", "nav_order", "order", "position"].lazy.compactMap { fields[$0].flatMap(Double.init) }
      .first { $0.isFinite }
  }

  /// Whether its author has not published it.
  var isDraft: Bool { fields["draft"] == "true" || fields["published"] == "false" }

  private static func split(
    _ text: String, at mark: String
  ) -> (matter: Substring, body: Substring, bodyLine: Int)? {
    let bytes = text.utf8
    guard let first = bytes.firstIndex(of: 0x0A), text[..<first].trimmingBlanks == mark else { return nil }
    var start = bytes.index(after: first)
    let matter = start
    var line = 2
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
      let next = end == bytes.endIndex ? end : bytes.index(after: end)
      let content = text[start..<end]
      if content.hasPrefix(mark), content.trimmingBlanks == mark {
        return (text[matter..<start], text[next...], line + 1)
      }
      start = next
      line += 1
    }
    // Without a second line of that kind it is a rule, and text follows.
    return nil
  }

  private mutating func readYAML(_ yaml: String, file: String, limits: SourceLimits, findings: inout Findings) {
    do {
      let tree = try YAMLTree(yaml, file: file, firstLine: 2, limits: limits)
      for field in tree.fields {
        if let text = field.value.text { fields[field.name] = text.onOneLine }
      }
      codeLanguage = tree["kernelspec"]?["language"]?.text ?? tree["kernelspec"]?["name"]?.text
      isNotebook = tree["jupytext"] != nil || tree["kernelspec"] != nil
      if let menu = tree["sidebar"] {
        if fields["order"] == nil { fields["order"] = menu["order"]?.text }
      }
    } catch let error as CourseFormatError {
      findings.lose("fields of a page", "left out")
      findings.warning(file, error.diagnostic.line, error.diagnostic.message + " The page is read without them.")
    } catch {}
  }

  /// Names and values of the first level; of TOML no more is asked.
  private mutating func readTOML(_ toml: String, file: String) {
    for line in toml.split(separator: "\n") {
      if line.hasPrefix("[") { return }
      guard let equals = line.firstIndex(of: "=") else { continue }
      let name = line[..<equals].trimmingBlanks
      var value = line[line.index(after: equals)...].trimmingBlanks
      if let quote = value.first, quote == "\"" || quote == "'", value.count > 1,
        let end = value.dropFirst().lastIndex(of: quote)
      {
        value = value[value.index(after: value.startIndex)..<end]
      }
      fields[String(name)] = String(value).onOneLine
    }
  }
}
