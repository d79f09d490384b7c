/// Makes quotations of the fences that mdbook-admonish shows as frames, each on as many lines as before: their first line
/// is a title, which the reader of HTML makes a frame of, as it does of ``Alerts``.
///
/// Source: mdbook-admonish, "Reference": directives, `title`, `collapsible`, class names behind a dot.
enum BookAdmonitions {
  /// A text with those fences replaced.
  ///
  /// - Parameter depth: How many such fences it stands in; from 24 on they stay program text.
  static func marked(in text: String, depth: Int = 0) -> String {
    guard text.contains("admonish"), depth < 24 else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var marked: [String] = []
    var index = 0
    while index < lines.count {
      let line = PageLine(lines[index])
      guard let fence = line.fence else {
        marked.append(String(line.whole))
        index += 1
        continue
      }
      let end = lines[(index + 1)...].firstIndex { PageLine($0).closes(fence) } ?? lines.endIndex
      if let title = title(of: fence) {
        let body = lines[(index + 1)..<end].map { String(PageLine($0).without(line)) }.joined(separator: "\n")
        marked.append(line.prefix + "> " + title + "<br>")
        if index + 1 < end {
          marked += self.marked(in: body, depth: depth + 1).split(separator: "\n", omittingEmptySubsequences: false)
            .map { line.before + "> " + $0 }
        }
        if end < lines.endIndex { marked.append(line.air) }
      } else {
        marked += lines[index...min(end, lines.endIndex - 1)].map(String.init)
      }
      index = end + 1
    }
    return marked.joined(separator: "\n")
  }

  /// The title of the frame that a fence begins; `nil` where it begins program text.
  private static func title(of fence: PageLine.Fence) -> String? {
    let words = fence.information.split(separator: " ", maxSplits: 1)
    guard words.first == "admonish" else { return nil }
    let attributes = Attributes(words.count > 1 ? words[1] : "")
    let kind = (attributes.name ?? "note").prefix { $0 != "." }
    let title = attributes.values["title"]
    // An empty title is one that its author does not want.
    return Alerts.title(
      title ?? "", kind: title == "" ? "" : kind.lowercased(), isClosed: attributes.values["collapsible"] == "true")
  }
}
