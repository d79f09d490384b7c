import Foundation
import LearningModel

/// The properties of a page of a publication that are determined before its text is read.
///
/// Source: W3C, "EPUB 3.3", D.1 (`epub:type`), and "Digital Publishing WAI-ARIA Module" (`role`).
struct PublicationPage: Sendable {
  /// A footnote, which is shown below the text. References in the text lead to it.
  struct Note: Equatable, Sendable {
    /// The `id` of the element.
    let anchor: String
    /// The label of the first reference, without brackets. If the reference is a word of the text, a number.
    let label: String
  }

  /// The path, which distinguishes the anchors of this page from those of other pages.
  let path: String
  /// The footnotes of the page, by the anchors of their elements.
  let notes: [String: Note]
  /// The footnotes of another page to which this page refers. A name consists of a path and an anchor.
  var notesElsewhere: [String: Note] = [:]
  /// The anchors of references. Links from footnotes back to the text lead to them.
  let backlinks: Set<String>
  /// Maps the destination of a link.
  let destination: @Sendable (String) -> String
  /// Maps the address of an image.
  let imageAddress: @Sendable (String) -> String

  /// Returns a name for an anchor of the page that is unique in the publication.
  func name(of anchor: String) -> String { path + "#" + anchor }

  /// Returns the unique name and the mark of the footnote to which a link refers, or `nil` if the link does not refer
  /// to a footnote.
  func note(of link: HTMLNode) -> (name: String, mark: String)? {
    guard link.isNoteReference, let address = EPUBAddress(link.attribute("href") ?? "", in: path),
      let anchor = address.fragment
    else { return nil }
    if address.path == path { return notes[anchor].map { (self.name(of: anchor), $0.label) } }
    let whole = address.path + "#" + anchor
    return notesElsewhere[whole].map { (whole, $0.label) }
  }

  /// Returns the text of a reference if it is a number, a symbol or a letter, or `nil` if it is a word of the text.
  static func noteLabel(of reference: HTMLNode) -> String? {
    let words = reference.textContent.onOneLine.filter { !"[]()".contains($0) }
    if words.isEmpty { return "*" }
    return words.count <= 2 || !words.contains(where: \.isLetter) || words.allSatisfy { "ivxlc".contains($0) }
      ? words : nil
  }

  /// Returns whether a link leads from a footnote back to its reference.
  func isBacklink(_ link: HTMLNode) -> Bool {
    if link.isOf("backlink", role: "doc-backlink") { return true }
    return Self.anchor(in: link.attribute("href") ?? "", of: path).map(backlinks.contains) ?? false
  }

  /// Returns the anchor in a destination, or `nil` if the destination is not on the page with the given path.
  static func anchor(in destination: String, of path: String) -> String? {
    EPUBAddress(destination, in: path).flatMap { $0.path == path ? $0.fragment : nil }
  }
}

extension PublicationPage {
  /// The references of a page.
  struct Notes {
    /// The footnotes on the page itself that are targets of references. The reference must be outside all footnotes or
    /// inside another such footnote. A footnote without a reference remains in the text, so that it is not lost.
    var local: [String: Note] = [:]
    /// The anchors of the references.
    var backlinks: Set<String> = []
    /// The first other page to which the page refers, and the footnotes there.
    var external: (path: String, notes: [Note])?
  }

  /// Finds the references of a page.
  static func notes(in nodes: [HTMLNode], path: String, depth: Int) -> Notes {
    var scan = NoteScan(path: path, depth: depth)
    for node in nodes { scan.visit(at: node, inside: [], depth: 0) }
    return scan.result
  }

  /// Returns all elements that are declared as footnotes, by their anchors. Their labels are empty, because they are
  /// not known yet.
  static func allNotes(in nodes: [HTMLNode], depth: Int) -> [String: Note] {
    var notes: [String: Note] = [:]
    func look(at node: HTMLNode, _ level: Int) {
      guard level <= depth, node.name != nil else { return }
      if node.isNote, let anchor = node.attribute("id") { notes[anchor] = Note(anchor: anchor, label: "") }
      for child in node.children { look(at: child, level + 1) }
    }
    for node in nodes { look(at: node, 0) }
    return notes
  }
}

/// Collects the references of a page in one pass, with the elements that contain them and their targets.
private struct NoteScan {
  let path: String
  let depth: Int
  private var references: [(note: PublicationPage.Note, inside: [String])] = []
  private var anchors: Set<String> = []
  private var backlinks: Set<String> = []
  private var external: (path: String, notes: [PublicationPage.Note])?

  init(path: String, depth: Int) {
    self.path = path
    self.depth = depth
  }

  mutating func visit(at node: HTMLNode, inside: [String], depth: Int) {
    // Elements at a greater depth are rejected when the text is read.
    guard depth <= self.depth, let name = node.name else { return }
    var inside = inside
    let anchor = node.attribute("id")
    if let anchor {
      anchors.insert(anchor)
      inside.append(anchor)
    }
    if name == "a", node.isNoteReference, let address = EPUBAddress(node.attribute("href") ?? "", in: path),
      let target = address.fragment
    {
      let count = references.count + (external?.notes.count ?? 0) + 1
      let note = PublicationPage.Note(anchor: target, label: PublicationPage.noteLabel(of: node) ?? String(count))
      if address.path == path {
        references.append((note, inside))
        // The anchor belongs to the reference itself, or to the superscript that contains it.
        if let last = inside.last { backlinks.insert(last) }
      } else if external == nil || external?.path == address.path {
        external = (address.path, (external?.notes ?? []) + [note])
      }
    }
    for child in node.children { visit(at: child, inside: inside, depth: depth + 1) }
  }

  var result: PublicationPage.Notes {
    let possible = Set(references.map(\.note.anchor)).intersection(anchors)
    var within: [String: [PublicationPage.Note]] = [:]
    var open: [PublicationPage.Note] = []
    for (note, inside) in references where possible.contains(note.anchor) && !inside.contains(note.anchor) {
      // A reference inside a footnote is visible only if the innermost footnote that contains it is shown.
      if let outer = inside.last(where: possible.contains) {
        within[outer, default: []].append(note)
      } else {
        open.append(note)
      }
    }
    var notes: [String: PublicationPage.Note] = [:]
    var next = 0
    while next < open.count {
      let note = open[next]
      next += 1
      guard notes[note.anchor] == nil else { continue }
      notes[note.anchor] = note
      open += within[note.anchor] ?? []
    }
    return PublicationPage.Notes(local: notes, backlinks: backlinks, external: external)
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
    if readTitles.contains(node) { return true }
    if let page = dialect.webPage { return try handlesOutOfPlace(node, on: page, depth: depth) }
    guard let page = dialect.publication else { return false }
    if node.isHidden {
      result.findings.countLoss("hidden element", "left out")
      return true
    }
    // A longer text is not treated as a page number, even if it is declared as one.
    if node.isOf("pagebreak", role: "doc-pagebreak"), node.textContent.count <= 12 {
      result.findings.countLoss("page number of the printed edition", "left out")
      return true
    }
    guard let note = node.attribute("id").flatMap({ page.notes[$0] }) else { return false }
    let anchor = page.name(of: note.anchor)
    let wasInNote = isInNote
    isInNote = true
    defer { isInNote = wasInNote }
    let blocks = try blocksOf(node, depth: depth + 1).withoutLabel(note.label)
    result.footnotes.append(Footnote(anchor: anchor, label: note.label, blocks: blocks))
    return true
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
      result.findings.countLoss("drawing", "its text is shown")
      line.add(.image(source: "", alternative: description))
    }
  }

  /// Returns a `data:` URL for an SVG element. Returns `nil` if the drawing is not larger than an icon, or if the
  /// element is part of an HTML document.
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
    guard isMarked || isPunctuated else { return self }
    let text = String((isMarked ? bare.dropFirst(mark.count) : words[...]).drop { " ]).:".contains($0) })
    let begun: [Inline] = text.isEmpty ? [] : [.text(text)]
    return [.paragraph(begun + line.dropFirst())] + dropFirst()
  }
}
