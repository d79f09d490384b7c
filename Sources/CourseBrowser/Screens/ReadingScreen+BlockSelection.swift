import CoursePages
import TextCanvas

/// Blocks: paragraphs, tables and code blocks that can be selected, copied, and shown without wrapping.
extension ReadingScreen {
  /// The number of columns by which unwrapped lines scroll.
  private static let columnsAtOnce = 8

  private var chosenBlockText: ReadingText.SelectableBlock? {
    chosenBlock.flatMap { text.selectableBlocks.indices.contains($0) ? text.selectableBlocks[$0] : nil }
  }

  /// Performs the commands for blocks.
  func performOnBlocks(_ command: Command) -> Bool {
    switch command {
    case .nextBlock: return chooseBlock(by: 1)
    case .previousBlock: return chooseBlock(by: -1)
    case .wrap: return toggleWrapping()
    case .open: return scrollBlock(by: Self.columnsAtOnce)
    case .up: return scrollBlock(by: -Self.columnsAtOnce)
    case .nextTab, .previousTab:
      deselectBlock()
      return false
    case .copy:
      guard let chosenBlockText else { return false }
      context.copy(chosenBlockText.copyText, named: chosenBlockText.name)
      return true
    default: return false
    }
  }

  /// Selects the next or the previous block, starting at the visible lines, and scrolls to it. After the last block,
  /// the selection is removed.
  private func chooseBlock(by step: Int) -> Bool {
    let selectableBlocks = text.selectableBlocks
    guard !selectableBlocks.isEmpty else { return false }
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
    return true
  }

  func deselectBlock() {
    guard chosenBlock != nil else { return }
    chosenBlock = nil
    pane.redraw()
    host.observer.pageChanged(self)
  }

  /// Shows the lines of a block that is wider than the page without wrapping, or wraps them again. The block is the
  /// selected one or, if none is selected, the first visible one.
  private func toggleWrapping() -> Bool {
    let firstWideBlock = text.selectableBlocks.firstIndex { $0.overflow > 0 && $0.lines.overlaps(visibleLines) }
    guard let number = chosenBlockText.map({ $0.overflow > 0 ? chosenBlock : nil }) ?? firstWideBlock else {
      return false
    }
    chosenLink = nil
    chosenBlock = number
    opened.unwrapped[number] = opened.unwrapped[number] == nil ? 0 : nil
    showNextMatch()
    return true
  }

  /// Scrolls an unwrapped block horizontally. Returns `false` if the block is already at its left end; the command then
  /// navigates to the parent.
  private func scrollBlock(by columns: Int) -> Bool {
    guard let chosenBlock, let chosenBlockText, let first = opened.unwrapped[chosenBlock] else { return false }
    let next = max(0, min(first + columns, chosenBlockText.overflow))
    // At the right end, the key is handled too, so that it does not perform another function such as opening a link.
    guard next != first else { return columns > 0 }
    opened.unwrapped[chosenBlock] = next
    showNextMatch()
    return true
  }

  private func showNextMatch() {
    layOutPage()
    pane.redraw()
    host.observer.pageChanged(self)
  }

  /// The hint about the selected block.
  var blockHint: Footer.Hint? {
    guard let chosenBlockText, let chosenBlock else { return nil }
    let arrows = context.appearance.symbols.arrows
    let detail =
      if opened.unwrapped[chosenBlock] != nil {
        "\(arrows[2]) \(arrows[3]) scroll, w wraps lines"
      } else if chosenBlockText.overflow > 0 { "w shows whole lines" } else { "e note, M highlight, { } select" }
    return Footer.Hint(key: "y", text: "Copy " + chosenBlockText.name, detail: detail)
  }
}
