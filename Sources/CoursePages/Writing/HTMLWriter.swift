package import LearningModel
import TextCanvas

/// Writes a text as HTML that is also well-formed XML.
///
/// The output contains no scripts. It links only to valid ``WebAddress`` values, to places in the course, and to
/// addresses relative to the page. HTML has no element for tabs, so tabs are written one below the other.
///
/// Source: WHATWG, "HTML", 13.1 and 14.1 (the XML syntax).
package struct HTMLWriter {
  package init() {}

  /// Returns a complete page.
  ///
  /// - Parameter title: The title of the page.
  package func page(_ blocks: [Block], title: String) -> String {
    """
    <!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml">
    <head>
    <meta charset="utf-8"/>
    <title>\(title.escapedForXML())</title>
    </head>
    <body>
    \(text(blocks))
    </body>
    </html>

    """
  }

  /// Returns the HTML of a sequence of blocks.
  package func text(_ blocks: [Block]) -> String { blocks.map(text).joined(separator: "\n") }

  private func text(_ block: Block) -> String {
    switch block {
    case .heading(let level, let text, let anchor):
      return "<h\(level)\(anchor.isEmpty ? "" : " id=\"\(anchor.escapedForXML())\"")>\(line(text))</h\(level)>"
    case .paragraph(let text): return block.isTarget ? line(text) : "<p>\(line(text))</p>"
    case .bulletList(let items): return "<ul>\n\(self.items(items))</ul>"
    case .orderedList(let start, let items):
      return "<ol\(start == 1 ? "" : " start=\"\(start)\"")>\n\(self.items(items))</ol>"
    case .quote(let blocks): return "<blockquote>\n\(text(blocks))\n</blockquote>"
    case .code(let language, let text):
      let name = language.flatMap { $0.split(whereSeparator: \.isWhitespace).first }
      let attribute = name.map { " class=\"language-\($0.escapedForXML())\"" } ?? ""
      return "<pre><code\(attribute)>\(text.escapedForXML())\n</code></pre>"
    case .math(let source): return "<pre><code class=\"language-math\">\(source.escapedForXML())\n</code></pre>"
    case .table(let alignments, let header, let rows):
      let row = { (cells: [[Inline]], name: String) in
        "<tr>" + zip(cells, alignments).map { "<\(name)\(Self.style(of: $1))>\(line($0))</\(name)>" }.joined()
          + "</tr>\n"
      }
      let body = rows.map { row($0, "td") }.joined()
      return "<table>\n<thead>\n\(row(header, "th"))</thead>\n<tbody>\n\(body)</tbody>\n</table>"
    case .rule: return "<hr/>"
    case .details(let summary, let blocks):
      return "<details>\n<summary>\(line(summary))</summary>\n\(text(blocks))\n</details>"
    case .admonition(let box):
      let title = box.heading.isEmpty ? "" : "<p class=\"admonition-title\">\(line(box.heading))</p>\n"
      let name = box.kind == .box ? "" : " " + box.kind.rawValue
      return "<div class=\"admonition\(name)\">\n\(title)\(text(box.blocks))\n</div>"
    case .definitions(let all):
      let inner = all.map {
        "<dt>\(line($0.term))</dt>\n" + ($0.blocks.isEmpty ? "" : "<dd>\n\(text($0.blocks))\n</dd>\n")
      }
      return "<dl>\n\(inner.joined())</dl>"
    case .tabs(let all):
      let inner = all.map { "<section>\n<p><strong>\(line($0.label))</strong></p>\n\(text($0.blocks))\n</section>" }
      return inner.joined(separator: "\n")
    }
  }

  private func items(_ items: [ListItem]) -> String {
    items.map { item in
      let box = item.isTicked.map {
        "<input type=\"checkbox\" disabled=\"disabled\"\($0 ? " checked=\"checked\"" : "")/>"
      }
      return "<li\(item.number.map(Self.attribute(forNumber:)) ?? "")>\(box ?? "")\(text(item.blocks))</li>\n"
    }.joined()
  }

  /// Returns the attribute for an item that has a number of its own.
  private static func attribute(forNumber number: String) -> String {
    if let value = Int(number) { return " value=\"\(value)\"" }
    return number.allSatisfy(\.isLetter) ? " style=\"list-style-type: '\(number). '\"" : ""
  }

  private static func style(of alignment: ColumnAlignment) -> String {
    switch alignment {
    case .left: ""
    case .centre: " style=\"text-align: center\""
    case .right: " style=\"text-align: right\""
    }
  }

  /// Returns the HTML of a line.
  package func line(_ line: [Inline]) -> String {
    line.map { inline in
      switch inline {
      case .text(let text): text.escapedForXML()
      case .emphasis(let inner): "<em>\(self.line(inner))</em>"
      case .strong(let inner): "<strong>\(self.line(inner))</strong>"
      case .strikethrough(let inner): "<del>\(self.line(inner))</del>"
      case .code(let code): "<code>\(code.escapedForXML())</code>"
      case .key(let name): "<kbd>\(name.escapedForXML())</kbd>"
      case .math(let source): "<span class=\"math\">\\(\(source.escapedForXML())\\)</span>"
      case .link(let destination, let inner):
        Self.isHarmless(destination)
          ? "<a href=\"\(destination.escapedForXML())\">\(self.line(inner))</a>" : self.line(inner)
      case .image(let source, _, _) where inline.soundName != nil:
        self.line([.link(destination: source, text: [.text(inline.soundName ?? "")])])
      case .image(let source, let alternative, _):
        Self.isHarmless(source)
          ? "<img src=\"\(source.escapedForXML())\" alt=\"\(alternative.escapedForXML())\"/>"
          : alternative.escapedForXML()
      case .lineBreak: "<br/>"
      case .target(let name): "<a id=\"\(name.escapedForXML())\"></a>"
      }
    }.joined()
  }

  /// Returns whether an address may be written: a web address, a place of a course, a fragment, or a relative address.
  private static func isHarmless(_ address: String) -> Bool {
    if address.hasPrefix("#") || address.hasPrefix(CourseLink.scheme) || WebAddress(address) != nil { return true }
    return !address.isEmpty && !address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains(":")
  }
}
