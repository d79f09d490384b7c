package import LearningModel
package import TextCanvas

/// The content of the last two rows of the screen: the suggested next step and the available keys.
package struct Footer: Hashable {
  package var hint: Hint
  package var keys: [KeyHint] = []
  package var selectedTab = 0
  /// The number of due cards, which follows the name of the tab Review.
  package var dueCards = 0
  /// Whether an overlay covers the page, possibly including the row of the hint.
  package var isCovered = false
  /// Whether digits select the tabs. If digits have another meaning, the tabs are shown without numbers.
  package var numbersTabs = true
  /// The place that the hint and the keys belong to.
  package var place = Place.root
  /// Whether the end of the text is still below the visible rows. If `true`, the hint is drawn in a quieter style.
  package var followsText = false

  /// Whether the row of the hint is an input field. An input field is visible even if the layout has no row for hints.
  package var isPrompt = false

  package init(hint: Hint = Hint(text: "", detail: "")) {
    self.hint = hint
  }

  /// The suggested next step: its key, its target and the reason.
  package struct Hint: Hashable {
    /// The command that performs the step, or `nil`.
    package var command: Command?
    package var key: String
    package var text: String
    package var detail: String
    /// Replaces `detail` if `text` would otherwise be truncated. If empty, `detail` is always shown.
    package var shortDetail: String
    /// Replaces `detail` in a small terminal.
    package var brief: String
    /// Replaces `text` if `text` does not fit.
    package var shortText: String

    /// Creates a hint.
    ///
    /// - Parameters:
    ///   - command: The command that performs the step. The screen shows its key.
    ///   - key: The text in place of a key.
    package init(
      _ command: Command? = nil, key: String = "", text: String, detail: String, shortDetail: String = "",
      brief: String = "", shortText: String = ""
    ) {
      (self.command, self.key) = (command, key)
      self.text = text
      self.detail = detail
      self.shortDetail = shortDetail
      self.brief = brief
      self.shortText = shortText
    }
  }
}

/// A key and its action, as shown in the last row.
package struct KeyHint: Hashable {
  /// The key. Two keys of one action are separated by a space.
  package var key: String
  package var explanation: String
  /// The rank. If there is too little space, hints with a higher rank are omitted first.
  package var rank: Int
  /// The command of each key. Empty for the keys of a text field.
  package var commands: [Command]

  package init(_ key: String, _ explanation: String, rank: Int = 0, commands: [Command] = []) {
    (self.key, self.explanation, self.rank, self.commands) = (key, explanation, rank, commands)
  }

  /// The width in columns.
  package var width: Int { (key + " " + explanation).displayWidth }
}

/// The last row of the screen, with the columns of its keys and tabs. It shows as many keys as fit at its left end, and
/// the tabs at its right end.
package struct FooterRow {
  /// An area of the row that can be clicked.
  package enum ClickTarget: Hashable {
    case command(Command)
    case tab(Int)
  }

  package private(set) var surface: Surface
  /// The clickable areas with their columns, counted from the start of the row.
  package private(set) var clickTargets: [(part: ClickTarget, columns: Range<Int>)] = []

  /// Returns the width of the row in columns. The bracket of the last tab is in the margin, so that its name ends at
  /// the right edge of the text.
  package static func width(_ metrics: PageMetrics) -> Int { metrics.textWidth + (metrics.isNarrow ? 0 : 1) }

  package init(_ footer: Footer, metrics: PageMetrics, appearance: Appearance) {
    let theme = appearance.theme
    let width = Self.width(metrics)
    var tabs = StyledText()
    var tabColumns: [Range<Int>] = []
    // A narrow row has space for the numbers only.
    if !metrics.isNarrow || footer.numbersTabs && width >= Self.minimumColumnsForTabs {
      for (index, name) in Self.tabNames.enumerated() {
        let isSelected = index == footer.selectedTab
        let name = name == Self.tabNames.last && footer.dueCards > 0 ? "\(name) \(footer.dueCards)" : name
        let label = metrics.isNarrow ? "\(index + 1)" : footer.numbersTabs ? "\(index + 1) \(name)" : name
        let start = tabs.displayWidth
        if index > 0 { tabs.append(" ") }
        tabs.append(isSelected ? "[\(label)]" : label, style: isSelected ? theme.bold(.accent) : theme[.quiet])
        tabColumns.append(start..<tabs.displayWidth)
      }
      // In a wide row, the bracket of the last name is in the margin.
      if !metrics.isNarrow, footer.selectedTab != Self.tabNames.count - 1 { tabs.append(" ") }
    }
    let tabsStart = width - tabs.displayWidth
    let gap = metrics.width > 80 ? "   " : "  "
    var text = StyledText()
    let availableColumns = tabs.runs.isEmpty ? width : tabsStart - Self.gapBeforeTabs(metrics)
    for hint in Self.fitting(footer.keys, in: availableColumns, gap: gap.displayWidth) {
      if !text.runs.isEmpty { text.append(gap) }
      let start = text.displayWidth
      text.append(hint.key, style: theme[.key])
      text.append(" " + hint.explanation, style: theme[.quiet])
      clickTargets += Self.clickTargets(of: hint, from: start)
    }
    clickTargets += tabColumns.enumerated().map {
      (.tab($0.offset), $0.element.lowerBound + tabsStart..<$0.element.upperBound + tabsStart)
    }
    surface = Surface(columns: width, rows: 1)
    surface.draw(StyledLine(text.runs), at: .zero)
    surface.draw(StyledLine(tabs.runs), at: CellPoint(column: tabsStart, row: 0))
  }

  /// Returns the minimum number of columns between keys and tabs. It is larger in wide terminals.
  private static func gapBeforeTabs(_ metrics: PageMetrics) -> Int {
    metrics.width > 80 ? 4 : metrics.isNarrow ? 1 : 2
  }

  /// The names of the tabs, in their order.
  package static let tabNames = ["Learn", "Find", "History", "Review"]

  /// The minimum width of a narrow row with the numbers of the tabs.
  private static let minimumColumnsForTabs = 36

  /// The maximum number of hints. More would not be read.
  package static let maximumHints = 7

  /// Returns the keys that fit into a width, at most ``maximumHints``, in their given order. Keys with a lower rank are
  /// preferred.
  private static func fitting(_ keys: [KeyHint], in availableColumns: Int, gap: Int) -> [KeyHint] {
    var (chosen, end) = (Set<Int>(), -gap)
    for index in keys.indices.sorted(by: { (keys[$0].rank, $0) < (keys[$1].rank, $1) })
    where chosen.count < maximumHints && end + gap + keys[index].width <= availableColumns {
      chosen.insert(index)
      end += gap + keys[index].width
    }
    return chosen.sorted().map { keys[$0] }
  }

  /// Returns the clickable areas of a hint. Two keys of one action have an area each; the last one includes the
  /// action's text.
  private static func clickTargets(of hint: KeyHint, from start: Int) -> [(part: ClickTarget, columns: Range<Int>)] {
    let keys = hint.key.split(separator: " ").map(String.init)
    guard keys.count == hint.commands.count else { return [] }
    var (targets, column): ([(part: ClickTarget, columns: Range<Int>)], Int) = ([], start)
    for (number, key) in keys.enumerated() {
      let end = number == keys.count - 1 ? start + hint.width : column + key.displayWidth
      targets.append((.command(hint.commands[number]), column..<end))
      column = end + 1
    }
    return targets
  }

  /// Returns the clickable area at a column, or `nil` for an empty column.
  package func clickTarget(at column: Int) -> ClickTarget? { clickTargets.first { $0.columns.contains(column) }?.part }
}
