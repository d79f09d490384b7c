import CoursePages
import TextCanvas

/// The way of a text from the preview below a list to the page that opens, if both show the same rows.
///
/// The distance depends only on the progress of the opening card. It is therefore the same in both directions, and an
/// interrupted transition continues it.
struct PreviewTravel: Hashable {
  /// The index of the text among the fragments of the page's body.
  let fragment: Int
  /// The distance from the text on the page to the same text in the preview, in columns and rows.
  private let columns: Int
  private let rows: Int

  /// Compares the rows of a preview with those of a page. Returns `nil` unless the page contains the text of the
  /// preview. Only the last row of the preview may differ, because it can indicate further text.
  init?(from preview: PageFragments.Fragment, to page: PageFragments) {
    guard preview.places.isEmpty, let fragment = page.body.firstIndex(where: { $0.node == nil && !$0.isBox }),
      !page.body[fragment].isPreview
    else { return nil }
    let body = page.body[fragment]
    let texts = preview.surface.textRows.dropFirst(SidePaneDrawing.previewHeaderRows).map(\.withoutBlanks)
    let pageTexts = body.surface.textRows.map(\.withoutBlanks)
    guard let first = texts.firstIndex(where: { !$0.isEmpty }), let pageFirst = pageTexts.firstIndex(of: texts[first])
    else { return nil }
    let shared = zip(texts[first...], pageTexts[pageFirst...]).prefix { $0 == $1 }.count
    guard texts[(first + shared)...].count(where: { !$0.isEmpty }) <= 1 else { return nil }
    self.fragment = fragment
    let row = SidePaneDrawing.previewHeaderRows + first
    columns =
      preview.rect.column + preview.surface.text(ofRow: row).indent
      - body.rect.column - body.surface.text(ofRow: pageFirst).indent
    rows = preview.rect.row + row - body.rect.row - pageFirst
  }

  /// Returns the distance of the text from its position on the page.
  func distance(_ geometry: OpeningGeometry) -> (columns: Int, rows: Int) {
    (geometry.interpolated(columns, 0), geometry.interpolated(rows, 0))
  }

  /// Returns the number of rows by which the preview has moved down. Negative, because the page's text is above the
  /// preview.
  func rowsMoved(_ geometry: OpeningGeometry) -> Int { distance(geometry).rows - rows }
}

extension String {
  fileprivate var indent: Int { prefix { $0 == " " }.count }

  /// The text without blanks at both ends.
  fileprivate var withoutBlanks: Substring {
    let start = drop { $0 == " " }
    return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
  }
}
