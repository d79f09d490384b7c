import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// The preview below the list of the upper page.
///
/// If the opening page shows the text of the preview, the text moves from the preview to its place on the page. Otherwise
/// the preview stays in its place. The frame covers the preview as the frame grows, so that the rows below the frame are
/// never empty. Each place is visible only once: a row of the preview disappears when the opening page shows the same
/// place. The preview of the opening page then appears below the frame too.
extension OpeningLayer {
  /// Adds the text of the page to the preview, if it moves from there to the page.
  func buildPreviewText() {
    previewText?.removeFromSuperlayer()
    previewText = nil
    isPreviewMoving = false
    guard let previewTravel, lower.body.indices.contains(previewTravel.fragment) else { return }
    let text = lower.body[previewTravel.fragment].makeLayer()
    text.isHidden = true
    preview?.add(text)
    previewText = text
  }

  /// Adds the preview of the opening page to the rows below the frame.
  func buildNextPreview() {
    nextPreview = lower.body.firstIndex(where: \.isPreview).map { number in
      let layer = lower.body[number].makeLayer()
      layer.isHidden = true
      previewWindow.add(layer)
      return (layer, number)
    }
  }

  /// Continues the motion of the preview's text in an older layer, which shows the same card and page. The page may have
  /// scrolled since.
  func adoptPreviewTravel(of old: OpeningLayer) {
    guard previewTravel != old.previewTravel else { return }
    previewTravel = old.previewTravel
    buildPreviewText()
  }

  func layOutPreview(_ geometry: OpeningGeometry) {
    guard let preview, let fragment = upper.body.first(where: \.isPreview) else { return }
    let travel = previewText == nil || geometry.fraction == 0 ? nil : previewTravel
    let moved = travel?.rowsMoved(geometry) ?? 0
    let moving = fragment.rect.offset(rows: moved)
    let rowsAbove = upper.body.filter { !$0.isPreview && $0.node != card.node }.map(\.rect.endRow)
    let top =
      travel != nil
      ? max(moving.row, geometry.frame.endRow)
      : max(fragment.rect.row, max(frameOfCard.endRow, rowsAbove.max() ?? 0) + geometry.rowsMovedDown)
    let rect = CellRect(
      column: fragment.rect.column, row: top, columns: fragment.rect.columns, rows: max(0, fragment.rect.endRow - top))
    previewWindow.frame = Rect(rect)
    preview.frame = Rect(moving.offset(columns: -rect.column, rows: -rect.row))
    if let previewText, let previewTravel {
      showPreviewText(previewText, geometry, fragment, previewTravel, relativeTo: moving)
    } else {
      hideVisiblePlaces(of: fragment, on: preview, geometry)
    }
    layOutNextPreview(geometry, in: rect)
  }

  /// Replaces the preview by that of the opening page as soon as that appears inside the frame. Below the frame, it does
  /// not fade, because the terminal would receive it once more.
  private func layOutNextPreview(_ geometry: OpeningGeometry, in window: CellRect) {
    guard let (layer, number) = nextPreview else { return }
    layer.isHidden = geometry.opacity(ofPiece: number, of: lower.body.count) == 0
    layer.frame = Rect(
      lower.body[number].rect.offset(
        columns: -window.column, rows: geometry.remainingRows + geometry.bodyOffset - window.row))
    preview?.isHidden = !layer.isHidden
  }

  /// Shows the text of the page in place of the preview's text as soon as the card has begun to move.
  private func showPreviewText(
    _ text: Layer, _ geometry: OpeningGeometry, _ fragment: PageFragments.Fragment, _ travel: PreviewTravel,
    relativeTo preview: CellRect
  ) {
    let body = lower.body[travel.fragment].rect
    let distance = travel.distance(geometry)
    text.frame = Rect(
      body.offset(
        columns: distance.columns - preview.column, rows: distance.rows + geometry.bodyOffset - preview.row))
    let isMoving = geometry.fraction > 0
    guard isMoving != isPreviewMoving else { return }
    isPreviewMoving = isMoving
    text.isHidden = !isMoving
    let header = CellRect(
      column: 0, row: 0, columns: fragment.rect.columns, rows: SidePaneDrawing.previewHeaderRows)
    self.preview?.content = isMoving ? fragment.surface.cropped(header) : fragment.surface
  }

  /// Hides the rows of the places that the opening page shows.
  private func hideVisiblePlaces(of fragment: PageFragments.Fragment, on preview: Layer, _ geometry: OpeningGeometry) {
    let visible = visibleFragments(geometry)
    let visiblePlaces = Set(visible.flatMap { [$0.node].compactMap(\.self) + $0.places.values })
    let hiddenRows = fragment.places.filter { visiblePlaces.contains($0.value) }.keys.sorted()
    guard hiddenRows != hiddenPreviewRows else { return }
    hiddenPreviewRows = hiddenRows
    var surface = fragment.surface
    for row in hiddenRows {
      surface.fill(CellRect(column: 0, row: row, columns: surface.columns, rows: 1), with: .clear)
    }
    preview.content = surface
  }

  /// The fragments of the opening page that are visible at a fraction.
  private func visibleFragments(_ geometry: OpeningGeometry) -> [PageFragments.Fragment] {
    lower.body.enumerated().filter { geometry.opacity(ofPiece: $0.offset, of: lower.body.count) > 0 }.map(\.element)
  }
}
