import CoursePages
import TextCanvas

/// Blocks: paragraphs, tables and code blocks that can be selected, copied, and shown without wrapping.
extension ReadingScreen {
  /// The number of columns by which unwrapped lines scroll.
  private static let columnsAtOnce = 8

  private var piece: ReadingText.Piece? {
    chosenPiece.flatMap { text.pieces.indices.contains($0) ? text.pieces[$0] : nil }
  }

  func highlightChosenBlock(on surface: inout Surface, from first: Int) {
    guard let piece else { return }
    for line in piece.lines where text.lines.indices.contains(line) {
      let cells = CellRect(column: 0, row: line - first, columns: text.lines[line].displayWidth, rows: 1)
      surface.mapStyles(in: cells) { $0.with(.reverse) }
    }
  }

  /// Performs the commands for blocks.
  func performOnPieces(_ command: Command) -> Bool {
    switch command {
    case .nextBlock: return choosePiece(by: 1)
    case .previousBlock: return choosePiece(by: -1)
    case .wrap: return toggleWrapping()
    case .open: return scrollPiece(by: Self.columnsAtOnce)
    case .up: return scrollPiece(by: -Self.columnsAtOnce) || letPieceGo()
    case .nextTab, .previousTab:
      _ = letPieceGo()
      return false
    case .copy:
      guard let piece else { return false }
      context.copy(piece.copyText, named: piece.name)
      return true
    default: return false
    }
  }

  /// Selects the next or the previous block, starting at the visible lines, and scrolls to it. After the last block,
  /// the selection is removed.
  private func choosePiece(by step: Int) -> Bool {
    let pieces = text.pieces
    guard !pieces.isEmpty else { return false }
    let next: Int? =
      if let chosenPiece {
        chosenPiece + step
      } else if step > 0 {
        pieces.firstIndex { $0.lines.lowerBound >= scroll }
      } else {
        pieces.lastIndex { $0.lines.lowerBound < visibleLines.upperBound }
      }
    chosenLink = nil
    chosenPiece = next.flatMap { pieces.indices.contains($0) ? $0 : nil }
    if let piece, !visibleLines.contains(piece.lines.lowerBound) {
      scroll(to: piece.lines.lowerBound - (step > 0 ? pane.size.rows * 2 / 3 : pane.size.rows / 3), gliding: true)
    }
    pane.redraw()
    host.observer.pageChanged(self)
    return true
  }

  private func letPieceGo() -> Bool {
    guard chosenPiece != nil else { return false }
    chosenPiece = nil
    pane.redraw()
    host.observer.pageChanged(self)
    return true
  }

  /// Shows the lines of a block that is wider than the page without wrapping, or wraps them again. The block is the
  /// selected one or, if none is selected, the first visible one.
  private func toggleWrapping() -> Bool {
    let seen = text.pieces.firstIndex { $0.overflow > 0 && $0.lines.overlaps(visibleLines) }
    guard let number = piece.map({ $0.overflow > 0 ? chosenPiece : nil }) ?? seen else { return false }
    chosenLink = nil
    chosenPiece = number
    opened.unwrapped[number] = opened.unwrapped[number] == nil ? 0 : nil
    showNextMatch()
    return true
  }

  /// Scrolls an unwrapped block horizontally. Returns `false` if the block is already at its left end; the command then
  /// navigates to the parent.
  private func scrollPiece(by columns: Int) -> Bool {
    guard let chosenPiece, let piece, let first = opened.unwrapped[chosenPiece] else { return false }
    let next = max(0, min(first + columns, piece.overflow))
    // At the right end, the key is handled too, so that it does not perform another function such as opening a link.
    guard next != first else { return columns > 0 }
    opened.unwrapped[chosenPiece] = next
    showNextMatch()
    return true
  }

  private func showNextMatch() {
    layOutPage()
    pane.redraw()
    host.observer.pageChanged(self)
  }

  /// The hint about the selected block.
  var pieceHint: Footer.Hint? {
    guard let piece, let chosenPiece else { return nil }
    let arrows = context.appearance.symbols.arrows
    let detail =
      if opened.unwrapped[chosenPiece] != nil {
        "\(arrows[2]) \(arrows[3]) scroll, w wraps it"
      } else if piece.overflow > 0 { "w shows its lines whole" } else { "e note, M highlight, { } others" }
    return Footer.Hint(key: "y", text: "Copy " + piece.name, detail: detail)
  }
}
