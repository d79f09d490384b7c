import Foundation
import LearningModel

/// The properties of a page of a publication that are determined before its text is read.
///
/// Source: W3C, "EPUB 3.3", D.1 (`epub:type`), and "Digital Publishing WAI-ARIA Module" (`role`).
struct PublicationPage: Sendable {
  /// The path, which distinguishes the anchors of this page from those of other pages.
  let path: String
  /// Maps the destination of a link.
  let destination: @Sendable (String) -> String
  /// Maps the address of an image.
  let imageAddress: @Sendable (String) -> String

  /// Returns a name for an anchor of the page that is unique in the publication.
  func name(of anchor: String) -> String { path + "#" + anchor }

  /// Returns the text of a reference if it is a number, a symbol or a letter, or `nil` if it is a word of the text. If
  /// the reference has no text, returns `*`.
  static func noteLabel(of reference: HTMLNode) -> String? {
    let words = reference.textContent.onOneLine.filter { !"[]()".contains($0) }
    if words.isEmpty { return "*" }
    return words.count <= 2 || !words.contains(where: \.isLetter) || words.allSatisfy { "ivxlc".contains($0) }
      ? words : nil
  }
}

extension HTMLNode {
  /// Returns whether the element has a type, given as `epub:type` or as `role`.
  func isOf(_ type: String, role: String) -> Bool {
    has(type, in: "epub:type") || has(role, in: "role")
  }

  /// Whether the element is a link to a footnote.
  var isNoteReference: Bool { isOf("noteref", role: "doc-noteref") || has("annoref", in: "epub:type") }

  /// Whether the element is declared as a footnote.
  var isNote: Bool {
    isOf("footnote", role: "doc-footnote") || isOf("endnote", role: "doc-endnote") || has("rearnote", in: "epub:type")
      || has("note", in: "epub:type") || has("annotation", in: "epub:type")
  }

  private func has(_ word: String, in name: String) -> Bool {
    attribute(name)?.split(whereSeparator: \.isWhitespace).contains { $0 == word } ?? false
  }

  /// Whether a browser would hide the element.
  var isHidden: Bool {
    attribute("hidden") != nil
      || attribute("style")?.lowercased().filter { !$0.isWhitespace }.contains("display:none") == true
  }
}

extension HTMLText {
  /// Handles an element that is not shown at its position: the title of a frame, a footnote, a hidden element or a page
  /// number.
  ///
  /// - Returns: `true` if the element was handled and must not be read further.
  mutating func handlesOutOfPlace(_ node: HTMLNode, depth: Int) throws -> Bool {
    if readTitles.contains(node) || notes.labels.contains(node) { return true }
    if let note = notes.notes[node] {
      if readNotes.insert(node).inserted { try readNote(note, in: node, depth: depth) }
      return true
    }
    if let page = dialect.webPage { return try handlesOutOfPlace(node, on: page, depth: depth) }
    guard dialect.publication != nil else { return false }
    if node.isHidden {
      result.findings.countLoss("hidden element", "left out")
      return true
    }
    // A longer text is not treated as a page number, even if it is declared as one.
    if node.isOf("pagebreak", role: "doc-pagebreak"), node.textContent.count <= 12 {
      result.findings.countLoss("page number of the printed edition", "left out")
      return true
    }
    return false
  }

  /// Adds an image with its description. In a publication, an image with an empty description is decorative and is
  /// omitted.
  ///
  /// Source: WHATWG HTML, 4.8.4.4.4, "A purely decorative image that doesn't add any information".
  mutating func addImage(_ node: HTMLNode, to line: inout LineBuilder) {
    let words = node.attribute("alt") ?? node.attribute("title") ?? ""
    let source = node.attribute("src") ?? ""
    guard let page = dialect.publication else { return add(image: source, words, to: &line) }
    if node.attribute("alt") == "" {
      result.findings.countLoss("image", "left out because it is decoration")
    } else {
      add(image: page.imageAddress(source), words, to: &line)
    }
  }

  private mutating func add(image source: String, _ words: String, to line: inout LineBuilder) {
    result.findings.countLostImage(words)
    line.add(.image(source: source, alternative: words.onOneLine))
  }

  /// Adds an SVG element as an image. An SVG element that contains an image file is replaced by that file.
  ///
  /// Source: W3C, "SVG 2", 5.7 (`title` and `desc`) and 12.3 (`image`).
  mutating func addDrawing(_ node: HTMLNode, to line: inout LineBuilder, depth: Int) throws {
    var words: [String] = []
    var pictures: [String] = []
    func look(at node: HTMLNode, depth: Int) throws {
      guard depth <= limits.nestingDepth else {
        throw CourseFormatError.limit(.nestingDepth(limits.nestingDepth), file: file, line: nil)
      }
      for child in node.children {
        switch child.name {
        case nil, "style", "script", "metadata": continue
        case "title", "desc", "text": words.append(child.textContent.onOneLine)
        case "image": pictures.append(child.attribute("xlink:href") ?? child.attribute("href") ?? "")
        default: try look(at: child, depth: depth + 1)
        }
      }
    }
    try look(at: node, depth: depth)
    var seen: Set<String> = []
    let description = words.filter { !$0.isEmpty && seen.insert($0).inserted }.joined(separator: ". ")
    if let first = pictures.first {
      for _ in pictures.dropFirst() { result.findings.countLoss("image", "left out because it is a part of a drawing") }
      add(image: dialect.publication?.imageAddress(first) ?? first, description, to: &line)
    } else if let address = address(ofDrawing: node) {
      add(image: address, description, to: &line)
    } else if description.isEmpty {
      result.findings.countLoss("drawing", "left out")
    } else {
      result.findings.countLoss("drawing", "shown as its text")
      line.add(.image(source: "", alternative: description))
    }
  }

  /// Returns a `data:` URL for an SVG element. Returns `nil` if the drawing is at most 32 pixels wide and high, if it
  /// is too large to be stored, or if the element is part of an HTML document.
  private func address(ofDrawing node: HTMLNode) -> String? {
    guard let size = StoredImage.PixelSize(drawing: node), max(size.width, size.height) > 32,
      let text = node.xml(upTo: SourceLimits().imageSize)
    else { return nil }
    return "data:image/svg+xml;base64," + Data(text.utf8).base64EncodedString()
  }
}

extension [Block] {
  /// Returns the blocks of a footnote without the label that its author put at the beginning.
  func withoutLabel(_ mark: String) -> [Block] {
    guard !mark.isEmpty, case .paragraph(let line) = first, case .text(let words) = line.first else { return self }
    let bare = words.drop { " [(".contains($0) }
    // A label is recognised only if no letter or digit follows it: "1984 was…" does not begin with the label 1.
    let isMarked = bare.hasPrefix(mark) && bare.dropFirst(mark.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
    // If the label was the link back to the reference, it was removed before, and only the punctuation after it
    // remains.
    let isPunctuated = ").:]".contains(words.first ?? " ") && words.dropFirst().first?.isWhitespace == true
    // If the label was such a link in brackets, only the brackets remain.
    let isInBrackets = bare.first == "]" || bare.first == ")"
    guard isMarked || isPunctuated || isInBrackets && bare.count < words.count else { return self }
    let text = String((isMarked ? bare.dropFirst(mark.count) : words[...]).drop { " [(]).:".contains($0) })
    let begun: [Inline] = text.isEmpty ? [] : [.text(text)]
    let rest = begun + line.dropFirst()
    // If the label was a line of its own, its targets are moved to the next line.
    if rest.allSatisfy(\.isTarget), case .paragraph(let next) = dropFirst().first {
      return [.paragraph(next + rest)] + dropFirst(2)
    }
    return [.paragraph(rest)] + dropFirst()
  }
}
