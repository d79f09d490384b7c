import Foundation
import LearningModel

extension HTMLText {
  /// Reads what is not shown where it stands: titles of frames, notes, what is hidden, and the numbers of printed pages.
  ///
  /// - Returns: Whether the element is such a one, of which nothing more is to be read.
  mutating func isElsewhere(_ node: HTMLNode, depth: Int) throws -> Bool {
    if titlesTaken.contains(node) { return true }
    if let page = dialect.webPage { return try isElsewhere(node, on: page, depth: depth) }
    guard let page = dialect.publication else { return false }
    if node.isHidden {
      result.findings.lose("hidden element", "left out")
      return true
    }
    // A longer text is no page number, whatever it is called.
    if node.isOf("pagebreak", role: "doc-pagebreak"), node.textContent.count <= 12 {
      result.findings.lose("page number of the print", "left out")
      return true
    }
    guard let note = node.attribute("id").flatMap({ page.notes[$0] }) else { return false }
    let anchor = page.name(of: note.anchor)
    let wasInNote = isInNote
    isInNote = true
    defer { isInNote = wasInNote }
    let blocks = try blocksOf(node, depth: depth + 1).withoutMark(note.mark)
    result.footnotes.append(Footnote(anchor: anchor, mark: note.mark, blocks: blocks))
    return true
  }

  /// Adds a picture by its description. One with an empty description is no more than decoration.
  ///
  /// Source: WHATWG HTML, 4.8.4.4.4, "A purely decorative image that doesn't add any information".
  mutating func addImage(_ node: HTMLNode, to line: inout LineBuilder) {
    let words = node.attribute("alt") ?? node.attribute("title") ?? ""
    let source = node.attribute("src") ?? ""
    guard let page = dialect.publication else { return add(picture: source, words, to: &line) }
    if node.attribute("alt") == "" {
      result.findings.lose("image", "left out, for it is decoration")
    } else {
      add(picture: page.picture(source), words, to: &line)
    }
  }

  private mutating func add(picture source: String, _ words: String, to line: inout LineBuilder) {
    result.findings.losePicture(words)
    line.add(.image(source: source, alternative: words.onOneLine))
  }

  /// Adds a drawing as a picture of its own; one that is made of a picture is that picture, and one of a text in HTML is
  /// the words in it.
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
      for _ in pictures.dropFirst() { result.findings.lose("image", "left out, for it is a part of a drawing") }
      add(picture: dialect.publication?.picture(first) ?? first, description, to: &line)
    } else if let address = address(ofDrawing: node) {
      add(picture: address, description, to: &line)
    } else if description.isEmpty {
      result.findings.lose("drawing", "left out")
    } else {
      result.findings.lose("drawing", "its words are shown")
      line.add(.image(source: "", alternative: description))
    }
  }

  /// The address that holds a drawing; `nil` where it is too small to be more than a sign, or has no text of its own.
  private func address(ofDrawing node: HTMLNode) -> String? {
    guard let size = KeptPicture.PixelSize(drawing: node), max(size.width, size.height) > 32,
      let text = node.xml(upTo: SourceLimits().pictureSize)
    else { return nil }
    return "data:image/svg+xml;base64," + Data(text.utf8).base64EncodedString()
  }
}

extension [Block] {
  /// The blocks of a note without the mark that its author put in front.
  func withoutMark(_ mark: String) -> [Block] {
    guard !mark.isEmpty, case .paragraph(let line) = first, case .text(let words) = line.first else { return self }
    let bare = words.drop { " [(".contains($0) }
    // "1984 was…" does not begin with the mark 1.
    let isMarked = bare.hasPrefix(mark) && bare.dropFirst(mark.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
    // The mark itself may have been the way back, of which nothing is left but its full stop.
    let isPunctuated = ").:]".contains(words.first ?? " ") && words.dropFirst().first?.isWhitespace == true
    guard isMarked || isPunctuated else { return self }
    let text = String((isMarked ? bare.dropFirst(mark.count) : words[...]).drop { " ]).:".contains($0) })
    let begun: [Inline] = text.isEmpty ? [] : [.text(text)]
    return [.paragraph(begun + line.dropFirst())] + dropFirst()
  }
}
