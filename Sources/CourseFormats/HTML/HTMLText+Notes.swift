import LearningModel

extension HTMLText {
  /// Reads the footnote section that cmark writes. Children of the section other than the list of footnotes are read
  /// like other elements.
  mutating func readFootnotes(_ section: HTMLNode, into flow: inout Flow, depth: Int) throws {
    let wasInNote = isInNote
    isInNote = true
    defer { isInNote = wasInNote }
    for list in section.children {
      guard list.name == "ol" else {
        try readNode(list, into: &flow, depth: depth + 1)
        continue
      }
      for item in list.children where item.name == "li" {
        result.footnotes.append(
          Footnote(
            anchor: item.attribute("id") ?? "", label: String(result.footnotes.count + 1),
            blocks: try blocksOf(item, depth: depth + 2)))
      }
    }
    close(&flow)
  }

  /// Reads a footnote, which is shown below the text.
  mutating func readNote(_ note: PageNotes.Note, in node: HTMLNode, depth: Int) throws {
    let wasInNote = isInNote
    isInNote = true
    // The identifier of the footnote itself belongs to its first block.
    var outer = pendingTargets
    pendingTargets = []
    if let own = node.attribute("id"), outer.last == own { pendingTargets = [outer.removeLast()] }
    defer {
      isInNote = wasInNote
      pendingTargets = outer
    }
    // Docutils before version 0.18 wrote footnotes as tables.
    let cells = node.name == "table" ? node.all { $0.name == "td" } : [node]
    let blocks = try cells.flatMap { try blocksOf($0, depth: depth + 1) }.withoutLabel(note.label)
    result.footnotes.append(Footnote(anchor: note.name, label: note.label, blocks: blocks))
  }

  /// Returns the texts of footnotes to which no reference in the blocks leads, for example because the reference is in
  /// an omitted element. They are shown at the end, so that they are not lost.
  func unreferencedNotes(in blocks: [Block]) -> [Block] {
    guard result.footnotes.count > 0 else { return [] }
    return result.footnotes.unreferenced(in: blocks)
  }
}
