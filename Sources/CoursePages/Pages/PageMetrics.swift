package import TextCanvas

/// Where everything stands on a page, for a terminal of some size. Columns and rows count from 0.
///
/// All text begins and ends in the same two columns; frames and rules live in the margins outside them. In a wide
/// terminal the page grows no wider than ``widestPage`` and stands in the middle; in a very wide one there is room beside
/// it for what it leads to, and both stand in the middle.
package struct PageMetrics: Hashable {
  static let widestPage = 100
  /// Columns of text beside the page, from where it is worth reading to what can be read well.
  static let asideWidths = 44...74
  /// Columns from the end of the page to the text beside it, and from that to where the middle is measured to.
  static let asideMargin = 3
  /// What frames and a whole header need.
  package static let leastOfFrames = CellSize(columns: 60, rows: 18)
  package static let smallest = CellSize(columns: 20, rows: 6)

  package let size: CellSize
  /// Below 60 columns or 18 rows: no frames, two rows of header.
  package let isSmall: Bool
  /// Below 60 columns: fewer words in each row. A low terminal may be wide.
  package let isNarrow: Bool
  /// The page's first column, and how many it has.
  package let left: Int
  package let width: Int
  /// Columns of the text beside the page; 0 where there is no room for it.
  package let asideWidth: Int

  package init(size: CellSize) {
    self.size = size
    isNarrow = size.columns < Self.leastOfFrames.columns
    isSmall = isNarrow || size.rows < Self.leastOfFrames.rows
    width = min(size.columns, Self.widestPage)
    let room = size.columns - width - 2 * Self.asideMargin
    asideWidth = isSmall || room < Self.asideWidths.lowerBound ? 0 : min(room, Self.asideWidths.upperBound)
    let beside = asideWidth == 0 ? 0 : asideWidth + 2 * Self.asideMargin
    left = (size.columns - width - beside) / 2
  }

  /// Rows from which on there is room below a short list for what is in what is chosen.
  package static let rowsWithPreview = 30
  /// Rows from which on that stands below a list in a very wide terminal too, and beside the page what would be read.
  static let rowsWithBoth = 44

  /// Whether what is in what is chosen stands below lists.
  package var previewsBelow: Bool {
    !isSmall && size.rows >= (asideWidth == 0 ? Self.rowsWithPreview : Self.rowsWithBoth)
  }

  /// The first column of the text beside the page.
  package var asideLeft: Int { left + width + Self.asideMargin }

  /// Whether there is room for anything at all.
  package var fits: Bool { size.columns >= Self.smallest.columns && size.rows >= Self.smallest.rows }

  package var margin: Int { isSmall ? 1 : 3 }
  package var textLeft: Int { left + margin }
  package var textWidth: Int { max(1, width - 2 * margin) }

  package var ruleLeft: Int { isSmall ? left : left + 1 }
  package var ruleWidth: Int { isSmall ? width : width - 2 }

  /// The card's frame, which stands where rules do, and the frame of a page that is open.
  package var frameLeft: Int { left + 1 }
  package var frameWidth: Int { width - 2 }

  /// Cells of a frame's edge: none where the terminal is too small for frames.
  package var frameEdge: Int { isSmall ? 0 : 1 }

  /// The columns of a rule between the sides of a frame.
  package func ruleColumns(in frame: CellRect) -> Range<Int> {
    frame.column + frameEdge..<max(frame.column + frameEdge, frame.endColumn - frameEdge)
  }

  package let trailRow = 0
  package var titleRow: Int { isSmall ? 1 : 2 }
  /// `nil` where the header has no room for a summary.
  package var summaryRow: Int? { isSmall ? nil : 3 }
  package var ruleRow: Int { isSmall ? 2 : 4 }
  /// The first row of what a page is about, and the one behind its last.
  package var bodyTop: Int { isSmall ? 3 : 5 }
  package var bodyEnd: Int { max(bodyTop, hintRow ?? keysRow) }
  package var bodyRows: Int { bodyEnd - bodyTop }
  /// Rows of air between a text and the next step: words that touched it would be read as one with it.
  package var airBelowText: Int { isSmall ? 0 : 1 }
  /// `nil` where every row is needed for what the page is about.
  package var hintRow: Int? { size.rows < 8 ? nil : size.rows - 2 }
  package var keysRow: Int { size.rows - 1 }

  /// Columns from where a text's header begins to where its words do: beside another pane they stand in the middle.
  ///
  /// - Parameter measure: The longest line of the text, in columns.
  package func textInset(measure: Int) -> Int { asideWidth == 0 ? 0 : max(0, (textWidth - measure) / 2) }

  /// Whether a scrolled text takes rows from its header: not beside another pane, since their rules are one line.
  package var headerCloses: Bool { !isSmall && asideWidth == 0 }
  /// A text that has been scrolled gives its header less room: the title right below the trail, the rule below that.
  package var scrolledTitleRow: Int { 1 }
  package var scrolledRuleRow: Int { 2 }
  package var scrolledBodyTop: Int { 3 }
}
