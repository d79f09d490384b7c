import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// The preview below the list of the upper page.
///
/// The preview stays in its place, and the frame covers it as the frame grows, so that the rows below the frame are never
/// empty. Each place and each text is visible only once: a row of the preview disappears when the opening page shows the
/// same place. A preview of a text disappears when the page shows the text.
extension OpeningLayer {
  func layOutPreview(_ geometry: OpeningGeometry) {
    guard let preview, let fragment = upper.body.first(where: \.isPreview) else { return }
    let rowsAbove = upper.body.filter { !$0.isPreview && $0.node != card.node }.map(\.rect.endRow)
    let top = max(
      fragment.rect.row, max(frameOfCard.endRow, rowsAbove.max() ?? 0) + geometry.rowsMovedDown)
    let rect = CellRect(
      column: fragment.rect.column, row: top, columns: fragment.rect.columns, rows: max(0, fragment.rect.endRow - top))
    previewWindow.frame = Rect(rect)
    preview.frame = Rect(fragment.rect.offset(columns: -rect.column, rows: -rect.row))
    let visible = visibleFragments(geometry)
    preview.isHidden = fragment.places.isEmpty && !visible.isEmpty
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
