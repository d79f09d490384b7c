import Foundation
import LearningModel

/// What is known of a page of a publication before its text is read.
///
/// Source: W3C, "EPUB 3.3", D.1 (`epub:type`), and "Digital Publishing WAI-ARIA Module" (`role`).
struct PublicationPage: Sendable {
  /// A note, which a reference names, and which is shown below the text.
  struct Note: Equatable, Sendable {
    /// The `id` of its element.
    let anchor: String
    /// What the first reference to it says, without brackets; a number where that is a word of the text.
    let mark: String
  }

  /// Its path: what tells its anchors from those of other pages.
  let path: String
  /// The notes of the page by the anchors of their elements.
  let notes: [String: Note]
  /// The notes on another page that this one refers to, by what they are called among all pages.
  var notesElsewhere: [String: Note] = [:]
  /// The anchors that notes lead back to.
  let waysBack: Set<String>
  /// What becomes of a link's destination.
  let destination: @Sendable (String) -> String
  /// What becomes of a picture's address.
  let picture: @Sendable (String) -> String

  /// An anchor of the page among those of all pages.
  func name(of anchor: String) -> String { path + "#" + anchor }

  /// What the note is called among those of all pages that a link refers to, and its mark.
  func note(of link: HTMLNode) -> (name: String, mark: String)? {
    guard link.isNoteReference, let address = EPUBAddress(link.attribute("href") ?? "", in: path),
      let anchor = address.fragment
    else { return nil }
    if address.path == path { return notes[anchor].map { (self.name(of: anchor), $0.mark) } }
    let whole = address.path + "#" + anchor
    return notesElsewhere[whole].map { (whole, $0.mark) }
  }

  /// The mark that a reference is: its words, where they are a number, a sign or a letter; `nil` for a word of the text.
  static func mark(of reference: HTMLNode) -> String? {
    let words = reference.textContent.onOneLine.filter { !"[]()".contains($0) }
    if words.isEmpty { return "*" }
    return words.count <= 2 || !words.contains(where: \.isLetter) || words.allSatisfy { "ivxlc".contains($0) }
      ? words : nil
  }

  /// Whether a link leads back from a note to its reference.
  func isWayBack(_ link: HTMLNode) -> Bool {
    if link.isOf("backlink", role: "doc-backlink") { return true }
    return Self.anchor(in: link.attribute("href") ?? "", of: path).map(waysBack.contains) ?? false
  }

  /// The anchor that a destination names, where that is in this page.
  static func anchor(in destination: String, of path: String) -> String? {
    EPUBAddress(destination, in: path).flatMap { $0.path == path ? $0.fragment : nil }
  }
}

extension PublicationPage {
  /// What a page refers to.
  struct Notes {
    /// The notes of the page itself: elements that a reference outside of them leads to, or one in such a note. What no
    /// reference leads to stays where it is, so that nothing disappears.
    var here: [String: Note] = [:]
    /// The anchors of the references.
    var waysBack: Set<String> = []
    /// The first other page that it refers to, and what it refers to there.
    var elsewhere: (path: String, notes: [Note])?
  }

  /// Finds what a page refers to.
  static func notes(in nodes: [HTMLNode], path: String, depth: Int) -> Notes {
    var scan = NoteScan(path: path, depth: depth)
    for node in nodes { scan.look(at: node, inside: [], depth: 0) }
    return scan.result
  }

  /// All elements that say of themselves that they are notes, by their anchors, with marks that are not known.
  static func allNotes(in nodes: [HTMLNode], depth: Int) -> [String: Note] {
    var notes: [String: Note] = [:]
    func look(at node: HTMLNode, _ level: Int) {
      guard level <= depth, node.name != nil else { return }
      if node.isNote, let anchor = node.attribute("id") { notes[anchor] = Note(anchor: anchor, mark: "") }
      for child in node.children { look(at: child, level + 1) }
    }
    for node in nodes { look(at: node, 0) }
    return notes
  }
}

/// Goes through a page once and gathers references, what they stand in, and what they lead to.
private struct NoteScan {
  let path: String
  let depth: Int
  private var references: [(note: PublicationPage.Note, inside: [String])] = []
  private var anchors: Set<String> = []
  private var waysBack: Set<String> = []
  private var elsewhere: (path: String, notes: [PublicationPage.Note])?

  init(path: String, depth: Int) {
    self.path = path
    self.depth = depth
  }

  mutating func look(at node: HTMLNode, inside: [String], depth: Int) {
    // What is deeper is refused when the text is read.
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
      let count = references.count + (elsewhere?.notes.count ?? 0) + 1
      let note = PublicationPage.Note(anchor: target, mark: PublicationPage.mark(of: node) ?? String(count))
      if address.path == path {
        references.append((note, inside))
        // The reference itself has the anchor, or the raised text around it.
        if let last = inside.last { waysBack.insert(last) }
      } else if elsewhere == nil || elsewhere?.path == address.path {
        elsewhere = (address.path, (elsewhere?.notes ?? []) + [note])
      }
    }
    for child in node.children { look(at: child, inside: inside, depth: depth + 1) }
  }

  var result: PublicationPage.Notes {
    let possible = Set(references.map(\.note.anchor)).intersection(anchors)
    var within: [String: [PublicationPage.Note]] = [:]
    var open: [PublicationPage.Note] = []
    for (note, inside) in references where possible.contains(note.anchor) && !inside.contains(note.anchor) {
      // The innermost note that a reference stands in is what has to be seen for it to be seen.
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
    return PublicationPage.Notes(here: notes, waysBack: waysBack, elsewhere: elsewhere)
  }
}

extension HTMLNode {
  /// Whether it is of that kind, by `epub:type` or by `role`.
  func isOf(_ type: String, role: String) -> Bool {
    has(type, in: "epub:type") || has(role, in: "role")
  }

  /// Whether it is a link to a note.
  var isNoteReference: Bool { isOf("noteref", role: "doc-noteref") || has("annoref", in: "epub:type") }

  /// Whether it says of itself that it is a note.
  var isNote: Bool {
    isOf("footnote", role: "doc-footnote") || isOf("endnote", role: "doc-endnote") || has("rearnote", in: "epub:type")
      || has("note", in: "epub:type") || has("annotation", in: "epub:type")
  }

  private func has(_ word: String, in name: String) -> Bool {
    attribute(name)?.split(whereSeparator: \.isWhitespace).contains { $0 == word } ?? false
  }

  /// Whether a browser would not show it.
  var isHidden: Bool {
    attribute("hidden") != nil
      || attribute("style")?.lowercased().filter { !$0.isWhitespace }.contains("display:none") == true
  }
}

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
