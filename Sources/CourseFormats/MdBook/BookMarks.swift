/// Turns what preprocessors of books add to Markdown into Markdown: the identifiers of rules, and frames.
///
/// Source: the Rust Reference, "mdbook-spec"; of frames ``BookAdmonitions``.
struct BookMarks {
  /// What could not be shown.
  private(set) var findings = Findings()

  /// The page without those marks.
  mutating func expanded(_ text: String) -> String {
    let text = BookAdmonitions.marked(in: text)
    guard text.contains("r[") else { return text }
    var fence = CodeFence()
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      fence.pass(line)
      return fence.isOpen ? String(line) : rule(line) ?? String(line)
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
}
