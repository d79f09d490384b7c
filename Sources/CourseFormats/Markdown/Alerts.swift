/// Keeps the first lines of alerts from being read as words: each becomes a title that the reader of HTML makes a frame of,
/// on the same line.
///
/// Sources: GitHub, "Basic writing and formatting syntax", "Alerts"; mdBook, "Markdown", "Admonitions"; Obsidian,
/// "Callouts", of titles and of `-` and `+`.
enum Alerts {
  /// The class of a title, and the attributes that say what it is the title of.
  static let titleClass = "admonition-title"
  static let kind = "data-kind"
  static let closed = "data-closed"

  /// A text with the alerts in it kept.
  static func marked(in text: String) -> String {
    guard text.contains("[!") else { return text }
    var fence = CodeFence()
    var depth = 0
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let above = depth
      let prefix = line.prefix { " >-*".contains($0) }
      depth = prefix.count { $0 == ">" }
      fence.pass(line.dropFirst(prefix.count))
      guard !fence.isOpen, depth > above, let alert = Alert(line[prefix.endIndex...]) else { return String(line) }
      return prefix + title(alert.title, kind: alert.name, isClosed: alert.isClosed) + "<br>"
    }.joined(separator: "\n")
  }

  /// The title of a frame, in HTML around Markdown.
  static func title(_ words: String, kind: String, isClosed: Bool = false) -> String {
    "<span class=\"\(titleClass)\" \(Self.kind)=\"\(kind)\"\(isClosed ? " \(closed)=\"\"" : "")>\(words)</span>"
  }

  private struct Alert {
    let name: String
    let title: String
    let isClosed: Bool

    /// Reads `[!NOTE] A title`; `nil` where the line is another.
    init?(_ line: Substring) {
      guard line.hasPrefix("[!"), let close = line.firstIndex(of: "]") else { return nil }
      let name = line[..<close].dropFirst(2)
      guard name.first?.isLetter == true, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) else {
        return nil
      }
      var rest = line[line.index(after: close)...]
      // A link may have such words too.
      guard rest.first != "(", rest.first != "[" else { return nil }
      isClosed = rest.first == "-"
      if isClosed || rest.first == "+" { rest = rest.dropFirst() }
      (self.name, title) = (name.lowercased(), String(rest.trimmingBlanks))
    }
  }
}
