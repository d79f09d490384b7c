package import TextCanvas

/// The positions of everything on a page, for a terminal of a given size. Columns and rows are counted from 0.
///
/// All text begins and ends in the same two columns; frames and rules are in the margins outside these columns. In a
/// wide terminal the page is centred and at most ``maximumWidth`` columns wide. A very wide terminal has enough space
/// for a side pane; the page and the pane are centred together.
package struct PageMetrics: Hashable {
  static let maximumWidth = 100
  /// The minimum and the maximum width of the side pane, in columns. A narrower pane is not useful, and a wider one is
  /// hard to read.
  static let sidePaneWidths = 44...74
  /// The columns between the page and the side pane. When the two are centred, the same number of columns is left free
  /// to the right of the pane.
  static let sidePaneMargin = 3
  /// The minimum size of a terminal with frames and a full header.
  package static let minimumSizeForFrames = CellSize(columns: 60, rows: 18)
  package static let minimumSize = CellSize(columns: 20, rows: 6)

  package let size: CellSize
  /// Whether the terminal has fewer than 60 columns or 18 rows. If `true`, there are no frames, and the header has two
  /// rows.
  package let isSmall: Bool
  /// Whether the terminal has fewer than 60 columns. If `true`, rows use shorter texts. A terminal with few rows can
  /// still be wide.
  package let isNarrow: Bool
  /// The first column of the page.
  package let firstColumn: Int
  package let width: Int
  /// The width of the side pane in columns, or 0 if there is not enough space.
  package let sidePaneWidth: Int

  package init(size: CellSize) {
    self.size = size
    isNarrow = size.columns < Self.minimumSizeForFrames.columns
    isSmall = isNarrow || size.rows < Self.minimumSizeForFrames.rows
    width = min(size.columns, Self.maximumWidth)
    let availableColumns = size.columns - width - 2 * Self.sidePaneMargin
    sidePaneWidth =
      isSmall || availableColumns < Self.sidePaneWidths.lowerBound
      ? 0 : min(availableColumns, Self.sidePaneWidths.upperBound)
    let sidePaneColumns = sidePaneWidth == 0 ? 0 : sidePaneWidth + 2 * Self.sidePaneMargin
    firstColumn = (size.columns - width - sidePaneColumns) / 2
  }

  /// The minimum number of terminal rows for two rows below each result of a search, and for a card that grows by more
  /// than its own rows.
  package static let tallRows = 30
  /// The minimum number of terminal rows for showing the preview below the list in addition to the side pane.
  static let rowsWithBoth = 44

  /// Whether a preview of the selection is shown below lists.
  package var showsPreviewBelow: Bool {
    !isSmall && (sidePaneWidth == 0 || size.rows >= Self.rowsWithBoth)
  }

  /// The first column of the side pane's text.
  package var sidePaneColumn: Int { firstColumn + width + Self.sidePaneMargin }

  /// Whether the terminal is large enough to show anything.
  package var isSupported: Bool { size.columns >= Self.minimumSize.columns && size.rows >= Self.minimumSize.rows }

  package var margin: Int { isSmall ? 1 : 3 }
  package var textColumn: Int { firstColumn + margin }
  package var textWidth: Int { max(1, width - 2 * margin) }

  package var ruleColumn: Int { isSmall ? firstColumn : firstColumn + 1 }
  package var ruleWidth: Int { isSmall ? width : width - 2 }

  /// The first column of the selected card's frame and of an open page's frame. Rules begin in the same column.
  package var frameColumn: Int { firstColumn + 1 }
  package var frameWidth: Int { width - 2 }

  /// The width of a frame's left or right edge in cells, or 0 if there are no frames.
  package var frameThickness: Int { isSmall ? 0 : 1 }

  /// Returns the columns of a rule between the edges of a frame.
  package func ruleColumns(in frame: CellRect) -> Range<Int> {
    frame.column + frameThickness..<max(frame.column + frameThickness, frame.endColumn - frameThickness)
  }

  package let breadcrumbRow = 0
  package var titleRow: Int { isSmall ? 1 : 2 }
  /// The row of the summary, or `nil` if the header is too small.
  package var summaryRow: Int? { isSmall ? nil : 3 }
  package var ruleRow: Int { isSmall ? 2 : 4 }
  /// The first row of the body. The row after its last row is ``bodyEnd``.
  package var bodyTop: Int { isSmall ? 3 : 5 }
  package var bodyEnd: Int { max(bodyTop, hintRow ?? keysRow) }
  package var bodyRows: Int { bodyEnd - bodyTop }
  /// The number of blank rows between a text and the hint.
  package var spacingBelowText: Int { isSmall ? 0 : 1 }
  /// The row of the hint, or `nil` in a terminal that is too low.
  package var hintRow: Int? { size.rows < 8 ? nil : size.rows - 2 }
  package var keysRow: Int { size.rows - 1 }

  /// Whether the header of a scrolled text shrinks. Next to a side pane it keeps its height, because the rule of the
  /// page is aligned with that of the pane.
  package var headerCloses: Bool { !isSmall && sidePaneWidth == 0 }
  /// The row of the title in the smaller header of a scrolled text: directly below the breadcrumbs and above the rule.
  package var scrolledTitleRow: Int { 1 }
  package var scrolledRuleRow: Int { 2 }
  package var scrolledBodyTop: Int { 3 }
}
