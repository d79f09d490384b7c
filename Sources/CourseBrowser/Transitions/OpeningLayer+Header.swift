import CoursePages
import LearningModel
import ScreenKit
import TextCanvas

/// The rows of the card that become the header of the page. The title does not change; all other text changes in the
/// middle of the transition.
extension OpeningLayer {
  func layOutHeader(_ geometry: OpeningGeometry) {
    let visibleHeader = geometry.crossFadeFraction > 0 ? pageHeader : cardHeader
    let fadingHeader = geometry.isCrossFading ? cardHeader : nil
    // Both rows start in the same column. That column must leave space for the text that is currently more visible.
    let readableHeader = geometry.isPastHalf ? visibleHeader : fadingHeader ?? visibleHeader
    let column = readableHeader.rows.reduce(geometry.interpolated(titleColumn, 0)) {
      min($0, $1.furthestTextColumn(ofTextFrom: readableHeader.start))
    }
    let rows = visibleHeader.rows(at: column)
    move(title, rows[0], row: geometry.titleRow)
    summary.isHidden = geometry.summaryRow >= geometry.ruleRow
    move(summary, rows[1], row: geometry.summaryRow)
    for (number, layer) in [fadingTitle, fadingSummary].enumerated() {
      layer.isHidden = fadingHeader == nil
      layer.content = fadingHeader?.rows(at: column)[number]
      layer.frame = Rect(x: 0, y: 0, width: Double(metrics.textWidth), height: 1)
      layer.dissolved = geometry.crossFadeFraction
    }
    fadingPageText.isHidden = geometry.crossFadeFraction < 1 || fadingPageText.presentation.dissolved >= 1
    fadingPageText.content = lower.fadingTitle?.surface.movingText(from: 0, at: column)
    fadingPageText.frame = Rect(x: 0, y: 0, width: Double(metrics.textWidth), height: 1)
    passage.isHidden = geometry.isPastHalf || frameOfCard.rows < 5 || geometry.summaryRow + 1 >= geometry.ruleRow
    move(passage, cardRow(2), row: geometry.summaryRow + 1)
  }

  /// Continues the fade of the page's earlier title row.
  func continueTitleFade() {
    fadingPageText.dissolve = Dissolve(rowShare: 1)
    fadingPageText.removeAllAnimations()
    withoutAnimation { fadingPageText.dissolved = lower.fadingTitle?.dissolved ?? 1 }
    guard let remaining = lower.fadingTitle?.left else { return }
    apartFromTransitions { animate(duration: remaining, curve: .linear) { fadingPageText.dissolved = 1 } }
  }

  /// Fades to the current text from the text of an older layer, which shows the same card and page.
  func adoptHeaderTexts(of old: OpeningLayer) {
    let isHeaderNew = upper.headerRows.map(\.surface) != old.upper.headerRows.map(\.surface)
    let rows = [
      (title, old.title, cardRow(0) != old.cardRow(0)), (summary, old.summary, cardRow(1) != old.cardRow(1)),
      (oldHeader, old.oldHeader, isHeaderNew),
    ]
    for (row, oldRow, isNew) in rows where isNew {
      let snapshot = oldRow.dissolvingSnapshot(Dissolve(rowShare: 1))
      snapshot.zPosition = 1
      row.add(snapshot)
      snapshot.dissolveAndRemove(within: Layer.dissolveDuration)
    }
  }

  /// Two rows whose text starts in the same column.
  private struct Header {
    var rows: [Surface]
    var start: Int

    func rows(at column: Int) -> [Surface] { rows.map { $0.movingText(from: start, at: column) } }
  }

  private var cardHeader: Header { Header(rows: [cardRow(0), cardRow(1)], start: titleColumn) }

  private var pageHeader: Header {
    Header(rows: [page.title(lower.header, kind: lower.kind), page.summary(lower.header)], start: 0)
  }
}

/// The title of the upper page, which stays in its place up to the middle of the transition, and the breadcrumb, which
/// contains the title from then on.
extension OpeningLayer {
  func layOutBreadcrumb(_ geometry: OpeningGeometry) {
    let shift = shift
    let breadcrumb = geometry.isPastHalf ? lower.breadcrumb : upper.breadcrumb
    move(breadcrumbLayer, page.breadcrumb(breadcrumb), row: -shift.rows)
    breadcrumbLayer.frame.x -= shift.columns
    // If the breadcrumb of another page is still shown, it is hidden before this breadcrumb changes.
    for heldBreadcrumb in breadcrumbLayer.sublayers {
      heldBreadcrumb.isHidden = breadcrumb != (isClosing ? lower.breadcrumb : upper.breadcrumb)
    }

    oldTitle.isHidden = geometry.isPastHalf || upper.breadcrumbTitle == nil
    oldTitle.frame = Rect(
      x: Double(metrics.textColumn), y: Double(upper.titleRow), width: Double(oldTitle.content?.columns ?? 0), height: 1
    )
  }

  var oldTitleSurface: Surface {
    let style = page.theme.bold(Role(upper.kind))
    let text = (upper.breadcrumbTitle ?? "").truncated(to: metrics.textWidth, ellipsis: page.lines.symbols.ellipsis)
    return page.lines.row(StyledText(text, style: style), width: max(1, text.displayWidth))
  }
}
