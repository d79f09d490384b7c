/// A run of text with one style.
public struct StyledRun: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The style.
  public var style: Style

  /// Creates a run.
  public init(_ text: String, style: Style = .plain) {
    self.text = text
    self.style = style
  }
}

/// Text of several runs with different styles, before it is broken into lines. A line feed ends a line.
public struct StyledText: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The runs in order.
  public var runs: [StyledRun]

  /// Creates a text from runs.
  public init(_ runs: [StyledRun] = []) {
    self.runs = runs
  }

  /// Creates a text with one style.
  public init(_ text: String, style: Style = .plain) {
    self.init(text.isEmpty ? [] : [StyledRun(text, style: style)])
  }

  /// Creates a text with the plain style.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// Appends a run. It is joined to the last run if both have the same style.
  public mutating func append(_ text: String, style: Style = .plain) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += text
    } else {
      runs.append(StyledRun(text, style: style))
    }
  }

  /// Appends another text.
  public mutating func append(_ other: StyledText) {
    for run in other.runs { append(run.text, style: run.style) }
  }

  /// The text without styles.
  public var text: String { runs.map(\.text).joined() }

  /// The width on a single line in columns.
  public var displayWidth: Int { runs.reduce(0) { $0 + $1.text.displayWidth } }
}

/// A single line of styled text, ready to be drawn.
public struct StyledLine: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The number of blank columns before the text.
  public var indent: Int
  /// The runs in order.
  public var runs: [StyledRun]

  /// Creates a line from runs. A negative indent counts as 0.
  public init(indent: Int = 0, _ runs: [StyledRun] = []) {
    self.indent = max(0, indent)
    self.runs = runs
  }

  /// Creates a line with one style.
  public init(_ text: String, style: Style = .plain) {
    self.init(text.isEmpty ? [] : [StyledRun(text, style: style)])
  }

  /// Creates a line with the plain style.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// The text without styles and indent.
  public var text: String { runs.map(\.text).joined() }

  /// The width in columns, including the indent.
  public var displayWidth: Int { runs.reduce(indent) { $0 + $1.text.displayWidth } }

  /// Appends a run. It is joined to the last run if both have the same style.
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
  /// Draws a line of styled text in a row, after its indent.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - point: The cell at which the indent begins. It can be outside this surface.
  ///   - clip: The rectangle in which cells are changed, or `nil` for the whole surface.
  /// - Returns: The width of the whole line in columns, even if it was clipped.
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
  /// Returns the text on one line, shortened to a width. A shortened text ends with an ellipsis.
  ///
  /// - Parameters:
  ///   - width: The maximum width in columns. For 0 or less, the result is empty.
  ///   - ellipsis: The replacement of the omitted text.
  public func truncated(to width: Int, ellipsis: String = "…") -> String {
    StyledLine(String(self)).truncated(to: width, ellipsis: ellipsis).text
  }
}

extension StyledLine {
  /// Returns the line, shortened to a width. A shortened line ends with an ellipsis in the style of the omitted text.
  ///
  /// Blanks before the ellipsis are omitted, and so is a wide character that fits only half.
  ///
  /// - Parameters:
  ///   - width: The maximum width in columns. For 0 or less, the result is empty.
  ///   - ellipsis: The replacement of the omitted text. It is omitted if it does not fit.
  public func truncated(to width: Int, ellipsis: String = "…") -> StyledLine {
    guard displayWidth > width else { return self }
    guard width > indent else { return StyledLine() }
    let ellipsisWidth = ellipsis.displayWidth
    let availableWidth = width - (ellipsisWidth <= width - indent ? ellipsisWidth : 0)
    var result = StyledLine(indent: indent)
    var used = indent
    for run in runs {
      var end = run.text.startIndex
      for cluster in Clusters(run.text) {
        if used + cluster.width > availableWidth {
          result.append(run.text[..<end], style: run.style)
          result.trimTrailingBlanks()
          if availableWidth < width { result.append(ellipsis[...], style: run.style) }
          return result
        }
        used += cluster.width
        end = cluster.end
      }
      result.append(run.text[...], style: run.style)
    }
    return result
  }

  /// Removes spaces at the end.
  mutating func trimTrailingBlanks() {
    while let last = runs.indices.last {
      while runs[last].text.unicodeScalars.last == " " { runs[last].text.unicodeScalars.removeLast() }
      guard runs[last].text.isEmpty else { return }
      runs.removeLast()
    }
  }

  /// Returns a part of the line that fits a width, with an ellipsis at each end where text was omitted.
  ///
  /// The given columns are visible, with about as much text before them as after them. The part starts with a whole
  /// word if one starts nearby. If the columns do not fit, their beginning is visible. The beginning of the line is
  /// kept as long as some text after the columns is visible.
  ///
  /// - Parameters:
  ///   - width: The maximum width in columns. For 0 or less, the result is empty.
  ///   - columns: The columns of this line that must be visible. If the range is empty, the column of its lower bound
  ///     must be visible.
  ///   - ellipsis: The replacement of the omitted text.
  public func window(_ width: Int, around columns: Range<Int>, ellipsis: String = "…") -> StyledLine {
    guard displayWidth > width else { return self }
    let ellipsisWidth = min(ellipsis.displayWidth, max(0, width - 1))
    let targetWidth = columns.count
    // Some of the following text must be visible too.
    let following = min(12, max(0, (width - 2 * ellipsisWidth - targetWidth) / 2))
    guard columns.upperBound + following > width - ellipsisWidth else {
      return truncated(to: width, ellipsis: ellipsis)
    }

    let cells = columnsOfClusters
    let leading = max(0, (width - 2 * ellipsisWidth - targetWidth) / 2)
    // The last start at which the rest of the line still fills the width.
    let latest = displayWidth - (width - ellipsisWidth)
    let earliest = max(0, min(columns.lowerBound - leading, max(0, latest)))
    let starts = cells.indices.filter { cells[$0].column >= earliest && cells[$0].column <= columns.lowerBound }
    let word = starts.first { $0 > 0 && cells[$0 - 1].isBlank && !cells[$0].isBlank }
    guard let first = word ?? starts.first(where: { !cells[$0].isBlank }) ?? starts.first, first > 0 else {
      return truncated(to: width, ellipsis: ellipsis)
    }
    let start = cells[first]
    var line = StyledLine()
    if ellipsisWidth == ellipsis.displayWidth { line.append(ellipsis[...], style: runs[cells[first - 1].run].style) }
    for run in runs.indices.dropFirst(start.run) {
      let text = runs[run].text
      line.append(run == start.run ? text[start.textIndex...] : text[...], style: runs[run].style)
    }
    return line.truncated(to: width, ellipsis: ellipsis)
  }

  /// The column of each cluster and its position in a run.
  private var columnsOfClusters: [(column: Int, run: Int, textIndex: String.Index, isBlank: Bool)] {
    var cells: [(column: Int, run: Int, textIndex: String.Index, isBlank: Bool)] = []
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
