import CoursePages
import TextCanvas

/// The chosen entry as a whole, in a list whose entries may be longer than a row.
extension PromptScreen {
  /// The rows of the chosen entry; `nil` where one holds all its words, or has to.
  var chosenRows: [Surface]? {
    guard let entry = chosenEntry, let lines = lines(of: entry) else { return nil }
    let (theme, marker) = (drawing.theme, shell.appearance.symbols.marker)
    return lines.enumerated().map { number, line in
      var left = StyledText(number == 0 ? marker + " " : "  ", style: theme.bold(role))
      left.append(StyledText(line.runs))
      let right = number == 0 && !metrics.isNarrow ? entry.topRight : ""
      return drawing.lines.row(
        left, StyledText(right, style: theme[.quiet]), indent: PageDrawing.markColumns, width: metrics.textWidth)
    }
  }

  /// Rows beyond one that any entry has where it is chosen: they are kept, so that the list stays as high as it is.
  var spareRows: Int { (entries.compactMap { lines(of: $0)?.count }.max() ?? 1) - 1 }

  /// The words of an entry that has no room in one row: all of its name, and below it what is said of it. Where there are
  /// few columns, what else stands at the right end comes last.
  private func lines(of entry: Entry) -> [StyledLine]? {
    guard mostChosenRows > 1 else { return nil }
    let (theme, room) = (drawing.theme, metrics.textWidth - PageDrawing.markColumns)
    let right = entry.topRight.isEmpty ? 0 : entry.topRight.displayWidth + 2
    let detail = entry.detail.isEmpty ? 0 : entry.detail.displayWidth + 2
    guard entry.name.displayWidth + detail + right > room else { return nil }
    let words = StyledText(entry.name, style: theme.bold(role)).wrapped(
      to: max(1, metrics.isNarrow ? room : room - right))
    let below = [entry.detail, metrics.isNarrow ? entry.topRight : ""].filter { !$0.isEmpty }
      .flatMap { StyledText($0, style: theme[.quiet]).wrapped(to: max(1, room)) }
    var lines = Array((words + below).prefix(max(1, min(mostChosenRows, greatestHeight - 1))))
    if let last = lines.last, lines.count < words.count + below.count {
      let more = StyledRun(drawing.symbols.ellipsis, style: last.runs.last?.style ?? .plain)
      lines[lines.count - 1] = StyledLine(
        last.truncated(to: room - 1, ellipsis: "").runs + [more])
    }
    return lines
  }

  /// The number of the entry in a row of the list.
  func entry(inRow row: Int) -> Int {
    let (index, spare) = (scroll + row, (chosenRows?.count ?? 1) - 1)
    return index <= chosen || chosen < scroll ? index : max(chosen, index - spare)
  }
}
