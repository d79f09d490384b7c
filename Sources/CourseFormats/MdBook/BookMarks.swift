/// Turns what preprocessors of books add to Markdown line by line into Markdown: the identifiers of rules, and the
/// boxes that GitHub does not have.
///
/// Source: the Rust Reference, "mdbook-spec".
struct BookMarks {
  /// What could not be shown.
  private(set) var findings = Findings()

  /// The page without those marks.
  mutating func expanded(_ text: String) -> String {
    guard text.contains("[!") || text.contains("r[") else { return text }
    var fence = CodeFence()
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      fence.pass(line)
      return fence.isOpen ? String(line) : rule(line) ?? box(line) ?? String(line)
    }.joined(separator: "\n")
  }

  /// `r[names.fields]` is a place that links may lead to.
  private mutating func rule(_ line: Substring) -> String? {
    let bare = line.trimmingBlanks
    guard bare.hasPrefix("r["), bare.last == "]" else { return nil }
    let name = bare.dropFirst(2).dropLast()
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }) else {
      return nil
    }
    findings.lose("identifier of a rule", "left out; links to it lead there")
    return "<a id=\"r-\(name)\"></a>\n"
  }

  /// `> [!EDITION-2018]` is a box of that name; GitHub's own five are read with all other Markdown.
  private func box(_ line: Substring) -> String? {
    let prefix = line.prefix { $0 == ">" || $0 == " " }
    let words = line[prefix.endIndex...]
    guard prefix.contains(">"), words.hasPrefix("[!"), let close = words.firstIndex(of: "]") else { return nil }
    let name = words[..<close].dropFirst(2)
    guard let first = name.first, first.isLetter, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }),
      !Self.known.contains(name.uppercased())
    else { return nil }
    let label = name.prefix(1).uppercased() + name.dropFirst().lowercased().replacing("-", with: " ")
    let title = words[words.index(after: close)...].trimmingBlanks
    // A title stands by itself.
    return "\(prefix)**\(label):**" + (title.isEmpty ? "" : " \(title)\n\(prefix)")
  }

  private static let known: Set<String> = ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"]
}
