/// A list with a selected entry: the selection, the scroll offset, and the rows of the entries.
///
/// Rows are counted from the first visible row of the list. A screen calls ``layOut(_:count:height:rowsAbove:)`` after
/// each change of the entries, the selection or the size. The list then scrolls only as far as needed to show the
/// selected entry.
package struct SelectionList: Hashable, Sendable {
  /// The heights of the entries.
  package struct Form: Hashable, Sendable {
    /// The number of rows from one entry to the next, if neither is selected.
    package var rowsEach: Int
    /// The number of these rows that separate the texts of two entries. The frames of adjacent entries share them.
    package var gap: Int
    /// The number of rows that the frame of the selected entry adds above its text, and again below.
    package var frameRows: Int
    /// The number of additional rows of the selected entry's text.
    package var moreOfChosen: Int
    /// The number of blank rows above the first entry.
    package var spacing: Int
    /// The number of rows that headings take above entries, by the index of the entry.
    package var headings: [Int: Int]
    /// The number of rows of other content below the entries. It scrolls with them.
    package var rowsBelow: Int
    /// Whether the last row shows the number of further entries.
    package var countsMore: Bool
    /// Whether no entry is cut by the top of the list.
    package var beginsWithWholeEntry: Bool

    package init(
      rowsEach: Int = 1, gap: Int = 0, frameRows: Int = 0, moreOfChosen: Int = 0, spacing: Int = 0,
      headings: [Int: Int] = [:], rowsBelow: Int = 0, countsMore: Bool = false, beginsWithWholeEntry: Bool = false
    ) {
      (self.rowsEach, self.gap, self.frameRows, self.moreOfChosen) = (rowsEach, gap, frameRows, moreOfChosen)
      (self.spacing, self.headings, self.rowsBelow) = (spacing, headings, rowsBelow)
      (self.countsMore, self.beginsWithWholeEntry) = (countsMore, beginsWithWholeEntry)
    }
  }

  package private(set) var form = Form()
  package private(set) var count = 0
  /// The number of rows of the list on screen.
  package private(set) var height = 1
  /// The index of the selected entry, or -1 if no entry is selected.
  package var chosen: Int
  /// The number of rows that are scrolled out above.
  package private(set) var scroll = 0

  /// Creates a list that is not scrolled.
  package init(chosen: Int = 0) {
    self.chosen = chosen
  }

  // MARK: - Selection and scrolling

  /// Lays out the list. The scroll offset changes only as far as needed to show the selected entry.
  ///
  /// - Parameter rowsAbove: The number of rows above the selected entry that are shown too, if there is space. `nil` for
  ///   the last row of its heading.
  package mutating func layOut(_ form: Form, count: Int, height: Int, rowsAbove: Int? = nil) {
    (self.form, self.count, self.height) = (form, count, max(1, height))
    chosen = min(chosen, max(0, count - 1))
    scroll(by: 0)
    guard (0..<count).contains(chosen) else { return }
    let text = text(of: chosen)
    let rows = frame(of: chosen) ?? text
    let first = rows.lowerBound - (rowsAbove ?? min(1, form.headings[chosen, default: 0]))
    let hasMoreRow = form.countsMore && height > 3 && chosen < count - 1 && endOfText + scroll > height
    let visibleRows = hasMoreRow ? height - 1 : height
    let (top, least, most) = (scroll + rows.lowerBound, scroll + rows.upperBound - visibleRows, scroll + first)
    scroll = min(max(min(scroll, chosen == 0 ? 0 : most), least), top)
    if form.beginsWithWholeEntry { scroll = (scroll + form.rowsEach - 1) / form.rowsEach * form.rowsEach }
  }

  /// Selects an entry or, if it cannot be selected, the nearest one, preferably in the direction of the motion.
  package mutating func choose(_ index: Int, where isSelectable: (Int) -> Bool = { _ in true }) {
    guard count > 0 else { return }
    let target = max(0, min(index, count - 1))
    let (above, below) = ((0...target).last(where: isSelectable), (target..<count).first(where: isSelectable))
    chosen = (index < chosen ? above ?? below : below ?? above) ?? chosen
  }

  /// Follows the selected entry to another index, after entries above it were added or removed. It keeps its row.
  package mutating func follow(to index: Int) {
    scroll += form.rowsEach * (index - chosen)
    chosen = index
  }

  /// Scrolls without changing the selection.
  package mutating func scroll(by rows: Int) { scroll = max(0, min(lastScroll, scroll + rows)) }

  // MARK: - Rows

  /// Returns the rows of an entry's text.
  package func text(of index: Int) -> Range<Int> {
    let headingRows = form.headings.reduce(0) { $1.key <= index ? $0 + $1.value : $0 }
    let isChosen = index == chosen
    let rowsOfChosen =
      chosen < 0 || index < chosen ? 0 : isChosen ? form.frameRows : 2 * form.frameRows + form.moreOfChosen
    let top = form.spacing + form.gap + form.rowsEach * index + headingRows + rowsOfChosen - scroll
    return top..<top + form.rowsEach - form.gap + (isChosen ? form.moreOfChosen : 0)
  }

  /// Returns the rows of the frame around an entry, or `nil` if it has none.
  package func frame(of index: Int) -> Range<Int>? {
    let edge = index == chosen ? max(form.gap, form.frameRows) : form.gap
    guard edge > 0, (0..<count).contains(index) else { return nil }
    let text = text(of: index)
    return text.lowerBound - edge..<text.upperBound + edge
  }

  private var endOfText: Int { text(of: count - 1).upperBound }

  /// The number of rows of all entries.
  package var contentHeight: Int {
    scroll + endOfText + form.gap + (count > 0 && chosen == count - 1 ? form.frameRows : 0)
  }

  /// The largest scroll offset.
  package var lastScroll: Int { max(0, contentHeight + form.rowsBelow - height) }

  /// Whether the last row shows the number of further entries. Lists of at most three rows use every row for entries.
  package var hasMoreRow: Bool { form.countsMore && height > 3 && endOfText > height }

  private var visibleRows: Int { hasMoreRow ? height - 1 : height }

  /// The entries that are at least partly visible.
  package var visible: Range<Int> {
    let first = firstIndex { text(of: $0).upperBound > 0 }
    return first..<max(first, firstIndex { text(of: $0).lowerBound >= visibleRows })
  }

  /// The number of entries after the last completely visible one.
  package var more: Int { count - firstIndex { text(of: $0).upperBound > visibleRows } }

  /// Whether all entries are completely visible.
  package var showsAll: Bool { scroll == 0 && more == 0 }

  /// Returns the first index that satisfies a predicate, by binary search. If an entry satisfies the predicate, all
  /// entries after it must satisfy it too.
  private func firstIndex(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: - Input

  /// Returns the entry whose text, or the upper edge of whose frame, is in a row.
  package func index(atRow row: Int) -> Int? {
    guard (0..<visibleRows).contains(row) else { return nil }
    return visible.first { index in
      let text = text(of: index)
      return ((frame(of: index) ?? text).lowerBound..<text.upperBound).contains(row)
    }
  }

  /// Returns the index to which a command moves the selection. It can be beyond the ends of the list. Returns `nil` if
  /// the command does not move the selection.
  package func target(of command: Command) -> Int? { command.target(from: chosen, visible: visible.count) }
}

extension Command {
  /// Returns the position to which a command moves in a list or in a text. It can be beyond the ends. Returns `nil` if
  /// the command does not move.
  ///
  /// - Parameters:
  ///   - visible: The number of visible entries or lines.
  ///   - page: The number of entries or lines of a page. If `nil`, one of the visible ones remains visible.
  package func target(from position: Int, visible: Int, page: Int? = nil) -> Int? {
    switch self {
    case .chooseNext: position + 1
    case .choosePrevious: position - 1
    case .pageDown: position + (page ?? max(1, visible - 1))
    case .pageBack: position - (page ?? max(1, visible - 1))
    case .halfPageDown: position + max(1, visible / 2)
    case .halfPageUp: position - max(1, visible / 2)
    case .chooseFirst: -Self.unlimited
    case .chooseLast: Self.unlimited
    default: nil
    }
  }

  /// A number that is larger than the number of entries of any list. The sum of two of them does not overflow.
  private static let unlimited = Int.max / 4

  /// Whether the command moves by one entry or line.
  package var isSingleStep: Bool { self == .chooseNext || self == .choosePrevious }
}

/// The appearance of a page that lists places.
package enum CardListLayout: String, CaseIterable, Hashable, Sendable {
  /// Each place takes three rows.
  case cards
  /// Each place takes one row. The selected one is expanded.
  case list
  /// Each place takes one row and has no frame, for small terminals.
  case rows

  package var form: SelectionList.Form {
    switch self {
    case .cards: SelectionList.Form(rowsEach: 3, gap: 1, countsMore: true, beginsWithWholeEntry: true)
    case .list: SelectionList.Form(frameRows: 1, moreOfChosen: 1, spacing: 1, countsMore: true)
    case .rows: SelectionList.Form(countsMore: true)
    }
  }

  /// Returns whether all places fit in the layout `cards`.
  package static func fitsCards(count: Int, height: Int) -> Bool { 3 * count + 1 <= height }
}
