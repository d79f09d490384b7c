import CoursePages
import TextCanvas

/// Blocks: paragraphs, tables and code blocks that can be selected, copied, and shown without wrapping.
extension ReadingScreen {
  /// The number of columns by which unwrapped lines scroll.
  private static let columnsAtOnce = 8

  private var chosenBlockText: ReadingText.SelectableBlock? {
    chosenBlock.flatMap { text.selectableBlocks.indices.contains($0) ? text.selectableBlocks[$0] : nil }
  }

  /// Returns what the commands for blocks do.
  func offerOnBlocks(_ command: Command) -> Offer? {
    switch command {
    case .previousBlock where !text.selectableBlocks.isEmpty:
      return Offer("select a block", rank: Offer.helpRank) { [self] in chooseBlock(by: -1) }
    case .nextBlock where !text.selectableBlocks.isEmpty:
      return Offer("select a block", rank: Offer.helpRank) { [self] in chooseBlock(by: 1) }
    case .wrap:
      return blockToWrap.map { number in
        Offer("wrap", rank: Offer.helpRank) { [self] in toggleWrapping(number) }
      }
    // At the right end, the key is used too, so that it does not perform another command.
    case .scrollRight: return scrolledColumns.map { _ in Offer { [self] in scrollBlock(by: Self.columnsAtOnce) } }
    case .scrollLeft where scrolledColumns ?? 0 > 0: return Offer { [self] in scrollBlock(by: -Self.columnsAtOnce) }
    case .copy:
      return chosenBlockText.map { block in
        // The hint about the block already shows the key.
        Offer("copy", rank: Offer.helpRank) { [context] in context.copy(block.copyText, named: block.name) }
      }
    default: return nil
    }
  }

  /// Selects the next or the previous block, starting at the visible lines, and scrolls to it. After the last block,
  /// the selection is removed.
  private func chooseBlock(by step: Int) {
    let selectableBlocks = text.selectableBlocks
    let next: Int? =
      if let chosenBlock {
        chosenBlock + step
      } else if step > 0 {
        selectableBlocks.firstIndex { $0.lines.lowerBound >= scroll }
      } else {
        selectableBlocks.lastIndex { $0.lines.lowerBound < visibleLines.upperBound }
      }
    chosenLink = nil
    chosenBlock = next.flatMap { selectableBlocks.indices.contains($0) ? $0 : nil }
    if let chosenBlockText, !visibleLines.contains(chosenBlockText.lines.lowerBound) {
      scroll(
        to: chosenBlockText.lines.lowerBound - (step > 0 ? pane.size.rows * 2 / 3 : pane.size.rows / 3), gliding: true)
    }
    pane.redraw()
    host.observer.pageChanged(self)
  }

  func deselectBlock() {
    guard chosenBlock != nil else { return }
    chosenBlock = nil
    pane.redraw()
    host.observer.pageChanged(self)
  }

  /// The block whose lines *wrap* clips or wraps: the selected one or, if none is selected, the first visible one. `nil` if
  /// it is not wider than the page.
  private var blockToWrap: Int? {
    if let chosenBlock, let chosenBlockText { return chosenBlockText.overflow > 0 ? chosenBlock : nil }
    return text.selectableBlocks.firstIndex { $0.overflow > 0 && $0.lines.overlaps(visibleLines) }
  }

  /// Shows the lines of a block without wrapping, or wraps them again.
  private func toggleWrapping(_ number: Int) {
    chosenLink = nil
    chosenBlock = number
    opened.unwrapped[number] = opened.unwrapped[number] == nil ? 0 : nil
    showNextMatch()
  }

  /// The number of columns by which the selected block is scrolled, or `nil` if its lines are wrapped.
  private var scrolledColumns: Int? { chosenBlockText == nil ? nil : chosenBlock.flatMap { opened.unwrapped[$0] } }

  /// Scrolls an unwrapped block horizontally.
  private func scrollBlock(by columns: Int) {
    guard let chosenBlock, let chosenBlockText, let first = scrolledColumns else { return }
    opened.unwrapped[chosenBlock] = max(0, min(first + columns, chosenBlockText.overflow))
    showNextMatch()
  }

  private func showNextMatch() {
    layOutPage()
    pane.redraw()
    host.observer.pageChanged(self)
  }

  /// The hint about the selected block.
  var blockHint: Footer.Hint? {
    guard let chosenBlockText, let chosenBlock else { return nil }
    func keys(_ commands: Command..., does action: String) -> String? {
      let labels = commands.compactMap(context.label(of:))
      return labels.count == commands.count ? labels.joined(separator: " ") + " " + action : nil
    }
    let details =
      if opened.unwrapped[chosenBlock] != nil {
        [keys(.scrollLeft, .scrollRight, does: "scroll"), keys(.wrap, does: "wraps lines")]
      } else if chosenBlockText.overflow > 0 {
        [keys(.wrap, does: "shows whole lines")]
      } else {
        [
          keys(.note, does: "note"), keys(.highlight, does: "highlight"),
          keys(.previousBlock, .nextBlock, does: "select"),
        ]
      }
    let detail = details.compactMap { $0 }.joined(separator: ", ")
    return Footer.Hint(.copy, text: "Copy " + chosenBlockText.name, detail: detail)
  }
}
