import CoursePages
import TextCanvas

/// Every key and what it does, as the table of keys has it: so the help can never say anything else than the keys do.
@MainActor final class HelpScreen: SheetScreen {
  /// Columns for the keys, and for what they do.
  private static let keysWidth = 13
  private static let doesWidth = 21
  private static let gap = 2

  override var ownCommand: Command { .help }
  override var topRight: String {
    guard metrics.textWidth >= 36 else { return "" }
    let label = shell.bindings.row(of: .goTo)?.keys.first?.label(shell.appearance.symbols)
    return label.map { "\($0) does any of this by name" } ?? ""
  }

  override func text(width: Int) -> [StyledLine] {
    let here = linesOfHere(width: width)
    return (here.isEmpty ? [] : here + [StyledLine()]) + linesOfAll(width: width)
  }

  /// What can be pressed on the page that it lies on, in as many columns as there is room for.
  private func linesOfHere(width: Int) -> [StyledLine] {
    let theme = drawing.theme
    var hints = shell.keysHere
    if shell.hasPanes, let key = shell.label(of: .otherPane) { hints.append(KeyHint(key, "beside")) }
    guard !hints.isEmpty else { return [] }
    let widest = hints.map(\.width).max() ?? 0
    let columns = max(1, (width + Self.gap) / (widest + 2 * Self.gap))
    let rows = stride(from: 0, to: hints.count, by: columns).map { first in
      var line = StyledText()
      for (number, hint) in hints[first..<min(hints.count, first + columns)].enumerated() {
        line.append(String(repeating: " ", count: number * (widest + 2 * Self.gap) - line.displayWidth))
        line.append(hint.key, style: theme[.accent])
        line.append(" " + hint.does, style: theme[.ink])
      }
      return StyledLine(line.runs)
    }
    return [StyledLine("Here", style: theme.bold(.strong))] + rows
  }

  private func linesOfAll(width: Int) -> [StyledLine] {
    let column = Self.keysWidth + Self.gap + Self.doesWidth
    guard width >= column else {
      return Array(
        KeyBindings.Group.allCases.map { narrowLines(of: $0, width: width) }.joined(separator: [StyledLine()]))
    }
    let groups = KeyBindings.Group.allCases
    guard width >= 2 * column + Self.gap else { return lines(of: groups[...]) }
    // Two columns: the first half of the groups stands beside the second.
    let left = lines(of: groups[..<(groups.count / 2)])
    let right = lines(of: groups[(groups.count / 2)...])
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
  private func lines(of groups: ArraySlice<KeyBindings.Group>) -> [StyledLine] {
    let keysWidth = groups.flatMap { withSomeInOne(rows(of: $0)) }.map { keys(of: $0).displayWidth }.max() ?? 0
    return Array(groups.map { lines(of: $0, keysWidth: keysWidth) }.joined(separator: [StyledLine()]))
  }

  private func lines(of group: KeyBindings.Group, keysWidth: Int) -> [StyledLine] {
    let theme = drawing.theme
    return [StyledLine(group.rawValue, style: theme.bold(.strong))]
      + withSomeInOne(rows(of: group)).map { row in
        var line = StyledText(keys(of: row), style: theme[.accent])
        line.append(String(repeating: " ", count: keysWidth + Self.gap - line.displayWidth))
        line.append(row.does, style: theme[.ink])
        return StyledLine(line.runs)
      }
  }

  /// Commands that share a row, each with its first key, and what that says; nothing for what each of them does. That
  /// saves rows for other keys.
  private static let inOneRow: [(commands: [Command], does: String?)] = [
    ([.tab(0), .tab(1), .tab(2)], nil), ([.nextTab, .previousTab], "the next tab, or link"),
    ([.previousBlock, .nextBlock, .wrap], "choose a block, wrap"),
  ]

  private func withSomeInOne(_ rows: [KeyBindings.Row]) -> [KeyBindings.Row] {
    var rows = rows
    for (commands, does) in Self.inOneRow {
      let some = rows.filter { commands.contains($0.command) }
      guard some.count > 1, let first = rows.firstIndex(of: some[0]) else { continue }
      var one = some[0]
      one.keys = some.map { $0.keys[0] }
      one.does = does ?? some.map(\.does).joined(separator: ", ")
      rows = rows.filter { !some.contains($0) }
      rows.insert(one, at: first)
    }
    return rows
  }

  /// Where there is no room for two columns: the first key, and right behind it what it does.
  private func narrowLines(of group: KeyBindings.Group, width: Int) -> [StyledLine] {
    let theme = drawing.theme
    return [StyledLine(group.rawValue, style: theme.bold(.strong))]
      + rows(of: group).flatMap { row in
        var line = StyledText(row.keys[0].label(shell.appearance.symbols), style: theme[.accent])
        line.append("  " + row.does, style: theme[.ink])
        return line.wrapped(to: width, hangingIndent: 2)
      }
  }

  private func rows(of group: KeyBindings.Group) -> [KeyBindings.Row] {
    shell.bindings.rows.filter { $0.group == group && !$0.keys.isEmpty }
  }

  /// As many of its keys as there is room for, and always the first.
  private func keys(of row: KeyBindings.Row) -> String {
    let symbols = shell.appearance.symbols
    let labels = row.keys.map { $0.label(symbols) }
    let first = labels[0].truncated(to: Self.keysWidth, ellipsis: symbols.ellipsis)
    return labels.dropFirst().reduce(first) { text, label in
      (text + " " + label).displayWidth <= Self.keysWidth ? text + " " + label : text
    }
  }
}
