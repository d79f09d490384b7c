/// The positions of the cards of a list, computed from their number, the selection and the scroll offset.
///
/// Rows are counted from the first row of the page's body.
package struct ListGeometry: Hashable, Sendable {
  /// The appearance of the cards.
  package enum Layout: String, CaseIterable, Hashable, Sendable {
    /// Each card takes three rows.
    case cards
    /// Each card takes one row. The selected one is expanded.
    case list
    /// Each card takes one row and has no frame, for small terminals.
    case rows
  }

  package let layout: Layout
  package let count: Int
  package let chosen: Int
  /// The number of rows of the body.
  package let height: Int
  /// The number of rows that are scrolled out above.
  package let scroll: Int

  /// Lays out a list. The scroll offset changes only as far as needed to show the selected card.
  ///
  /// - Parameter scroll: The previous scroll offset.
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

  /// Returns whether all cards fit in the layout `cards`.
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

  /// The number of rows of the whole list.
  package var contentHeight: Int { Self.contentHeight(of: layout, count: count) }

  /// The number of rows that show cards. If cards follow below, the last row shows their number.
  package var visibleRows: Int {
    Self.hasMoreRow(content: contentHeight - scroll, height: height) ? height - 1 : height
  }

  /// Returns whether the last row shows the number of hidden cards. Lists of at most three rows use every row for
  /// cards.
  private static func hasMoreRow(content: Int, height: Int) -> Bool { content > height && height > 3 }

  /// Returns the first row and the number of rows of a card's text.
  package func text(of index: Int) -> (row: Int, rows: Int) {
    let row =
      switch layout {
      case .cards: 1 + 3 * index
      case .list: index < chosen ? 1 + index : index == chosen ? 2 + index : 4 + index
      case .rows: index
      }
    return (row - scroll, layout == .cards || layout == .list && index == chosen ? 2 : 1)
  }

  /// Returns the first row and the number of rows of the frame around a card, or `nil` if it has none. Frames of
  /// adjacent cards share an edge.
  package func frame(of index: Int) -> (row: Int, rows: Int)? {
    switch layout {
    case .cards: (3 * index - scroll, 4)
    case .list: index == chosen ? (1 + index - scroll, 4) : nil
    case .rows: nil
    }
  }

  /// The cards that are at least partly visible.
  package var visible: Range<Int> {
    let first = firstIndex { text(of: $0).row + text(of: $0).rows > 0 }
    return first..<max(first, firstIndex { text(of: $0).row >= visibleRows })
  }

  /// The number of cards after the last completely visible one.
  package var more: Int {
    guard let last = visible.last else { return 0 }
    let text = text(of: last)
    return count - last - (text.row + text.rows > visibleRows ? 0 : 1)
  }

  /// Whether all cards are completely visible.
  package var showsAll: Bool { scroll == 0 && more == 0 }

  /// Returns the first index that satisfies a predicate, by binary search. If a card satisfies the predicate, all cards
  /// after it must satisfy it too.
  private func firstIndex(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the card at a row, or `nil` for an empty row.
  package func index(atRow row: Int) -> Int? {
    visible.first { index in
      let text = text(of: index)
      let frame = layout == .cards || index == chosen ? frame(of: index) : nil
      return row >= (frame?.row ?? text.row) && row < (frame.map { $0.row + $0.rows - 1 } ?? text.row + text.rows)
    }
  }
}
