import LearningModel

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

/// Blocks of code as a book shows them: without hidden lines, and with the language alone as their label.
struct BookCode {
  /// What a hidden line begins with, by language.
  let hiddenPrefixes: [String: String]

  /// The block for a fence.
  ///
  /// - Parameters:
  ///   - information: What stands behind the fence, such as `rust,ignore`.
  ///   - text: The code.
  func block(_ information: String?, _ text: String) -> Block {
    let words = (information ?? "").split { $0 == "," || $0 == " " || $0 == "{" || $0 == "}" }
    // A fence may begin with an attribute instead of a language.
    let language = words.first.flatMap { information?.hasPrefix($0) == true ? String($0) : nil }
    let own = words.first { $0.hasPrefix("hidelines=") }?.dropFirst("hidelines=".count)
    let shown: String =
      if let prefix = own.map(String.init) ?? language.flatMap({ hiddenPrefixes[$0] }), !prefix.isEmpty {
        Self.without(prefix, text)
      } else if language == "rust" {
        Self.withoutHiddenRust(text)
      } else {
        text
      }
    return .code(language: language, text: shown)
  }

  private static func without(_ prefix: String, _ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.drop { $0 == " " || $0 == "\t" }.hasPrefix(prefix) }
      .joined(separator: "\n")
  }

  /// `# x` is hidden, `##x` is shown as `#x`, `#[x]` and `#!` stay.
  private static func withoutHiddenRust(_ text: String) -> String {
    guard text.contains("#") else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> Substring? in
      let code = line.drop { $0 == " " || $0 == "\t" }
      guard code.hasPrefix("#") else { return line }
      let next = code.dropFirst().first
      if next == nil || next == " " { return nil }
      return next == "#" ? line.prefix(line.count - code.count) + code.dropFirst() : line
    }.joined(separator: "\n")
  }
}

/// What books add to Markdown: attributes of headings, and the marks around the listings of the Rust project's books.
enum BookDialect {
  /// The dialect.
  ///
  /// - Parameter limits: For the Markdown in a caption.
  static func dialect(limits: SourceLimits) -> TextDialect {
    TextDialect(
      caption: { element, attributes in
        element == "listing" ? caption(attributes, limits: limits) : nil
      },
      stressedClasses: ["filename", "caption"], frameClasses: ["warning"], hasHeadingAttributes: true)
  }

  /// `<Listing number="1-1" file-name="main.rs" caption="Printing">` becomes the line that the book prints above and
  /// below the code: number, caption, and the file's name.
  private static func caption(_ attributes: [String: String], limits: SourceLimits) -> [Inline]? {
    var line: [Inline] = []
    if let number = attributes["number"] { line.append(.strong([.text("Listing \(number)")])) }
    if let caption = attributes["caption"], !caption.isEmpty {
      if !line.isEmpty { line.append(.text(": ")) }
      line += words(caption, limits: limits)
    }
    if let name = attributes["file-name"] {
      line += line.isEmpty ? [.text("File: "), .code(name)] : [.text(" ("), .code(name), .text(")")]
    }
    return line.isEmpty ? nil : line
  }

  /// A caption, which is Markdown.
  private static func words(_ caption: String, limits: SourceLimits) -> [Inline] {
    let parsed = try? MarkdownText.parse(caption, file: "", limits: limits)
    guard case .paragraph(let line) = parsed?.blocks.first?.block else { return [.text(caption)] }
    return line
  }
}
