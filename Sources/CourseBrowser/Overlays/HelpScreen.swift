import CoursePages
import TextCanvas

/// The list of all keys and what they do, generated from the key bindings.
@MainActor final class HelpScreen: SheetScreen {
  /// The number of columns for the keys, and the number for their descriptions.
  private static let keysWidth = 13
  private static let descriptionWidth = 21
  private static let gap = 2
  /// The maximum number of lines that may remain below the visible ones if blank lines are omitted. If more would
  /// remain, the blank lines are kept.
  private static let maximumHiddenRows = 3

  private let keysOfPage: () -> [KeyHint]

  /// Creates the overlay.
  ///
  /// - Parameter keysOfPage: Returns the keys of the page below.
  init(context: ScreenContext, source: @escaping () -> CellRect, keysOfPage: @escaping () -> [KeyHint]) {
    self.keysOfPage = keysOfPage
    super.init(title: "Keys", context: context, source: source)
  }

  override var ownCommand: Command { .help }
  override var topRight: String {
    guard metrics.textWidth >= 36 else { return "" }
    let label = context.bindings.row(of: .showPalette)?.keys.first?.label(context.appearance.symbols)
    return label.map { "\($0) does any of this by name" } ?? ""
  }

  override func text(width: Int) -> [StyledLine] {
    let pageLines = linesForPage(width: width)
    let firstLines = pageLines + linesByName(width: width)
    let lines = (firstLines.isEmpty ? [] : firstLines + [StyledLine()]) + linesForAllCommands(width: width)
    // Blank lines are omitted if, without them, all lines or nearly all lines fit.
    let tightLines = firstLines + linesForAllCommands(width: width, isTight: true)
    let availableRows = metrics.keysRow - 1 - titleRows.rows - 3
    return lines.count > availableRows && tightLines.count <= availableRows + Self.maximumHiddenRows
      ? tightLines : lines
  }

  /// The lines about the keys of the page below.
  private func linesForPage(width: Int) -> [StyledLine] {
    let theme = drawing.theme
    var hints = keysOfPage()
    // Keys that work on every page are listed further down.
    let everywhere = [Command.help, .quit].compactMap { context.label(of: $0) }
    hints.removeAll { everywhere.contains($0.key) }
    guard !hints.isEmpty else { return [] }
    let title = "Here"
    var rows = [StyledText(title, style: theme.bold(.strong))]
    for hint in hints {
      if rows[rows.count - 1].displayWidth + 3 + hint.width > width {
        rows.append(StyledText(String(repeating: " ", count: title.displayWidth)))
      }
      rows[rows.count - 1].append("   ")
      rows[rows.count - 1].append(hint.key, style: theme[.key])
      rows[rows.count - 1].append(" " + hint.explanation, style: theme[.foreground])
    }
    return rows.map { StyledLine($0.runs) }
  }

  /// The lines about the commands without a key, which the palette performs by name.
  private func linesByName(width: Int) -> [StyledLine] {
    let names = context.bindings.rows.filter(\.keys.isEmpty).map(\.name)
    guard !names.isEmpty, let key = context.label(of: .showPalette) else { return [] }
    var line = StyledText(key + " ", style: drawing.theme[.key])
    line.append(names.joined(separator: ", "), style: drawing.theme[.foreground])
    return line.wrapped(to: width, hangingIndent: key.displayWidth + 1)
  }

  /// Returns the lines of all groups.
  ///
  /// - Parameter isTight: Whether blank lines between groups are omitted.
  private func linesForAllCommands(width: Int, isTight: Bool = false) -> [StyledLine] {
    let column = Self.keysWidth + Self.gap + Self.descriptionWidth
    guard width >= column else {
      return Array(
        KeyBindings.Group.allCases.map { narrowLines(of: $0, width: width) }.joined(separator: [StyledLine()]))
    }
    let groups = KeyBindings.Group.allCases
    guard width >= 2 * column + Self.gap else { return lines(of: groups[...], isTight: isTight) }
    // The groups are set in two columns, with half of the groups in each.
    let leftLines = lines(of: groups[..<(groups.count / 2)], isTight: isTight)
    let rightLines = lines(of: groups[(groups.count / 2)...], isTight: isTight)
    // The second column starts in the middle, or further right if the first column needs more space. It ends within the
    // text width.
    let rightColumn = min(max(width / 2, column + 3 * Self.gap), width - (rightLines.map(\.displayWidth).max() ?? 0))
    return (0..<max(leftLines.count, rightLines.count)).map { row in
      var line = StyledText(row < leftLines.count ? leftLines[row].runs : [])
      line.append(String(repeating: " ", count: rightColumn - line.displayWidth))
      line.append(StyledText(row < rightLines.count ? rightLines[row].runs : []))
      return StyledLine(line.runs)
    }
  }

  /// Returns the lines of several groups, one group below the other, with all descriptions in one column.
  private func lines(of groups: ArraySlice<KeyBindings.Group>, isTight: Bool) -> [StyledLine] {
    let groupRows = groups.map { ($0, grouped(rows(of: $0))) }
    let keysWidth = groupRows.flatMap(\.1).map(\.keys.displayWidth).max() ?? 0
    return Array(
      groupRows.map { lines(of: $0, $1, keysWidth: keysWidth) }.joined(separator: isTight ? [] : [StyledLine()]))
  }

  private func lines(of group: KeyBindings.Group, _ rows: [Row], keysWidth: Int) -> [StyledLine] {
    let theme = drawing.theme
    return [StyledLine(group.rawValue, style: theme.bold(.strong))]
      + rows.map { row in
        var line = StyledText(row.keys, style: theme[.key])
        line.append(String(repeating: " ", count: keysWidth + Self.gap - line.displayWidth))
        line.append(row.actionText, style: theme[.foreground])
        return StyledLine(line.runs)
      }
  }

  private struct Row {
    var keys: String
    var actionText: String
  }

  /// Commands that share a row, with the description of the row. If the description is `nil`, the descriptions of the
  /// commands are joined. Shared rows make it possible to show all keys in 24 rows.
  private static let commandGroups: [(commands: [Command], does: String?)] = [
    ([.choosePrevious, .chooseNext], "the one above, below"), ([.up, .leave], "up; deselect, close"),
    ([.chooseFirst, .chooseLast], "the first, the last"),
    ([.next, .previous, .previousMatch], "next, before; matches"), ([.back, .forward], "where you were; again"),
    ([.showPalette, .headings], "go by name; headings"),
    ([.toggleBookmark, .showBookmarks], "mark; what you marked"), ([.tab(0), .tab(1), .tab(2)], nil),
    ([.nextTab, .previousTab], "the next tab, or link"), ([.pageDown, .pageBack], "a page down, back"),
    ([.halfPageDown, .halfPageUp], "half a page down, up"), ([.toggleDone, .restart], "done; once more"),
    ([.previousBlock, .nextBlock, .wrap], "choose a block, wrap"),
    ([.note, .highlight, .notes], "note, highlight, list"),
    ([.layout, .wider, .narrower], "cards or rows; width"),
    ([.help, .quit], "every key; leave"),
  ]

  private func grouped(_ rows: [KeyBindings.Row]) -> [Row] {
    var listed: Set<Command> = []
    return rows.compactMap { row in
      guard !listed.contains(row.command) else { return nil }
      let group = Self.commandGroups.first { $0.commands.contains(row.command) }
      let sharedRows = group.map { group in rows.filter { group.commands.contains($0.command) } } ?? [row]
      guard sharedRows.count > 1 else { return Row(keys: keys(of: row), actionText: row.explanation) }
      listed.formUnion(sharedRows.map(\.command))
      return Row(
        keys: keys(of: sharedRows), actionText: group?.does ?? sharedRows.map(\.explanation).joined(separator: ", "))
    }
  }

  /// Returns the lines for a terminal that is too narrow for columns: the first key, followed by its description.
  private func narrowLines(of group: KeyBindings.Group, width: Int) -> [StyledLine] {
    let theme = drawing.theme
    return [StyledLine(group.rawValue, style: theme.bold(.strong))]
      + rows(of: group).flatMap { row in
        var line = StyledText(row.keys[0].label(context.appearance.symbols), style: theme[.key])
        line.append("  " + row.explanation, style: theme[.foreground])
        return line.wrapped(to: width, hangingIndent: 2)
      }
  }

  private func rows(of group: KeyBindings.Group) -> [KeyBindings.Row] {
    context.bindings.rows.filter { $0.group == group && !$0.keys.isEmpty }
  }

  /// Returns the keys of a row: the first key, and as many of the others as fit.
  private func keys(of row: KeyBindings.Row) -> String {
    let symbols = context.appearance.symbols
    let labels = row.keys.map { $0.label(symbols) }
    let first = labels[0].truncated(to: Self.keysWidth, ellipsis: symbols.ellipsis)
    return labels.dropFirst().reduce(first) { text, label in
      (text + " " + label).displayWidth <= Self.keysWidth ? text + " " + label : text
    }
  }

  /// Returns the keys of several rows: the first key of every command, then the second key of every command if all of
  /// them fit, and so on.
  private func keys(of rows: [KeyBindings.Row]) -> String {
    let labels = rows.map { $0.keys.map { $0.label(context.appearance.symbols) } }
    var text = labels.map { $0[0] }.joined(separator: " ")
    for rank in 1..<max(2, labels.map(\.count).min() ?? 0) {
      let longer = ([text] + labels.compactMap { $0.indices.contains(rank) ? $0[rank] : nil }).joined(separator: " ")
      guard labels.allSatisfy({ $0.indices.contains(rank) }), longer.displayWidth <= Self.keysWidth else { break }
      text = longer
    }
    return text.truncated(to: Self.keysWidth, ellipsis: context.appearance.symbols.ellipsis)
  }
}
