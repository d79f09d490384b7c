package import LearningModel
import Mathematics
import TextCanvas

/// Writes a text as HTML that is also well-formed XML.
///
/// The output contains no scripts. It links only to valid ``WebAddress`` values, to places in the course, and to
/// addresses relative to the page. Formulas are written as MathML. HTML has no element for tabs, so tabs are written one
/// below the other.
///
/// Source: WHATWG, "HTML", 13.1 and 14.1 (the XML syntax).
package struct HTMLWriter {
  private let isForSite: Bool

  /// Creates a writer.
  ///
  /// - Parameter isForSite: Whether the text is part of a ``CourseSite``, with its style sheet and the files of its images.
  ///   Program text is then coloured, images have their size, and sounds can be played.
  package init(isForSite: Bool = false) {
    self.isForSite = isForSite
  }

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
      return "<pre><code\(attribute)>\(coloured(text, in: name.map(String.init)))\n</code></pre>"
    case .math(let source): return Formula(latex: source).mathML(isDisplayed: true).xml
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
      case .math(let source): Formula(latex: source).mathML().xml
      case .link(let destination, let inner):
        Self.isHarmless(destination)
          ? "<a href=\"\(destination.escapedForXML())\">\(self.line(inner))</a>" : self.line(inner)
      case .image(let source, _, _) where inline.soundName != nil: sound(source, name: inline.soundName ?? "")
      case .image(let source, let alternative, let stored):
        Self.isHarmless(source) || isForSite && source.hasPrefix(Self.embeddedDrawing)
          ? "<img src=\"\(source.escapedForXML())\" alt=\"\(alternative.escapedForXML())\"\(size(of: stored))/>"
          : alternative.escapedForXML()
      case .lineBreak: "<br/>"
      // An element `a` must not be inside a link.
      case .target(let name):
        isForSite ? "<span id=\"\(name.escapedForXML())\"></span>" : "<a id=\"\(name.escapedForXML())\"></a>"
      }
    }.joined()
  }

  /// The beginning of the address of an SVG image that is part of a page. Browsers do not run scripts in such images.
  static let embeddedDrawing = "data:image/svg+xml;base64,"

  private func size(of image: StoredImage?) -> String {
    guard isForSite, let size = image?.size else { return "" }
    return " width=\"\(size.width)\" height=\"\(size.height)\""
  }

  private func sound(_ source: String, name: String) -> String {
    guard isForSite, Self.isHarmless(source) else {
      return line([.link(destination: source, text: [.text(name)])])
    }
    return "<audio controls=\"controls\" preload=\"none\" src=\"\(source.escapedForXML())\"></audio> "
      + name.escapedForXML()
  }

  /// Returns program text with an element for each coloured token.
  private func coloured(_ code: String, in language: String?) -> String {
    guard isForSite, let language = language.flatMap(Language.named) else { return code.escapedForXML() }
    let bytes = Array(code.utf8)
    return language.runs(of: code).map { run in
      let text = String(decoding: bytes[run.start..<run.end], as: UTF8.self).escapedForXML()
      return run.tokenClass == .plain ? text : "<span class=\"\(run.tokenClass)\">\(text)</span>"
    }.joined()
  }

  /// Returns whether an address may be written: a web address, a place of a course, a fragment, or a relative address.
  private static func isHarmless(_ address: String) -> Bool {
    if address.hasPrefix("#") || address.hasPrefix(CourseLink.scheme) || WebAddress(address) != nil { return true }
    return !address.isEmpty && !address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains(":")
  }
}

extension MathElement {
  /// The element as XML.
  fileprivate var xml: String {
    let attributes = (name == "math" ? ["xmlns": "http://www.w3.org/1998/Math/MathML"] : [:])
      .merging(attributes) { $1 }.sorted { $0.key < $1.key }
    let children = children.map { child in
      switch child {
      case .text(let text): text.escapedForXML()
      case .element(let element): element.xml
      }
    }
    return "<\(name)" + attributes.map { " \($0)=\"\($1.escapedForXML())\"" }.joined() + ">" + children.joined()
      + "</\(name)>"
  }
}
