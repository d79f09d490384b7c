import LearningModel

/// Converts the markup of mdBook preprocessors to Markdown: identifiers of rules, and admonitions.
///
/// Source: the Rust Reference, "mdbook-spec"; for admonitions see ``BookAdmonitions``.
struct PreprocessorMarkup {
  /// The counts of markup that was left out.
  private(set) var findings = Findings()

  /// Returns the page as Markdown without the markup of preprocessors.
  mutating func expanded(_ text: String) -> String {
    let text = BookAdmonitions.convertedToMarkdown(in: text)
    guard text.contains("r[") else { return text }
    var fence = CodeFence()
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      fence.process(line)
      return fence.isOpen ? String(line) : rule(line) ?? String(line)
    }.joined(separator: "\n")
  }

  /// Converts a line with a rule identifier, such as `r[names.fields]`, to an anchor, to which links may lead. Returns
  /// `nil` for other lines.
  private mutating func rule(_ line: Substring) -> String? {
    let bare = line.trimmingBlanks
    guard bare.hasPrefix("r["), bare.last == "]" else { return nil }
    let name = bare.dropFirst(2).dropLast()
    guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }) else {
      return nil
    }
    findings.countLoss("identifier of a rule", "left out, except as the target of links")
    return "<a id=\"r-\(name)\"></a>\n"
  }
}

/// Converts the fenced blocks of mdbook-admonish to block quotes with the same number of lines.
///
/// The first line of the quote is a title from which the HTML reader makes a frame, as it does for ``Alerts``.
///
/// Source: mdbook-admonish, "Reference": directives, `title`, `collapsible`, class names after a dot.
enum BookAdmonitions {
  /// Returns a text with these fenced blocks converted.
  ///
  /// - Parameter depth: The number of such blocks that enclose the text. At a depth of 24, further blocks remain
  ///   program text.
  static func convertedToMarkdown(in text: String, depth: Int = 0) -> String {
    guard text.contains("admonish"), depth < 24 else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var marked: [String] = []
    var index = 0
    while index < lines.count {
      let line = PageLine(lines[index])
      guard let fence = line.fence else {
        marked.append(String(line.fullLine))
        index += 1
        continue
      }
      let end = lines[(index + 1)...].firstIndex { PageLine($0).closes(fence) } ?? lines.endIndex
      if let title = title(of: fence) {
        let body = lines[(index + 1)..<end].map { String(PageLine($0).removingPrefix(line)) }.joined(separator: "\n")
        marked.append(line.prefix + "> " + title + "<br>")
        if index + 1 < end {
          marked += self.convertedToMarkdown(in: body, depth: depth + 1).split(
            separator: "\n", omittingEmptySubsequences: false
          )
          .map { line.continuationPrefix + "> " + $0 }
        }
        if end < lines.endIndex { marked.append(line.blankLine) }
      } else {
        marked += lines[index...min(end, lines.endIndex - 1)].map(String.init)
      }
      index = end + 1
    }
    return marked.joined(separator: "\n")
  }

  /// Returns the title of the frame that a fence opens, or `nil` if the fence opens program text.
  private static func title(of fence: PageLine.Fence) -> String? {
    let words = fence.information.split(separator: " ", maxSplits: 1)
    guard words.first == "admonish" else { return nil }
    let attributes = Attributes(words.count > 1 ? words[1] : "")
    let kind = (attributes.name ?? "note").prefix { $0 != "." }
    let title = attributes.values["title"]
    // An empty title means that the default title is not shown.
    return Alerts.title(
      title ?? "", kind: title == "" ? "" : kind.lowercased(), isClosed: attributes.values["collapsible"] == "true")
  }
}

/// Converts blocks of code to the form in which mdBook shows them: without hidden lines, and with only the language as
/// the label.
struct BookCode {
  /// The prefix of hidden lines, by language.
  let hiddenPrefixes: [String: String]

  /// Returns the block for a fence.
  ///
  /// - Parameters:
  ///   - information: The text after the opening fence, such as `rust,ignore`.
  ///   - text: The code.
  func block(_ information: String?, _ text: String) -> Block {
    let words = (information ?? "").split { $0 == "," || $0 == " " || $0 == "{" || $0 == "}" }
    // The text after the fence may begin with an attribute, in which case there is no language.
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

  /// Removes lines of the form `# x`, shows `##x` as `#x`, and keeps `#[x]` and `#!`.
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

extension ParsedText {
  /// Removes the lines of code that a book hides. They do not count as text when the page is split.
  mutating func show(_ book: BookConfiguration) {
    let code = BookCode(hiddenPrefixes: book.hiddenPrefixes)
    for index in blocks.indices { blocks[index].block = [blocks[index].block].mapCode(code.block)[0] }
    footnotes.mapBlocks { $0.mapCode(code.block) }
  }
}

/// The extensions of Markdown in books: attributes of headings, and the elements around listings in the books of the
/// Rust project.
enum BookDialect {
  /// Returns the dialect.
  ///
  /// - Parameters:
  ///   - formulas: The rule for text between two dollar signs.
  ///   - limits: The limits for the Markdown in captions.
  static func dialect(formulas: FormulaRule, limits: SourceLimits) -> TextDialect {
    TextDialect(
      caption: { element, attributes in
        element == "listing" ? caption(attributes, limits: limits) : nil
      },
      stressedClasses: ["filename", "caption"], frameClasses: ["warning"], hasHeadingAttributes: true,
      formulas: formulas)
  }

  /// Returns the caption that the book prints above a listing: number, caption and file name.
  ///
  /// An example is `<Listing number="1-1" file-name="main.rs" caption="Printing">`.
  private static func caption(_ attributes: [String: String], limits: SourceLimits) -> [Inline]? {
    var line: [Inline] = []
    if let number = attributes["number"] { line.append(.strong([.text("Listing \(number)")])) }
    if let caption = attributes["caption"], !caption.isEmpty {
      if !line.isEmpty { line.append(.text(": ")) }
      line += captionInlines(caption, limits: limits)
    }
    if let name = attributes["file-name"] {
      line += line.isEmpty ? [.text("File: "), .code(name)] : [.text(" ("), .code(name), .text(")")]
    }
    return line.isEmpty ? nil : line
  }

  private static func captionInlines(_ caption: String, limits: SourceLimits) -> [Inline] {
    let parsed = try? MarkdownText.parse(caption, file: "", limits: limits)
    guard case .paragraph(let line) = parsed?.blocks.first?.block else { return [.text(caption)] }
    return line
  }
}
