extension StyledLine {
  /// A piece of this line in at most so many columns, with an ellipsis at each end where something was cut.
  ///
  /// What stands in the given columns is in view, with about as much of what is before it as of what is behind, and
  /// begins with a whole word where one begins near. Where it is wider than there is room, its beginning is in view. The
  /// beginning of the line is kept as long as that leaves something in view of what is behind the columns.
  ///
  /// - Parameters:
  ///   - width: Columns; for 0 and less the result is empty.
  ///   - columns: What is to be in view, in columns of this line; an empty range for its beginning.
  ///   - ellipsis: What stands for what was cut.
  public func window(_ width: Int, around columns: Range<Int>, ellipsis: String = "…") -> StyledLine {
    guard displayWidth > width else { return self }
    let mark = min(ellipsis.displayWidth, max(0, width - 1))
    let wanted = columns.count
    // Some of what follows belongs to what is to be in view.
    let behind = min(12, max(0, (width - 2 * mark - wanted) / 2))
    guard columns.upperBound + behind > width - mark else { return truncated(to: width, ellipsis: ellipsis) }

    let cells = columnsOfClusters
    let lead = max(0, (width - 2 * mark - wanted) / 2)
    // As far to the right as the line still fills the width.
    let latest = displayWidth - (width - mark)
    let earliest = max(0, min(columns.lowerBound - lead, max(0, latest)))
    let starts = cells.indices.filter { cells[$0].column >= earliest && cells[$0].column <= columns.lowerBound }
    let word = starts.first { $0 > 0 && cells[$0 - 1].isBlank && !cells[$0].isBlank }
    guard let first = word ?? starts.first(where: { !cells[$0].isBlank }) ?? starts.first, first > 0 else {
      return truncated(to: width, ellipsis: ellipsis)
    }
    let start = cells[first]
    var line = StyledLine()
    if mark == ellipsis.displayWidth { line.append(ellipsis[...], style: runs[cells[first - 1].run].style) }
    for run in runs.indices.dropFirst(start.run) {
      let text = runs[run].text
      line.append(run == start.run ? text[start.place...] : text[...], style: runs[run].style)
    }
    return line.truncated(to: width, ellipsis: ellipsis)
  }

  /// Where each cluster stands: its column, and its place in a run.
  private var columnsOfClusters: [(column: Int, run: Int, place: String.Index, isBlank: Bool)] {
    var cells: [(column: Int, run: Int, place: String.Index, isBlank: Bool)] = []
    var column = indent
    for (index, run) in runs.enumerated() {
      for cluster in Clusters(run.text) {
        cells.append((column, index, cluster.start, run.text.unicodeScalars[cluster.start] == " "))
        column += cluster.width
      }
    }
    return cells
  }
}
