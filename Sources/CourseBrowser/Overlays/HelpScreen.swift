import CoursePages
import TextCanvas

/// Every key and what it does, as the table of keys has it: so the help can never say anything else than the keys do.
@MainActor final class HelpScreen: SheetScreen {
  /// Columns for the keys, and for what they do.
  private static let keysWidth = 13
  private static let doesWidth = 21
  private static let gap = 2
  /// Rows that may stay below the last that is seen, where blank lines are left out for it.
  private static let mostBelow = 3

  private let keysOfPage: () -> [KeyHint]

  /// - Parameter keysOfPage: Returns the keys of the page below.
  init(context: ScreenContext, source: @escaping () -> CellRect, keysOfPage: @escaping () -> [KeyHint]) {
    self.keysOfPage = keysOfPage
    super.init(title: "Keys", context: context, source: source)
  }

  override var ownCommand: Command { .help }
  override var topRight: String {
    guard metrics.textWidth >= 36 else { return "" }
    let label = context.bindings.row(of: .goTo)?.keys.first?.label(context.appearance.symbols)
    return label.map { "\($0) does any of this by name" } ?? ""
  }

  override func text(width: Int) -> [StyledLine] {
    let here = linesOfHere(width: width)
    let first = here + linesByName(width: width)
    let lines = (first.isEmpty ? [] : first + [StyledLine()]) + linesOfAll(width: width)
    // Without blank lines all of it fits where there would else be a few rows too many, or nearly all.
    let tight = first + linesOfAll(width: width, isTight: true)
    let room = metrics.keysRow - 1 - titleRows.rows - 3
    return lines.count > room && tight.count <= room + Self.mostBelow ? tight : lines
  }

  /// What can be pressed on the page that it lies on.
  private func linesOfHere(width: Int) -> [StyledLine] {
    let theme = drawing.theme
    var hints = keysOfPage()
    // Those for everywhere stand below.
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
      rows[rows.count - 1].append(hint.key, style: theme[.accent])
      rows[rows.count - 1].append(" " + hint.does, style: theme[.ink])
    }
    return rows.map { StyledLine($0.runs) }
  }

  /// The commands that have no key: the palette does them by their names.
  private func linesByName(width: Int) -> [StyledLine] {
    let names = context.bindings.rows.filter(\.keys.isEmpty).map(\.name)
    guard !names.isEmpty, let key = context.label(of: .goTo) else { return [] }
    var words = StyledText(key + " ", style: drawing.theme[.accent])
    words.append(names.joined(separator: ", "), style: drawing.theme[.ink])
    return words.wrapped(to: width, hangingIndent: key.displayWidth + 1)
  }

  /// - Parameter isTight: Whether no blank line stands between groups.
  private func linesOfAll(width: Int, isTight: Bool = false) -> [StyledLine] {
    let column = Self.keysWidth + Self.gap + Self.doesWidth
    guard width >= column else {
      return Array(
        KeyBindings.Group.allCases.map { narrowLines(of: $0, width: width) }.joined(separator: [StyledLine()]))
    }
    let groups = KeyBindings.Group.allCases
    guard width >= 2 * column + Self.gap else { return lines(of: groups[...], isTight: isTight) }
    // Two columns: the first half of the groups stands beside the second.
    let left = lines(of: groups[..<(groups.count / 2)], isTight: isTight)
    let right = lines(of: groups[(groups.count / 2)...], isTight: isTight)
    // The second column begins in the middle, or well away from the first, and ends at the latest where all text ends.
    let rightColumn = min(max(width / 2, column + 3 * Self.gap), width - (right.map(\.displayWidth).max() ?? 0))
    return (0..<max(left.count, right.count)).map { row in
      var line = StyledText(row < left.count ? left[row].runs : [])
      line.append(String(repeating: " ", count: rightColumn - line.displayWidth))
      line.append(StyledText(row < right.count ? right[row].runs : []))
      return StyledLine(line.runs)
    }
  }

  /// Groups below each other, with what their keys do in one column.
  private func lines(of groups: ArraySlice<KeyBindings.Group>, isTight: Bool) -> [StyledLine] {
    let all = groups.map { ($0, grouped(rows(of: $0))) }
    let keysWidth = all.flatMap(\.1).map(\.keys.displayWidth).max() ?? 0
    return Array(
      all.map { lines(of: $0, $1, keysWidth: keysWidth) }.joined(separator: isTight ? [] : [StyledLine()]))
  }

  private func lines(of group: KeyBindings.Group, _ rows: [Row], keysWidth: Int) -> [StyledLine] {
    let theme = drawing.theme
    return [StyledLine(group.rawValue, style: theme.bold(.strong))]
      + rows.map { row in
        var line = StyledText(row.keys, style: theme[.accent])
        line.append(String(repeating: " ", count: keysWidth + Self.gap - line.displayWidth))
        line.append(row.does, style: theme[.ink])
        return StyledLine(line.runs)
      }
  }

  /// A row of the help: keys, and what they do.
  private struct Row {
    var keys: String
    var does: String
  }

  /// Commands that share a row, and what that says; nothing for what each of them does. So all keys fit in 24 rows.
  private static let inOneRow: [(commands: [Command], does: String?)] = [
    ([.choosePrevious, .chooseNext], "the one above, below"), ([.chooseFirst, .chooseLast], "the first, the last"),
    ([.next, .previous, .previousFound], "next, before; matches"), ([.back, .forward], "where you were; again"),
    ([.goTo, .headings], "go by name; headings"),
    ([.mark, .marks], "mark; what you marked"), ([.tab(0), .tab(1), .tab(2)], nil),
    ([.nextTab, .previousTab], "the next tab, or link"), ([.pageDown, .pageBack], "a page down, back"),
    ([.halfPageDown, .halfPageUp], "half a page down, up"), ([.toggleDone, .again], "done; once more"),
    ([.previousBlock, .nextBlock, .wrap], "choose a block, wrap"),
    ([.note, .highlight, .notes], "note, highlight, list"),
    ([.layout, .wider, .narrower], "cards or rows; width"),
    ([.help, .quit], "every key; leave"),
  ]

  private func grouped(_ rows: [KeyBindings.Row]) -> [Row] {
    var seen: Set<Command> = []
    return rows.compactMap { row in
      guard !seen.contains(row.command) else { return nil }
      let shared = Self.inOneRow.first { $0.commands.contains(row.command) }
      let some = shared.map { shared in rows.filter { shared.commands.contains($0.command) } } ?? [row]
      guard some.count > 1 else { return Row(keys: keys(of: row), does: row.does) }
      seen.formUnion(some.map(\.command))
      return Row(keys: keys(of: some), does: shared?.does ?? some.map(\.does).joined(separator: ", "))
    }
  }

  /// Where there is no room for two columns: the first key, and right behind it what it does.
  private func narrowLines(of group: KeyBindings.Group, width: Int) -> [StyledLine] {
    let theme = drawing.theme
    return [StyledLine(group.rawValue, style: theme.bold(.strong))]
      + rows(of: group).flatMap { row in
        var line = StyledText(row.keys[0].label(context.appearance.symbols), style: theme[.accent])
        line.append("  " + row.does, style: theme[.ink])
        return line.wrapped(to: width, hangingIndent: 2)
      }
  }

  private func rows(of group: KeyBindings.Group) -> [KeyBindings.Row] {
    context.bindings.rows.filter { $0.group == group && !$0.keys.isEmpty }
  }

  /// As many of its keys as there is room for, and always the first.
  private func keys(of row: KeyBindings.Row) -> String {
    let symbols = context.appearance.symbols
    let labels = row.keys.map { $0.label(symbols) }
    let first = labels[0].truncated(to: Self.keysWidth, ellipsis: symbols.ellipsis)
    return labels.dropFirst().reduce(first) { text, label in
      (text + " " + label).displayWidth <= Self.keysWidth ? text + " " + label : text
    }
  }

  /// The first key of each command, then the second of each where there is room for them, and so on.
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
