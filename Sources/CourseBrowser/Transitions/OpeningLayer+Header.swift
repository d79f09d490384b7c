import CoursePages
import Motion
import ScreenKit
import TextCanvas

/// The rows of the card that become the header of the page. The title is the same in both; what stands beside it, and in
/// the row below, gives way half way.
extension OpeningLayer {
  func layOutHeader(_ geometry: OpeningGeometry) {
    let shown = geometry.exchange > 0 ? pageHeader : cardHeader
    let going = geometry.isExchanging ? cardHeader : nil
    // Both rows keep below each other, and what is not read yet, or no more, keeps below what is.
    let read = geometry.isPastMiddle ? shown : going ?? shown
    let column = read.rows.reduce(geometry.between(titleColumn, 0)) {
      min($0, $1.furthestColumn(ofWordsFrom: read.start))
    }
    let rows = shown.rows(at: column)
    move(title, rows[0], row: geometry.titleRow)
    summary.isHidden = geometry.summaryRow >= geometry.ruleRow
    move(summary, rows[1], row: geometry.summaryRow)
    for (number, layer) in [titleGoing, summaryGoing].enumerated() {
      layer.isHidden = going == nil
      layer.content = going?.rows(at: column)[number]
      layer.frame = Rect(x: 0, y: 0, width: Double(metrics.textWidth), height: 1)
      layer.dissolved = geometry.exchange
    }
    pageWords.isHidden = geometry.exchange < 1 || pageWords.presentation.dissolved >= 1
    pageWords.content = lower.titleBefore?.surface.withWords(from: 0, at: column)
    pageWords.frame = Rect(x: 0, y: 0, width: Double(metrics.textWidth), height: 1)
    passage.isHidden = geometry.isPastMiddle || frameOfCard.rows < 5 || geometry.summaryRow + 1 >= geometry.ruleRow
    move(passage, cardRow(2), row: geometry.summaryRow + 1)
  }

  /// Lets what the page has said beside its title keep giving way as it does there.
  func goOnWithTitle() {
    pageWords.dissolve = Dissolve(share: 1)
    pageWords.removeAllAnimations()
    withoutAnimation { pageWords.dissolved = lower.titleBefore?.dissolved ?? 1 }
    guard let left = lower.titleBefore?.left else { return }
    apartFromTransitions { animate(duration: left, curve: .linear) { pageWords.dissolved = 1 } }
  }

  /// Lets what another layer shows of the same card and page give way to what is told of them now.
  func takeWords(of old: OpeningLayer) {
    let isHeaderNew = upper.headerRows.map(\.surface) != old.upper.headerRows.map(\.surface)
    let rows = [
      (title, old.title, cardRow(0) != old.cardRow(0)), (summary, old.summary, cardRow(1) != old.cardRow(1)),
      (oldHeader, old.oldHeader, isHeaderNew),
    ]
    for (row, oldRow, isNew) in rows where isNew {
      let words = oldRow.pictureToGiveWay(Dissolve(share: 1))
      row.add(words)
      words.giveWay(within: Layer.afterimageTime)
    }
  }

  /// Two rows whose words begin in a column.
  private struct Header {
    var rows: [Surface]
    var start: Int

    func rows(at column: Int) -> [Surface] { rows.map { $0.withWords(from: start, at: column) } }
  }

  private var cardHeader: Header { Header(rows: [cardRow(0), cardRow(1)], start: titleColumn) }

  private var pageHeader: Header {
    Header(rows: [page.title(lower.header, kind: lower.kind), page.summary(lower.header)], start: 0)
  }
}
