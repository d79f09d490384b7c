import LearningModel

/// The footnotes of a page, which are found before its text is read.
///
/// A link is a reference to a footnote if it is declared as one. A link whose text is a short mark is also a reference
/// if it leads to the beginning of a short block that leads back to the block of the link.
///
/// Source: W3C, "EPUB 3.3", D.1; "Digital Publishing WAI-ARIA Module"; the output of pandoc, Sphinx, MediaWiki, kramdown
/// and Calibre for notes without such types.
struct PageNotes {
  /// A footnote, which is shown below the text. References in the text lead to it.
  struct Note: Equatable {
    /// The name by which references lead to the footnote.
    let name: String
    /// The label of the first reference, without brackets. If the reference is a word of the text, the label is a
    /// number.
    let label: String
  }

  /// The footnotes on the page itself, by the elements that contain their texts. The elements are not shown in place.
  var notes: [HTMLNode: Note] = [:]
  /// The elements that contain only the number of a footnote.
  var labels: Set<HTMLNode> = []
  /// The footnotes to which links lead, on this page or another one, by the elements of the links.
  var references: [HTMLNode: Note] = [:]
  /// The links from footnotes back to their references.
  var backlinks: Set<HTMLNode> = []
}

/// The identifiers, blocks and links of a page, collected in one pass.
struct PageNoteScan {
  /// An element with an identifier.
  private struct Target {
    let node: HTMLNode
    /// The index of the element itself if it is a block, otherwise of the block that contains it.
    let block: Int
    /// Whether no text precedes the element in its block.
    let startsBlock: Bool
  }

  private struct BlockElement {
    let node: HTMLNode
    let parent: Int?
    /// Whether no text precedes the block in its parent.
    let startsParent: Bool
    /// The number of bytes of text in the block, without white space.
    var size = 0
    var hasHeading = false
    /// The links in the block, including nested blocks.
    var links: Range<Int>
  }

  private struct Link {
    let node: HTMLNode
    let address: Address
    let block: Int
    let hasTextBefore: Bool
    let isDeclared: Bool
    /// The text without brackets if it can be the mark of a footnote, otherwise `nil`.
    let mark: String?

    /// The label of the footnote, or `nil` if the text of a declared reference is a word.
    var label: String? { mark ?? (isDeclared ? PublicationPage.noteLabel(of: node) : nil) }
  }

  /// The target of a link: a page, and an identifier on it.
  struct Address: Hashable {
    let path: String
    let fragment: String
  }

  /// A reference to a footnote on another page.
  struct ExternalReference {
    let link: HTMLNode
    let address: Address
    let label: String
    let isDeclared: Bool
    fileprivate let block: Int
  }

  /// The maximum size of a block that is not declared as a footnote, in bytes.
  ///
  /// Source: Kobo, "EPUB Specifications", "Footnotes/endnotes".
  private static let maximumNoteSize = 5_000
  /// The maximum number of links in such a block.
  private static let maximumNoteLinks = 32

  private let path: String
  private let maximumDepth: Int
  private let resolve: (String) -> Address?
  private var targets: [String: Target] = [:]
  private var blocks: [BlockElement] = []
  private var links: [Link] = []

  /// Examines a page.
  ///
  /// - Parameters:
  ///   - nodes: The top-level nodes.
  ///   - path: The path of the page.
  ///   - depth: The maximum nesting depth. Elements at a greater depth are rejected when the text is read.
  ///   - resolve: Returns the target of a link on the page, or `nil` if the link does not lead to an identifier.
  init(_ nodes: [HTMLNode], path: String, depth: Int, resolve: @escaping (String) -> Address?) {
    self.path = path
    maximumDepth = depth
    self.resolve = resolve
    for node in nodes { visit(node, in: nil, depth: 0) }
  }

  /// Examines a page on which links to footnotes consist only of an identifier.
  init(_ nodes: [HTMLNode], depth: Int) {
    self.init(nodes, path: "", depth: depth) { destination in
      guard destination.hasPrefix("#"), case .anchor(let name) = LinkTarget(destination), !name.isEmpty else {
        return nil
      }
      return Address(path: "", fragment: name)
    }
  }

  // MARK: Collecting

  private mutating func visit(_ node: HTMLNode, in outer: Int?, depth: Int) {
    if let text = node.text {
      if let outer { blocks[outer].size += text.utf8.count { $0 > 0x20 } }
      return
    }
    guard depth <= maximumDepth, let name = node.name, !node.isHidden || node.isNote else { return }
    let role = HTMLRole.of(name)
    if case .dropped = role { return }
    // The footnotes of cmark are read separately.
    if node.attribute("data-footnotes") != nil || node.attribute("data-footnote-ref") != nil { return }
    var block = outer
    if role.isBlock || outer == nil {
      let isAtStart = outer.map { blocks[$0].size == 0 } ?? false
      blocks.append(
        BlockElement(node: node, parent: outer, startsParent: isAtStart, links: links.count..<links.count))
      block = blocks.count - 1
    }
    guard let block else { return }
    if role.isHeading { blocks[block].hasHeading = true }
    if let anchor = node.attribute("id") ?? (name == "a" ? node.attribute("name") : nil), targets[anchor] == nil {
      targets[anchor] = Target(node: node, block: block, startsBlock: block != outer || blocks[block].size == 0)
    }
    if name == "a", let address = node.attribute("href").flatMap(resolve) {
      links.append(
        Link(
          node: node, address: address, block: block, hasTextBefore: blocks[block].size > 0,
          isDeclared: node.isNoteReference || node.hasReferenceClass, mark: Self.mark(of: node)))
    }
    for child in node.children { visit(child, in: block, depth: depth + 1) }
    if block != outer {
      blocks[block].links = blocks[block].links.lowerBound..<links.count
      if let outer {
        blocks[outer].size += blocks[block].size
        blocks[outer].hasHeading = blocks[outer].hasHeading || blocks[block].hasHeading
      }
    }
  }

  /// Returns the text of a link without brackets if it is a number, a letter or a symbol, such as `12`, `a`, `†` or
  /// `note 3`. Returns `nil` for words and for arrows.
  private static func mark(of link: HTMLNode) -> String? {
    let words = link.textContent.onOneLine.filter { !"[]().".contains($0) }
    guard !words.isEmpty, words.count <= 8, !words.contains(where: { "↩↑↖⇑⤴⏎↵←⬆^".contains($0) }) else { return nil }
    let isShort = words.count <= 2 || words.contains(where: \.isNumber) || words.allSatisfy { "ivxlc*†‡§".contains($0) }
    return isShort ? words : nil
  }

  // MARK: Footnotes

  /// Returns the block that is the footnote with an identifier, or `nil` if the identifier is not at the beginning of a
  /// block.
  private func noteBlock(of target: Target) -> Int? {
    guard target.startsBlock else { return nil }
    var block = target.block
    // An item of a list consists of all its paragraphs.
    while let parent = blocks[block].parent, blocks[block].startsParent,
      blocks[parent].node.name == "li" || blocks[parent].node.name == "aside"
    {
      block = parent
    }
    return block
  }

  /// Returns whether a block is so short that it can be a footnote although it is not declared as one.
  private func isShort(_ block: Int) -> Bool {
    let element = blocks[block]
    return !element.hasHeading && element.size <= Self.maximumNoteSize && element.links.count <= Self.maximumNoteLinks
  }

  /// Returns the links of a block that lead back to the block of a reference on this page.
  private func backlinks(of block: Int, to reference: Int) -> [HTMLNode] {
    blocks[block].links.prefix(Self.maximumNoteLinks).map { links[$0] }.filter { link in
      link.address.path == path && targets[link.address.fragment]?.block == reference
    }.map(\.node)
  }

  /// Returns whether the first block contains the second block or is the same block.
  private func contains(_ outer: Int, _ inner: Int) -> Bool {
    var block: Int? = inner
    while let current = block, current > outer { block = blocks[current].parent }
    return block == outer
  }

  /// A footnote that may be shown below the text.
  private struct Candidate {
    let link: Int
    let note: PageNotes.Note
    /// The element that contains the text of the footnote.
    let node: HTMLNode
    /// The block that contains this element, or the element itself if it is a block.
    let block: Int
    let backlinks: [HTMLNode]
  }

  /// Returns the footnotes on the page and their references.
  ///
  /// A reference must be outside all footnotes or inside another footnote that is shown. A footnote without such a
  /// reference remains in the text, so that it is not lost.
  ///
  /// - Parameter name: Returns the name of a footnote from its identifier.
  func notes(named name: (String) -> String) -> PageNotes {
    let candidates = self.candidates(named: name)
    let blockOfNote = Set(candidates.map(\.block))
    var within: [Int: [Candidate]] = [:]
    var open: [Candidate] = []
    for candidate in candidates {
      var outer: Int? = links[candidate.link].block
      while let block = outer, !blockOfNote.contains(block) { outer = blocks[block].parent }
      if let outer { within[outer, default: []].append(candidate) } else { open.append(candidate) }
    }
    var notes = PageNotes()
    var next = 0
    while next < open.count {
      let candidate = open[next]
      next += 1
      let note = notes.notes[candidate.node] ?? candidate.note
      notes.references[links[candidate.link].node] = note
      notes.backlinks.formUnion(candidate.backlinks)
      guard notes.notes.updateValue(note, forKey: candidate.node) == nil else { continue }
      open += within.removeValue(forKey: candidate.block) ?? []
      if let target = targets[links[candidate.link].address.fragment], target.node != candidate.node,
        blocks[target.block].node.name == "dt"
      {
        notes.labels.insert(blocks[target.block].node)
      }
    }
    return notes
  }

  private func candidates(named name: (String) -> String) -> [Candidate] {
    var candidates: [Candidate] = []
    var count = 0
    for (index, link) in links.enumerated() where link.isDeclared || link.mark != nil && link.hasTextBefore {
      guard link.address.path == path, let target = targets[link.address.fragment] else {
        if link.isDeclared { count += 1 }
        continue
      }
      let block = noteBlock(of: target)
      var element = block.map { blocks[$0].node } ?? target.node
      let around = block ?? target.block
      guard !contains(around, link.block) else { continue }
      let backlinks = backlinks(of: around, to: link.block)
      if !link.isDeclared {
        guard let block, isShort(block), blocks[block].links.lowerBound > index,
          !backlinks.isEmpty
        else { continue }
      } else if blocks[around].node.name.map({ HTMLRole.of($0).isHeading }) == true {
        continue
      }
      // Docutils writes a footnote as a term with its definition.
      if element.name == "dt" {
        guard let definition = element.nextElement, definition.name == "dd" else { continue }
        element = definition
      }
      count += 1
      candidates.append(
        Candidate(
          link: index,
          note: PageNotes.Note(name: name(link.address.fragment), label: link.label ?? String(count)),
          node: element, block: around, backlinks: backlinks))
    }
    return candidates
  }

  // MARK: Other pages

  /// The references to identifiers on other pages that may be footnotes, in order.
  var externalReferences: [ExternalReference] {
    var count = 0
    return links.compactMap { link -> ExternalReference? in
      guard link.address.path != path, link.isDeclared || link.mark != nil && link.hasTextBefore else { return nil }
      count += 1
      return ExternalReference(
        link: link.node, address: link.address, label: link.label ?? String(count),
        isDeclared: link.isDeclared, block: link.block)
    }
  }

  /// Returns whether one of the addresses is in the block of a reference.
  func leadsBack(_ addresses: [Address], to reference: ExternalReference) -> Bool {
    addresses.contains { $0.path == path && targets[$0.fragment]?.block == reference.block }
  }

  /// Returns the blocks that may be footnotes of other pages: those that are declared as footnotes, and short blocks
  /// with links to other pages. Each has a name and the addresses of these links.
  func notesOfOtherPages(
    named name: (String) -> String
  ) -> (notes: PageNotes, identifiers: [String: (name: String, isDeclared: Bool, leads: [Address])]) {
    var notes = PageNotes()
    var identifiers: [String: (name: String, isDeclared: Bool, leads: [Address])] = [:]
    for (anchor, target) in targets.sorted(by: { $0.key < $1.key }) {
      let isDeclared = target.node.isNote
      guard let block = noteBlock(of: target) ?? (isDeclared ? target.block : nil) else { continue }
      var leads: [Address] = []
      if isShort(block) {
        let outgoing = blocks[block].links.map { links[$0] }.filter { $0.address.path != path }
        leads = outgoing.map(\.address)
        if let first = outgoing.first, !first.hasTextBefore || outgoing.count == 1 {
          notes.backlinks.insert(first.node)
        }
      }
      guard isDeclared || !leads.isEmpty else { continue }
      let element = isDeclared ? target.node : blocks[block].node
      let note = notes.notes[element] ?? PageNotes.Note(name: name(anchor), label: "")
      notes.notes[element] = note
      identifiers[anchor] = (note.name, isDeclared, leads)
    }
    return (notes, identifiers)
  }
}

extension HTMLNode {
  /// Whether the classes of a link or of the superscript around it declare it as a reference to a footnote.
  ///
  /// Source: the output of pandoc, Docutils, pulldown-cmark and Markdown processors for JavaScript.
  fileprivate var hasReferenceClass: Bool {
    let names: Set<Substring> = [
      "footnote-ref", "footnote-reference", "footnoteref", "footnoteRef", "noteref", "fnref",
    ]
    if !names.isDisjoint(with: classes) { return true }
    guard let parent, parent.name == "sup" || parent.name == "span" else { return false }
    return !names.isDisjoint(with: parent.classes)
  }
}
