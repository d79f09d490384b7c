import LearningModel

/// A page of a book, cut at its headings.
struct BookPage {
  /// A part of the page that becomes an activity.
  struct Section {
    /// Its words; the page's name for what stands before the first heading below its title.
    let title: String
    /// The anchor of its heading; empty for what stands before the first heading below the title.
    let anchor: String
    /// What it says.
    var blocks: [Block] = []
    /// The anchors inside it.
    var anchors: [String] = []
  }

  /// Its first heading, of whatever level; `nil` where it has none.
  let title: String?
  /// The anchor of that heading, and those that stand before it.
  private(set) var titleAnchors: [String] = []
  /// Its parts; the first one has no anchor where something stands before the first heading below the title.
  private(set) var sections: [Section] = []

  /// Cuts a page.
  ///
  /// - Parameters:
  ///   - text: The page.
  ///   - name: What the table of contents calls it, and so what stands before the first heading below its title.
  ///   - code: How its code is shown.
  ///   - file: What errors call it.
  ///   - limits: How large its parts may become with their notes.
  init(_ text: ParsedText, name: String, code: BookCode, file: String, limits: SourceLimits) throws {
    var anchorsAt: [Int: [String]] = [:]
    for (anchor, index) in text.anchors { anchorsAt[index, default: []].append(anchor) }

    var level: Int?
    var title: String?
    var opening = Section(title: "", anchor: "")
    var sections: [Section] = []
    for (index, located) in text.blocks.enumerated() {
      let anchors = (anchorsAt[index] ?? []).sorted()
      if case .heading(let depth, let words, let anchor) = located.block {
        if level == nil {
          level = depth
          title = words.plainText.onOneLine
          titleAnchors = anchors
          continue
        }
        // A heading as high as the title, or higher, begins a section too: it would be lost inside another one.
        if depth <= level! + 1 {
          sections.append(Section(title: words.plainText.onOneLine, anchor: anchor, anchors: anchors))
          continue
        }
      }
      if sections.isEmpty {
        opening.blocks.append(located.block)
        opening.anchors += anchors
      } else {
        sections[sections.count - 1].blocks.append(located.block)
        sections[sections.count - 1].anchors += anchors
      }
    }
    self.title = title.flatMap { $0.isEmpty ? nil : $0 }
    if !opening.blocks.isEmpty {
      sections.insert(
        Section(
          title: name.isEmpty ? self.title ?? name : name, anchor: "", blocks: opening.blocks,
          anchors: opening.anchors), at: 0)
    }
    var footnotes = text.footnotes
    self.sections = try sections.map { section in
      var section = section
      section.blocks = try footnotes.attached(to: section.blocks, file: file, limits: limits).mapCode(code.block)
      return section
    }
  }
}
