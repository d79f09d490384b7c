/// Converts the outline and the blocks of Logseq, which are not CommonMark.
///
/// Source: Logseq, "Markdown" and "Advanced commands".
enum LogseqMarkup {
  /// Returns a page in which lists below a heading or a paragraph are not indented, because CommonMark would read them
  /// as code, and in which blocks such as `#+BEGIN_TIP` are directives.
  static func converted(_ text: String) -> String {
    guard text.contains("\t") || text.contains("#+") else { return text }
    var lines: [String] = []
    var fence: PageLine.Fence?
    // Whether the lines belong to a block that is not an item of a list, and whether the open code block does.
    var (isBelowText, isShiftedCode) = (false, false)
    for full in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if fence == nil, let first = full.first, first != " ", first != "\t" {
        isBelowText = !PageLine(full).hasListMarker
      }
      let isShifted = full.first == "\t" && (fence == nil ? isBelowText : isShiftedCode)
      let line = PageLine(isShifted ? full.dropFirst() : full)
      if let open = fence {
        let isEnd = line.content.lowercased() == "#+end_src"
        if isEnd || line.closes(open) { fence = nil }
        lines.append(isEnd ? line.prefix + "```" : String(line.fullLine))
        continue
      }
      let shown = replacement(line).map { line.prefix + $0 } ?? String(line.fullLine)
      fence = PageLine(shown[...]).fence
      if fence != nil { isShiftedCode = isShifted }
      lines.append(shown)
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the text that replaces the first or the last line of a block, or `nil` for other lines.
  private static func replacement(_ line: PageLine) -> String? {
    let words = line.content.lowercased()
    let isBeginning = words.hasPrefix("#+begin_")
    guard isBeginning || words.hasPrefix("#+end_") else { return nil }
    let rest = words.dropFirst(isBeginning ? "#+begin_".count : "#+end_".count)
    let name = rest.prefix { $0.isLetter }
    switch name {
    case "note", "tip", "important", "caution", "warning": return isBeginning ? ":::{\(name)}" : ":::"
    case "quote": return isBeginning ? ":::{blockquote}" : ":::"
    case "src":
      let language = rest[name.endIndex...].trimmingBlanks.prefix { !$0.isWhitespace }
      return isBeginning ? "```" + language : "```"
    default: return ""
    }
  }
}
