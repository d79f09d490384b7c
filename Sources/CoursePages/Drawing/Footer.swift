package import LearningModel
package import TextCanvas

/// What the last two rows say: the next step, and the keys that may be pressed.
package struct Footer: Hashable {
  package var hint: Hint
  package var keys: [KeyHint] = []
  package var selectedTab = 0
  /// Whether something lies over the page, and maybe over the row with the next step.
  package var isCovered = false
  /// Whether digits lead to the tabs; where they mean something else the tabs are not numbered.
  package var numbersTabs = true
  /// The page that they speak of.
  package var place = Place.root
  /// Whether the end of the text above is not in view: the next step is drawn quietly then.
  package var followsText = false

  /// Whether somebody writes in the next step's row: it is seen also where there is no row for it.
  package var isPrompt = false

  package init(hint: Hint = Hint(key: "", text: "", detail: "")) {
    self.hint = hint
  }

  /// The next step: its key, where it leads, and why.
  package struct Hint: Hashable {
    package var key: String
    package var text: String
    package var detail: String
    /// What is said in place of the detail where the text would be cut otherwise; where it is empty, the detail stays.
    package var shortDetail: String
    /// What a small terminal has room for of the detail.
    package var brief: String
    /// What is said in place of the text where that does not fit.
    package var shortText: String

    package init(
      key: String, text: String, detail: String, shortDetail: String = "", brief: String = "", shortText: String = ""
    ) {
      self.key = key
      self.text = text
      self.detail = detail
      self.shortDetail = shortDetail
      self.brief = brief
      self.shortText = shortText
    }
  }
}

/// A key and what it does, as the last row shows it.
package struct KeyHint: Hashable {
  /// What is pressed; two keys that belong together with a blank between them.
  package var key: String
  package var does: String
  /// The higher, the sooner it gives way where there is no room for all.
  package var rank: Int

  package init(_ key: String, _ does: String, rank: Int = 0) {
    self.key = key
    self.does = does
    self.rank = rank
  }

  /// Columns that it takes.
  package var width: Int { (key + " " + does).displayWidth }
}

/// The last row: as many keys as fit at its left end, the tabs at its right end, and where each of them stands.
package struct FooterRow {
  /// Something in the row that can be clicked.
  package enum Part: Hashable {
    case key(KeyHint)
    case tab(Int)
  }

  package private(set) var surface: Surface
  /// The columns of each part, from the row's first.
  package private(set) var parts: [(part: Part, columns: Range<Int>)] = []

  /// Columns of the row: the bracket of the last tab stands in the margin, so that its words end where all text ends.
  package static func width(_ metrics: PageMetrics) -> Int { metrics.textWidth + (metrics.isNarrow ? 0 : 1) }

  package init(_ footer: Footer, metrics: PageMetrics, look: Appearance) {
    let theme = look.theme
    let width = Self.width(metrics)
    var tabs = StyledText()
    var tabColumns: [Range<Int>] = []
    if !metrics.isNarrow {
      for (index, name) in ["Learn", "Find", "History"].enumerated() {
        let words = footer.numbersTabs ? "\(index + 1) \(name)" : name
        let isSelected = index == footer.selectedTab
        let start = tabs.displayWidth
        tabs.append(
          isSelected ? "[\(words)]" : " \(words) ", style: isSelected ? theme.bold(.accent) : theme[.quiet])
        tabColumns.append(start..<tabs.displayWidth)
      }
    }
    let tabsStart = width - tabs.displayWidth
    let gap = metrics.isNarrow ? "  " : "   "
    var text = StyledText()
    let room = tabs.runs.isEmpty ? width : tabsStart - Self.gapBeforeTabs(footer, metrics)
    for hint in Self.fitting(footer.keys, in: room, gap: gap.displayWidth) {
      if !text.runs.isEmpty { text.append(gap) }
      let start = text.displayWidth
      text.append(hint.key, style: theme[.accent])
      text.append(" " + hint.does, style: theme[.quiet])
      parts += Self.parts(of: hint, from: start)
    }
    parts += tabColumns.enumerated().map {
      (.tab($0.offset), $0.element.lowerBound + tabsStart..<$0.element.upperBound + tabsStart)
    }
    surface = Surface(columns: width, rows: 1)
    surface.draw(StyledLine(text.runs), at: .zero)
    surface.draw(StyledLine(tabs.runs), at: CellPoint(column: tabsStart, row: 0))
  }

  /// Columns between the keys and the tabs: where there is room, so many that a glance tells them apart.
  private static func gapBeforeTabs(_ footer: Footer, _ metrics: PageMetrics) -> Int {
    metrics.width > 80 ? 4 : footer.numbersTabs ? 1 : 3
  }

  /// The keys that there is room for, in their order: those of a low rank before those of a higher one.
  private static func fitting(_ keys: [KeyHint], in room: Int, gap: Int) -> [KeyHint] {
    var (chosen, end) = (Set<Int>(), -gap)
    for index in keys.indices.sorted(by: { (keys[$0].rank, $0) < (keys[$1].rank, $1) })
    where end + gap + keys[index].width <= room {
      chosen.insert(index)
      end += gap + keys[index].width
    }
    return chosen.sorted().map { keys[$0] }
  }

  /// What can be clicked of a key: of two that belong together each by itself, the last with its words.
  private static func parts(of hint: KeyHint, from start: Int) -> [(part: Part, columns: Range<Int>)] {
    let keys = hint.key.split(separator: " ").map(String.init)
    var (parts, column): ([(part: Part, columns: Range<Int>)], Int) = ([], start)
    for (number, key) in keys.enumerated() {
      let end = number == keys.count - 1 ? start + hint.width : column + key.displayWidth
      parts.append((.key(KeyHint(key, hint.does, rank: hint.rank)), column..<end))
      column = end + 1
    }
    return parts
  }

  /// What stands at a column; `nil` where nothing does.
  package func part(at column: Int) -> Part? { parts.first { $0.columns.contains(column) }?.part }
}
