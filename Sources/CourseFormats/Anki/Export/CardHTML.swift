import LearningModel

/// Writes the text of a card as HTML that Anki shows and ``AnkiReader`` reads.
///
/// Source: Anki manual, "Math & Symbols"; HTML.
struct CardHTML {
  /// Returns the name of the media file of a stored image, or `nil` for an image that is not stored.
  var media: (_ image: StoredImage, _ source: String) -> String?

  func html(_ line: [Inline]) -> String { line.map(html).joined() }

  private func html(_ inline: Inline) -> String {
    switch inline {
    case .text(let text): escaped(text)
    case .emphasis(let inner): "<em>\(html(inner))</em>"
    case .strong(let inner): "<strong>\(html(inner))</strong>"
    case .strikethrough(let inner): "<s>\(html(inner))</s>"
    case .code(let text): "<code>\(escaped(text))</code>"
    case .key(let text): "<kbd>\(escaped(text))</kbd>"
    case .math(let source): "\\(\(source.escapedInHTML)\\)"
    case .link(let destination, let text):
      destination.hasPrefix(CourseLink.scheme)
        ? html(text) : "<a href=\"\(destination.escapedInHTML)\">\(html(text))</a>"
    case .image(let source, let alternative, let stored):
      html(ofFile: stored.flatMap { media($0, source) }, sound: inline.soundName, alternative)
    case .lineBreak: "<br>"
    case .target: ""
    }
  }

  /// Returns the HTML of a media file. A sound is named even if it is not stored, because Anki may have it.
  private func html(ofFile name: String?, sound: String?, _ alternative: String) -> String {
    if let sound { return "[sound:\((name ?? sound).escapedInHTML)]" }
    guard let name else { return escaped(alternative) }
    return "<img src=\"\(name.escapedInHTML)\" alt=\"\(alternative.escapedInHTML)\">"
  }

  func html(_ blocks: [Block]) -> String { blocks.map(html).joined() }

  private func html(_ block: Block) -> String {
    switch block {
    case .heading(let level, let text, _): "<h\(level)>\(html(text))</h\(level)>"
    case .paragraph(let line): "<p>\(html(line))</p>"
    case .bulletList(let items): "<ul>\(items.map { "<li>\(tick($0))\(html($0.blocks))</li>" }.joined())</ul>"
    case .orderedList(let start, let items):
      "<ol start=\"\(start)\">\(items.map { "<li>\(html($0.blocks))</li>" }.joined())</ol>"
    case .quote(let inner): "<blockquote>\(html(inner))</blockquote>"
    case .code(let language, let text):
      "<pre><code\(language.map { " class=\"language-\($0.escapedInHTML)\"" } ?? "")>"
        + "\(escaped(text).replacing("\n", with: "<br>"))</code></pre>"
    case .table(_, let header, let rows):
      "<table><tr>\(header.map { "<th>\(html($0))</th>" }.joined())</tr>"
        + rows.map { "<tr>\($0.map { "<td>\(html($0))</td>" }.joined())</tr>" }.joined() + "</table>"
    case .math(let source): "\\[\(source.escapedInHTML)\\]"
    case .rule: "<hr>"
    case .details(let summary, let inner):
      "<details><summary>\(html(summary))</summary>\(html(inner))</details>"
    case .admonition(let box):
      "<blockquote><p><strong>\(html(box.heading))</strong></p>\(html(box.blocks))</blockquote>"
    case .definitions(let all):
      "<dl>\(all.map { "<dt>\(html($0.term))</dt><dd>\(html($0.blocks))</dd>" }.joined())</dl>"
    case .tabs(let all): all.map { "<p><strong>\(html($0.label))</strong></p>\(html($0.blocks))" }.joined()
    }
  }

  private func tick(_ item: ListItem) -> String {
    item.isTicked.map { "<input type=\"checkbox\"\($0 ? " checked" : "")> " } ?? ""
  }

  /// Returns a text with the characters of HTML and the brackets of Anki's own markup escaped.
  private func escaped(_ text: String) -> String {
    var html = text.escapedInHTML.replacing("\n", with: " ")
    for mark in ["[sound:", "[anki:", "[latex]", "[$]", "[$$]"] where html.contains(mark) {
      html.replace(mark, with: "&#91;" + mark.dropFirst())
    }
    return html
  }
}
