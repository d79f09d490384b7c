/// A piece of text in one style.
public struct StyledRun: Hashable, Sendable {
  /// What it says.
  public var text: String
  /// How it looks.
  public var style: Style

  /// Makes a run.
  public init(_ text: String, style: Style = .plain) {
    self.text = text
    self.style = style
  }
}

/// A text of runs, each in a style of its own, before it is broken into lines. A line feed in it ends a line.
public struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The runs, in order.
  public var runs: [StyledRun]

  /// Makes a text of runs.
  public init(_ runs: [StyledRun] = []) {
    self.runs = runs
  }

  /// Makes a text in one style.
  public init(_ text: String, style: Style = .plain) {
    self.init(text.isEmpty ? [] : [StyledRun(text, style: style)])
  }

  /// Makes a plain text.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// Adds a run, joined to the last one where the style is the same.
  public mutating func append(_ text: String, style: Style = .plain) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += text
    } else {
      runs.append(StyledRun(text, style: style))
    }
  }

  /// Adds another text.
  public mutating func append(_ other: StyledText) {
    for run in other.runs { append(run.text, style: run.style) }
  }

  /// What it says, without styles.
  public var text: String { runs.map(\.text).joined() }

  /// Columns it takes on one line.
  public var displayWidth: Int { runs.reduce(0) { $0 + $1.text.displayWidth } }
}

/// One line of a text, as wide as it is: ready to be drawn.
public struct StyledLine: Hashable, Sendable, ExpressibleByStringLiteral {
  /// Blank columns before its text.
  public var indent: Int
  /// Its runs, in order.
  public var runs: [StyledRun]

  /// Makes a line of runs.
  public init(indent: Int = 0, _ runs: [StyledRun] = []) {
    self.indent = max(0, indent)
    self.runs = runs
  }

  /// Makes a line in one style.
  public init(_ text: String, style: Style = .plain) {
    self.init(text.isEmpty ? [] : [StyledRun(text, style: style)])
  }

  /// Makes a plain line.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// What it says, without styles and indent.
  public var text: String { runs.map(\.text).joined() }

  /// Columns it takes, with its indent.
  public var displayWidth: Int { runs.reduce(indent) { $0 + $1.text.displayWidth } }

  /// Adds a run, joined to the last one where the style is the same.
  mutating func append(_ text: Substring, style: Style) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text.append(contentsOf: text)
    } else {
      runs.append(StyledRun(String(text), style: style))
    }
  }
}

extension Surface {
  /// Writes a line of runs on one row, its text behind its indent.
  ///
  /// - Returns: The columns that the whole line takes, also where it was clipped.
  @discardableResult
  public mutating func draw(_ line: StyledLine, at point: CellPoint, clippedTo clip: CellRect? = nil) -> Int {
    var column = point.column + line.indent
    for run in line.runs {
      column += draw(
        run.text, at: CellPoint(column: column, row: point.row), style: run.style, clippedTo: clip)
    }
    return column - point.column
  }
}

extension StringProtocol {
  /// This text on one line of at most so many columns; where it is longer, it ends in an ellipsis.
  ///
  /// - Parameters:
  ///   - width: Columns; for 0 and less the result is empty.
  ///   - ellipsis: What stands for what was cut.
  public func truncated(to width: Int, ellipsis: String = "…") -> String {
    StyledLine(String(self)).truncated(to: width, ellipsis: ellipsis).text
  }
}

extension StyledLine {
  /// This line in at most so many columns; where it is longer, it ends in an ellipsis in the style of what was cut.
  ///
  /// Blanks before the ellipsis are left out, and a wide character that only half fits is left out as a whole.
  ///
  /// - Parameters:
  ///   - width: Columns; for 0 and less the result is empty.
  ///   - ellipsis: What stands for what was cut; where there is no room for it, it is left out.
  public func truncated(to width: Int, ellipsis: String = "…") -> StyledLine {
    guard displayWidth > width else { return self }
    guard width > indent else { return StyledLine() }
    let ellipsisWidth = ellipsis.displayWidth
    let room = width - (ellipsisWidth <= width - indent ? ellipsisWidth : 0)
    var result = StyledLine(indent: indent)
    var used = indent
    for run in runs {
      var kept = run.text.startIndex
      for cluster in Clusters(run.text) {
        if used + cluster.width > room {
          result.append(run.text[..<kept], style: run.style)
          result.trimTrailingBlanks()
          if room < width { result.append(ellipsis[...], style: run.style) }
          return result
        }
        used += cluster.width
        kept = cluster.end
      }
      result.append(run.text[...], style: run.style)
    }
    return result
  }

  /// Leaves out spaces at its end.
  mutating func trimTrailingBlanks() {
    while let last = runs.indices.last {
      while runs[last].text.unicodeScalars.last == " " { runs[last].text.unicodeScalars.removeLast() }
      guard runs[last].text.isEmpty else { return }
      runs.removeLast()
    }
  }

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
