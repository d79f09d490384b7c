/// Marks of fenced code blocks: titles, labels of tabs, and comments that highlight lines.
///
/// Sources: Docusaurus, "Code blocks"; Expressive Code, "Editor & Terminal Frames"; Material for MkDocs, "Code blocks";
/// VitePress, "Code Groups" and "Line Highlighting in Code Blocks".
extension PageLine.Fence {
  /// The title in the information: `js title="src/oven.js"`. `nil` if it is missing or empty.
  var title: String? {
    // A regular expression is compiled at each use, so it is used only if there is an attribute.
    guard information.utf8.contains(UInt8(ascii: "=")),
      let match = information.firstMatch(of: #/\btitle=(?:"([^"]*)"|'([^']*)')/#)
    else { return nil }
    let title = String(match.1 ?? match.2 ?? "").onOneLine
    return title.isEmpty ? nil : title
  }

  /// The label of a tab in a code group: `js [config.js]`, otherwise the title or the language.
  var tabLabel: String {
    if let open = information.firstIndex(of: "["), let close = information[open...].firstIndex(of: "]") {
      let label = information[information.index(after: open)..<close].trimmingBlanks
      if !label.isEmpty { return String(label) }
    }
    return title ?? language ?? "Code"
  }
}

enum CodeBlockMarks {
  /// Returns code without the comments that mark lines: lines such as `// highlight-next-line`, and ends of lines such
  /// as `// [!code focus]`.
  static func removed(from lines: [String]) -> [String] {
    guard lines.contains(where: { $0.contains("highlight-") || $0.contains("[!code ") }) else { return lines }
    return lines.compactMap { line in
      if line.contains("highlight-"), isHighlight(line) { return nil }
      guard line.contains("[!code ") else { return line }
      let code = line.replacing(
        #/\s*(?://|#|--|;|%|/\*|<!--|\{/\*)\s*\[!code [^\]]*\]\s*(?:\*/\}?|-->)?\s*$/#, with: "")
      return code.isEmpty ? nil : code
    }
  }

  private static func isHighlight(_ line: String) -> Bool {
    let signs = " \t\r/*#<!->{};%"
    var words = line[...]
    while let first = words.first, signs.contains(first) { words = words.dropFirst() }
    while let last = words.last, signs.contains(last) { words = words.dropLast() }
    return ["highlight-next-line", "highlight-start", "highlight-end"].contains(words) && words.count < line.count
  }

  /// Returns the line with a title above code.
  static func line(forTitle title: String) -> String {
    "<em>" + title.map { "\\*_`[]<>~$&".contains($0) ? "\\\($0)" : String($0) }.joined() + "</em>"
  }
}
