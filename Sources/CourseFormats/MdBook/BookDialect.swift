import LearningModel

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
