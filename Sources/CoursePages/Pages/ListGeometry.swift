/// Where the cards of a list stand: a function of how many there are, which is chosen, and how far the list is scrolled.
///
/// Rows count from the first row of the page's body.
package struct ListGeometry: Hashable, Sendable {
  /// How cards are listed.
  package enum Layout: String, CaseIterable, Hashable, Sendable {
    /// Three rows a card.
    case cards
    /// One row each; the chosen one opens to a card.
    case list
    /// One row each and no frame, where a terminal is small.
    case rows
  }

  package let layout: Layout
  package let count: Int
  package let chosen: Int
  /// Rows that there are.
  package let height: Int
  /// Rows that are scrolled away.
  package let scroll: Int

  /// Lays out a list, scrolled as little as shows the chosen card.
  ///
  /// - Parameter scroll: How far it was scrolled before.
  package init(layout: Layout, count: Int, chosen: Int, height: Int, scroll: Int = 0) {
    let chosen = max(0, min(chosen, count - 1))
    let height = max(1, height)
    let content = Self.contentHeight(of: layout, count: count)
    let visible = Self.hasMoreRow(content: content, height: height) ? height - 1 : height
    let (top, end) = Self.rows(ofChosen: chosen, layout: layout)
    var scroll = min(max(0, scroll), max(0, content - visible))
    if end - scroll > visible { scroll = end - visible }
    if top < scroll { scroll = top }
    if layout == .cards { scroll = (scroll + 2) / 3 * 3 }

    self.layout = layout
    self.count = count
    self.chosen = chosen
    self.height = height
    self.scroll = scroll
  }

  /// Whether cards of three rows would all fit.
  package static func fitsCards(count: Int, height: Int) -> Bool { 3 * count + 1 <= height }

  private static func contentHeight(of layout: Layout, count: Int) -> Int {
    switch layout {
    case .cards: 3 * count + 1
    case .list: count == 0 ? 1 : count + 4
    case .rows: count
    }
  }

  private static func rows(ofChosen chosen: Int, layout: Layout) -> (top: Int, end: Int) {
    switch layout {
    case .cards: (3 * chosen, 3 * chosen + 4)
    case .list: (chosen == 0 ? 0 : 1 + chosen, chosen + 5)
    case .rows: (chosen, chosen + 1)
    }
  }

  /// Rows of the whole list.
  package var contentHeight: Int { Self.contentHeight(of: layout, count: count) }

  /// Rows that show cards; the last row is needed to say how many more there are.
  package var visibleRows: Int {
    Self.hasMoreRow(content: contentHeight - scroll, height: height) ? height - 1 : height
  }

  /// Where there are hardly any rows, every one of them shows a card.
  private static func hasMoreRow(content: Int, height: Int) -> Bool { content > height && height > 3 }

  /// The first row of a card's text, and how many rows it has.
  package func text(of index: Int) -> (row: Int, rows: Int) {
    let row =
      switch layout {
      case .cards: 1 + 3 * index
      case .list: index < chosen ? 1 + index : index == chosen ? 2 + index : 4 + index
      case .rows: index
      }
    return (row - scroll, layout == .cards || layout == .list && index == chosen ? 2 : 1)
  }

  /// The rows of the frame around a card as if it were chosen; `nil` where there is none.
  package func frame(of index: Int) -> (row: Int, rows: Int)? {
    switch layout {
    case .cards: (3 * index - scroll, 4)
    case .list: index == chosen ? (1 + index - scroll, 4) : nil
    case .rows: nil
    }
  }

  /// The cards that are seen, at least in part.
  package var visible: Range<Int> {
    let first = firstIndex { text(of: $0).row + text(of: $0).rows > 0 }
    return first..<max(first, firstIndex { text(of: $0).row >= visibleRows })
  }

  /// How many cards follow the last that is seen whole.
  package var more: Int {
    guard let last = visible.last else { return 0 }
    let text = text(of: last)
    return count - last - (text.row + text.rows > visibleRows ? 0 : 1)
  }

  /// Whether all cards are seen whole, so that there is no page further.
  package var showsAll: Bool { scroll == 0 && more == 0 }

  /// The first card of which something holds that holds of all after it.
  private func firstIndex(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The card at a row; `nil` between cards.
  package func index(atRow row: Int) -> Int? {
    visible.first { index in
      let text = text(of: index)
      let frame = layout == .cards || index == chosen ? frame(of: index) : nil
      return row >= (frame?.row ?? text.row) && row < (frame.map { $0.row + $0.rows - 1 } ?? text.row + text.rows)
    }
  }
}
