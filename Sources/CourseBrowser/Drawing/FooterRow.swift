internal import TextCanvas

/// The last row: as many keys as fit at its left end, the tabs at its right end, and where each of them stands.
struct FooterRow {
  /// Something in the row that can be clicked.
  enum Part: Hashable {
    case key(KeyHint)
    case tab(Int)
  }

  private(set) var surface: Surface
  /// The columns of each part, from the row's first.
  private(set) var parts: [(part: Part, columns: Range<Int>)] = []

  /// Columns of the row: the bracket of the last tab stands in the margin, so that its words end where all text ends.
  static func width(_ metrics: PageMetrics) -> Int { metrics.textWidth + (metrics.isSmall ? 0 : 1) }

  init(keys: [KeyHint], selectedTab: Int, metrics: PageMetrics, look: Appearance) {
    let theme = look.theme
    let width = Self.width(metrics)
    var tabs = StyledText()
    var tabColumns: [Range<Int>] = []
    if !metrics.isSmall {
      for (index, name) in ["Learn", "Find", "History"].enumerated() {
        let words = "\(index + 1) \(name)"
        let isSelected = index == selectedTab
        let start = tabs.displayWidth
        tabs.append(
          isSelected ? "[\(words)]" : " \(words) ", style: isSelected ? theme.bold(.accent) : theme[.quiet])
        tabColumns.append(start..<tabs.displayWidth)
      }
    }
    let tabsStart = width - tabs.displayWidth
    let room = tabs.runs.isEmpty ? width : tabsStart - 2
    var text = StyledText()
    for hint in keys {
      let gap = text.runs.isEmpty ? "" : metrics.isSmall ? "  " : "   "
      let start = text.displayWidth + gap.displayWidth
      let end = start + (hint.key + " " + hint.does).displayWidth
      guard end <= room else { continue }
      text.append(gap)
      text.append(hint.key, style: theme[.accent])
      text.append(" " + hint.does, style: theme[.quiet])
      parts.append((.key(hint), start..<end))
    }
    parts += tabColumns.enumerated().map {
      (.tab($0.offset), $0.element.lowerBound + tabsStart..<$0.element.upperBound + tabsStart)
    }
    surface = LineDrawing(theme: theme, symbols: look.symbols).row(text, tabs, width: width)
  }

  /// What stands at a column; `nil` where nothing does.
  func part(at column: Int) -> Part? { parts.first { $0.columns.contains(column) }?.part }
}
