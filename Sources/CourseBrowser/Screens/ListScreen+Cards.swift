import CoursePages
import LearningModel
import Motion
import NavigationService
import ScreenKit
import TextCanvas

/// The cards that are seen, and the frame around the chosen one.
extension ListScreen {
  func layOutGeometry() {
    let height = bodyRows.count
    let layout: ListGeometry.Layout =
      metrics.isSmall
      ? .rows
      : askedLayout ?? shell.layout
        ?? (prefersList || !ListGeometry.fitsCards(count: cards.count, height: height) ? .list : .cards)
    geometry = ListGeometry(
      layout: layout, count: cards.count, chosen: chosen, height: height, scroll: geometry.scroll)
    lookAround()
  }

  /// Has the cards at hand that are seen, and as many around them as the next steps need.
  private func lookAround() {
    guard !cards.knows(geometry.visible), let others = shell.cards(of: place, around: .index(chosen)) else { return }
    columnsBefore = columns
    take(others)
  }

  /// Activities are many and small: they are listed.
  private var prefersList: Bool { page.kind == .lesson && cards.known.allSatisfy { $0.kind == .activity } }

  func showCards() {
    dropUnseenCards()
    for index in geometry.visible {
      let layer = cardLayers[index] ?? addCard(index)
      layer.frame = place(of: index, in: geometry)
      layer.opacity = 1
      layer.values[Self.asCard] = geometry.layout == .cards ? 1 : 0
      layer.setNeedsDisplay()
    }
    showRest()
  }

  /// The columns of the list, as far as it is known: they stand below each other.
  private var columns: CardWindow.Columns { columnsBefore.union(cards.columns) }

  func surface(of index: Int, in layout: ListGeometry.Layout? = nil) -> Surface {
    switch layout ?? geometry.layout {
    case .cards: drawing.card(described(index), isChosen: index == chosen)
    case .list:
      drawing.listRow(index == chosen ? described(index) : cards[index], isChosen: index == chosen, columns)
    case .rows: drawing.smallRow(cards[index], isChosen: index == chosen)
    }
  }

  /// A card with something below its title: where the author has written no summary, what is in it.
  private func described(_ index: Int) -> CardModel {
    var card = cards[index]
    guard card.summary.isEmpty, let node = card.node else { return card }
    card.summary = contentsOfCards[node] ?? shell.contents(of: card)
    contentsOfCards[node] = card.summary
    return card
  }

  // MARK: - The frame

  func placeFrame() {
    guard !choosesHowToAdd, let frame = frame(of: chosen) else {
      frameLayer.isHidden = true
      return
    }
    frameLayer.isHidden = false
    frameLayer.frame = Rect(frame)
  }

  func frame(of index: Int) -> CellRect? {
    guard cards.indices.contains(index), let frame = geometry.frame(of: index) else { return nil }
    return CellRect(
      column: metrics.frameLeft, row: bodyRows.lowerBound + frame.row, columns: metrics.frameWidth,
      rows: frame.rows)
  }

  /// Where a card would have its frame, which has none now: in a list as if it were the chosen one, among rows the row.
  func placeOfFrame(of index: Int) -> CellRect? {
    let place = ListGeometry(
      layout: geometry.layout, count: geometry.count, chosen: index, height: geometry.height, scroll: geometry.scroll)
    guard let frame = place.frame(of: index) else {
      let (row, rows) = geometry.text(of: index)
      return CellRect(column: metrics.left, row: bodyRows.lowerBound + row, columns: metrics.width, rows: rows)
    }
    return CellRect(
      column: metrics.frameLeft, row: bodyRows.lowerBound + frame.row, columns: metrics.frameWidth, rows: frame.rows)
  }

  func drawFrame(_ size: CellSize) -> Surface? {
    guard let card = chosenCard else { return nil }
    return drawing.lines.box(size, fraction: card.fraction, role: Role(card.kind))
  }

  /// The frame comes back when a page has opened.
  func fadeFrameIn() {
    guard shell.motion == .full, !frameLayer.isHidden else { return }
    withoutAnimation { frameLayer.opacity = 0 }
    animate(duration: Self.frameFade, curve: .linear) { frameLayer.opacity = 1 }
  }

  // MARK: - The page taken apart

  var cardParts: [PagePicture.Part] {
    geometry.visible.map { index in
      let (row, rows) = geometry.text(of: index)
      return PagePicture.Part(
        surface: surface(of: index),
        rect: CellRect(
          column: metrics.textLeft, row: bodyRows.lowerBound + row, columns: metrics.textWidth, rows: rows),
        node: cards[index].node, titleColumn: geometry.layout == .cards ? 0 : PageDrawing.markColumns)
    }
  }
}
