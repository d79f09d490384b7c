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
  /// The anchors that notes lead back to.
  let waysBack: Set<String>
  /// What becomes of a link's destination.
  let destination: @Sendable (String) -> String
  /// What becomes of a picture's address.
  let picture: @Sendable (String) -> String

  /// An anchor of the page among those of all pages.
  func name(of anchor: String) -> String { path + "#" + anchor }

  /// The note that a link refers to.
  func note(of link: HTMLNode) -> Note? {
    guard link.isNoteReference, let anchor = Self.anchor(in: link.attribute("href") ?? "", of: path) else { return nil }
    return notes[anchor]
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
    switch LinkTarget(destination) {
    case .anchor(let anchor): anchor
    case .file(let name, let anchor) where EPUBAddress.path(name, in: SourcePath.folder(of: path)) == path: anchor
    default: nil
    }
  }
}

extension PublicationPage {
  /// Finds the notes of a page: elements that a reference outside of them leads to, or one in such a note.
  ///
  /// What no reference leads to stays where it is, so that nothing disappears.
  static func notes(
    in nodes: [HTMLNode], path: String, depth: Int
  ) -> (notes: [String: Note], waysBack: Set<String>) {
    var scan = NoteScan(path: path, depth: depth)
    for node in nodes { scan.look(at: node, inside: [], depth: 0) }
    return scan.result
  }
}

/// Goes through a page once and gathers references, what they stand in, and what they lead to.
private struct NoteScan {
  let path: String
  let depth: Int
  private var references: [(note: PublicationPage.Note, inside: [String])] = []
  private var anchors: Set<String> = []
  private var waysBack: Set<String> = []

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
    if name == "a", node.isNoteReference,
      let target = PublicationPage.anchor(in: node.attribute("href") ?? "", of: path)
    {
      let mark = PublicationPage.mark(of: node) ?? String(references.count + 1)
      references.append((PublicationPage.Note(anchor: target, mark: mark), inside))
      // The reference itself has the anchor, or the raised text around it.
      if let last = inside.last { waysBack.insert(last) }
    }
    for child in node.children { look(at: child, inside: inside, depth: depth + 1) }
  }

  var result: (notes: [String: PublicationPage.Note], waysBack: Set<String>) {
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
    return (notes, waysBack)
  }
}

extension HTMLNode {
  /// Whether it is of that kind, by `epub:type` or by `role`.
  func isOf(_ type: String, role: String) -> Bool {
    has(type, in: "epub:type") || has(role, in: "role")
  }

  /// Whether it is a link to a note.
  var isNoteReference: Bool { isOf("noteref", role: "doc-noteref") || has("annoref", in: "epub:type") }

  private func has(_ word: String, in name: String) -> Bool {
    attribute(name)?.split(whereSeparator: \.isWhitespace).contains { $0 == word } ?? false
  }

  /// Whether a browser would not show it.
  var isHidden: Bool {
    attribute("hidden") != nil
      || attribute("style")?.lowercased().filter { !$0.isWhitespace }.contains("display:none") == true
  }
}
